#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Containers with builds of their own at the host's path, each living for some
# milliseconds, recorded on a whole machine: every one of them with its right identity,
# its container and its path, and each content once.

images=${OUTPUT:-.output}/containers

in_guest() {
	modprobe overlay
	mkdir -p /var/tmp/containers
	bash tests/lib/containers.sh named
	"${OUTPUT:-.output}/perfstamp" record -a -e cpu-clock -F 49 -m 4M --map-ring-size 16M \
		-o /out/data -- bash tests/lib/containers.sh run "$(realpath "${OUTPUT:-.output}/containers")" \
		/var/tmp/containers >/out/lives
}

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	local kernel

	bash tests/lib/containers.sh images "$images"
	for kernel in 5.10 6.12; do
		scripts/guest --timeout 1800 --out "$BATS_FILE_TMPDIR/$kernel" "$kernel" -- \
			bash -c "set -e; $(declare -f in_guest); in_guest" \
			>"$BATS_FILE_TMPDIR/$kernel.said" 2>&1 3>&- ||
			echo "status $?" >>"$BATS_FILE_TMPDIR/$kernel.said"
	done
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_DIRNAME/../.." || return
	perfstamp=${OUTPUT:-.output}/perfstamp
}

# What went wrong, if it did; the shortest life, and how many were over within 10 ms.
all_right() {
	local out=$BATS_FILE_TMPDIR/$1

	cat "$out.said"
	[ -s "$out/data" ]
	[ "$(wc -l <"$out/lives")" -eq 100 ]
	sort -n -k 2 "$out/lives" | awk '{ us[NR] = $2; brief += $2 < 10000 }
		END { print us[1] " to " us[NR] " us; " brief " below 10 ms" }'
	"$perfstamp" list --json "$out/data" |
		bash tests/lib/containers.sh judge "$images" "$BATS_TEST_TMPDIR/lines" "${@:2}"
}

@test "5.10: a hundred brief containers: each has its identity, container and path" { all_right 5.10; }
@test "6.12: a hundred brief containers: each has its identity, container and path" { all_right 6.12; }

# On 5.10 what ran before recording is read from /proc, without its cgroup.
@test "6.12: names of containers that ran before, from their runtimes' own files" {
	all_right 6.12 docker:web:nginx:1.27 podman:db:postgres:16 \
		containerd:cart:shop/cart-0:registry/cart:3 cri-o:pay:shop/pay-0:registry/pay:4
}

@test "6.12: list --container chooses by name, id and pod" {
	local data=$BATS_FILE_TMPDIR/6.12/data n all

	all=$("$perfstamp" list "$data" | wc -l)
	for glob in web 'docker:web' shop/cart-0/cart 'cri-o:*' 'nginx:*'; do
		n=$("$perfstamp" list --container "*$glob" "$data" | wc -l)
		[ "$n" -gt 0 ]
		[ "$n" -lt "$all" ]
	done
	run -0 --separate-stderr "$perfstamp" list --container nothing "$data"
	[ -z "$output" ]
}

@test "6.12: stock perf reads what is behind the path of a cgroup over, and splits by cgroup" {
	local data=$BATS_FILE_TMPDIR/6.12/data version

	for version in 6.1 6.12 newest; do
		scripts/perf "$version" script --show-cgroup-events -i "$data" \
			>"$BATS_TEST_TMPDIR/events" 2>"$BATS_TEST_TMPDIR/said"
		grep -q 'PERF_RECORD_CGROUP cgroup: [0-9]* /docker/' "$BATS_TEST_TMPDIR/events"
		[ ! -s "$BATS_TEST_TMPDIR/said" ] || cat "$BATS_TEST_TMPDIR/said"
	done
	"$perfstamp" check "$data" | tail -n 3
}
