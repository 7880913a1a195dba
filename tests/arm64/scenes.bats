#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What the guests of x86-64 show in a boot each, on arm64 in one boot (tests/lib/arm64_scenes.sh):
# stacks, replaced files, containers, kernel modules. The stock perfs judge: those of arm64 there,
# and those of this machine here.

bats_require_minimum_version 1.5.0

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	GUEST_ARCH=arm64 bash tests/lib/containers.sh images "${OUTPUT:-.output}/arm64/containers"
	scripts/guest --arch arm64 --timeout 2700 --out "$BATS_FILE_TMPDIR/out" newest -- \
		bash tests/lib/arm64_scenes.sh callers containers replaced modules \
		>"$BATS_FILE_TMPDIR/said" 2>&1 3>&- || echo "status $?" >>"$BATS_FILE_TMPDIR/said"
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	export GUEST_ARCH=arm64
	# shellcheck source-path=SCRIPTDIR/../lib source=modules_checks.bash
	. tests/lib/modules_checks.bash
	# shellcheck source-path=SCRIPTDIR/../lib source=replaced_checks.bash
	. tests/lib/replaced_checks.bash
	dir=$BATS_FILE_TMPDIR/out
	cat "$BATS_FILE_TMPDIR/said"
}

@test "the callers of a program without frame pointers are those of arm64's perf" {
	cat "$dir/callers/plain"
	diff <(sed -n 's/^ours: //p' "$dir/callers/plain") <(sed -n 's/^perf: //p' "$dir/callers/plain")
	grep -qE '^ours: [1-9][0-9]+ main chain_a chain_b chain_c$' "$dir/callers/plain"
}

# There perf has but a part of them.
@test "where return addresses are signed, all of them are found, too" {
	cat "$dir/callers/signed"
	[ "$(grep -c '^ours: ' "$dir/callers/signed")" -eq 1 ]
	grep -qE '^ours: [1-9][0-9]+ main chain_a chain_b chain_c$' "$dir/callers/signed"
}

@test "a hundred brief containers: each has its identity, container and path" {
	[ "$(wc -l <"$dir/containers/lives")" -eq 100 ]
	"$perfstamp" list --json "$dir/containers/data" | bash tests/lib/containers.sh judge \
		- "$BATS_TEST_TMPDIR/lines" docker:web:nginx:1.27 podman:db:postgres:16 \
		containerd:cart:shop/cart-0:registry/cart:3 cri-o:pay:shop/pay-0:registry/pay:4
}

@test "both builds are listed at their path, with their times" {
	local scenario

	for scenario in rename rewrite place overlay; do
		replaced__apart "$dir/replaced/judged" "$scenario"
	done
	replaced__listed "$dir/replaced/judged" overlap
	replaced__cookies "$dir/replaced/judged"
}

@test "arm64's perfs give each sample the symbol of its own build" {
	replaced__symbols "$dir/replaced/judged"
}

@test "and so do those of this machine" {
	bash tests/lib/replaced.sh judge /var/tmp/replaced "$dir/replaced/data" "$dir/replaced" \
		>"$BATS_TEST_TMPDIR/judged"
	replaced__symbols "$BATS_TEST_TMPDIR/judged"
}

@test "each stock perf names the function of each sample in a module" {
	cp "$BATS_FILE_TMPDIR/said" "$dir/modules.said"
	modules__judged "$dir/modules"
}

@test "our records tell the life of each module, and the build of each sample" {
	modules__told "$dir/modules"
}

@test "of many cycles each load and unload is there, in order, with its build-id" {
	modules__every_cycle "$dir/modules" 20
}

@test "the files are read without a warning, there and here" {
	local scene version

	for scene in containers replaced modules; do
		"$perfstamp" check "$dir/$scene/data"
		for version in 6.1 6.12 newest; do
			grep -q '%' "$dir/$scene/perf-$version"
			cat "$dir/$scene/perf-$version.err"
			run -1 grep -iE 'warning|error|fail' "$dir/$scene/perf-$version.err"
			scripts/perf "$version" report --stdio -i "$dir/$scene/data" --sort comm,dso \
				>"$BATS_TEST_TMPDIR/report" 2>"$BATS_TEST_TMPDIR/err"
			cat "$BATS_TEST_TMPDIR/err"
			grep -q '%' "$BATS_TEST_TMPDIR/report"
			run -1 grep -iE 'warning|error|fail' "$BATS_TEST_TMPDIR/err"
		done
	done
}
