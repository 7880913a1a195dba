#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What can be said of the series of kernel-patch/ without a kernel's source: that each is whole,
# and that patches, cover letter, man page and perfstamp speak of the same. make kernel does
# the rest.

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_DIRNAME/../.." || return
	mapfile -t series < <(find kernel-patch -mindepth 1 -maxdepth 1 -type d -name '[0-9]*' | LC_ALL=C sort)
	[ ${#series[@]} -ge 1 ]
	mapfile -t parts < <(find kernel-patch/v2 -type d -name '[0-9]*' | LC_ALL=C sort)
	[ ${#parts[@]} -ge 1 ]
}

# The lines that the patches of DIR add, as they are in the source.
added() {
	sed -n 's/^+//p' "$1"/*.patch
}

# The fields of a struct in a comment or in text, one a line: those of one type may share one.
fields() {
	sed 's/^[	 ]*\*//; s/[,;]/ /g' |
		awk '$1 ~ /^([us][0-9]+|char|struct)$/ { for (i = 2; i <= NF; i++) print $1, $i }'
}

@test "each patch is whole and has its number; of the first version, it is signed" {
	local dir patch n
	local -a patches

	for dir in "${series[@]}" "${parts[@]}"; do
		mapfile -t patches < <(LC_ALL=C ls "$dir"/*.patch)
		for n in "${!patches[@]}"; do
			patch=${patches[n]}
			echo "$patch"
			[[ ${patch##*/} == "$(printf '%04d' "$n")-"* ]]
			grep -q "^Subject: \[PATCH $n/$((${#patches[@]} - 1))\] " "$patch"
			[ "$n" -gt 0 ] || continue
			# Who sends it is to sign: a tool must not.
			if [[ $dir = */v2/* ]]; then
				! grep -qE '^(From|Signed-off-by): ' "$patch" || return
			else
				grep -q '^Signed-off-by: .* <.*>$' "$patch"
			fi
			# As many lines as its hunks say.
			git apply --numstat "$patch" >>"$BATS_TEST_TMPDIR/${dir##*/}.changed"
		done
	done
}

@test "the cover letter lists the patches, and the files that they change" {
	local dir cover

	for dir in "${series[@]}" "${parts[@]}"; do
		cover=$(echo "$dir"/0000-*.patch)
		[ -e "$cover" ]
		# Subjects go on in the next line, which begins with a space.
		sed -n '/^Subject: /,/^$/p' "$dir"/000[1-9]-*.patch | sed 'N;s/\n \([^ ]\)/ \1/;P;D' |
			sed -n 's/^Subject: \[[^]]*\] /      /p' >"$BATS_TEST_TMPDIR/subjects"
		[ -s "$BATS_TEST_TMPDIR/subjects" ]
		grep -A "$(wc -l <"$BATS_TEST_TMPDIR/subjects")" '^[^ ].* ([0-9]*):$' "$cover" | tail -n +2 |
			diff - "$BATS_TEST_TMPDIR/subjects"
		# Long paths are cut at their begin.
		sed -nE 's,^ (.*/)?([^ ]*) +\| +[0-9].*,\2,p' "$cover" | sort >"$BATS_TEST_TMPDIR/told"
		sed -n 's,^+++ b/,,p' "$dir"/000[1-9]-*.patch | sort -u | sed 's,.*/,,' | sort |
			diff "$BATS_TEST_TMPDIR/told" -
	done
}

@test "what a part builds upon is a part for the same version, and comes before it" {
	local dir part

	for dir in "${parts[@]}"; do
		part=$(dirname "$dir")
		[ -e "$part/needs" ] || continue
		echo "$part"
		[ -s "$part/needs" ]
		while read -r needed; do
			[ -d "kernel-patch/v2/$needed/${dir##*/}" ]
			[[ $needed < ${part##*/} ]]
		done <"$part/needs"
	done
}

@test "a part without KUnit tests says so" {
	run -0 scripts/kernel kunit v2/B-prime/7.2
	[[ $output == *"kernel-patch/v2/B-prime/7.2: has no KUnit tests" ]]
}

@test "the man page names what the series adds, and has the fields in their order" {
	local dir text=kernel-patch/perf_event_open.txt name

	for dir in "${series[@]}"; do
		added "$dir" | grep -oE '^	PERF_MMAP3_(SOURCE|REASON)_[A-Z_]+' | tr -d '\t' >"$BATS_TEST_TMPDIR/names"
		[ "$(wc -l <"$BATS_TEST_TMPDIR/names")" -ge 10 ]
		grep -oE 'PERF_MMAP3_(SOURCE|REASON)_[A-Z_]+' "$text" | diff - "$BATS_TEST_TMPDIR/names"
		for name in MMAP3 MODULE; do
			added "$dir" | grep -B 40 "^	PERF_RECORD_$name	*= " | sed -n '/\* struct {/,/};/p' |
				fields >"$BATS_TEST_TMPDIR/fields"
			[ "$(wc -l <"$BATS_TEST_TMPDIR/fields")" -ge 10 ]
			sed -n "/^PERF_RECORD_$name\$/,/};/p" "$text" | sed -n '/struct {/,$p' | fields |
				diff - "$BATS_TEST_TMPDIR/fields"
		done
	done
}

@test "the numbers are those that perfstamp asks for" {
	local dir

	for dir in "${series[@]}"; do
		added "$dir" | grep -qE '^	PERF_RECORD_MMAP3	*= 23,$'
		added "$dir" | grep -qE '^	PERF_RECORD_MODULE	*= 24,$'
	done
	grep -q '^#define PERFDATA_RECORD_MMAP3 23$' user/event/types.h
	grep -q '^#define PERFDATA_RECORD_MODULE 24$' user/event/types.h
}

@test "without what builds a kernel, the sentence names the setup" {
	cd "$BATS_TEST_DIRNAME/../.."
	mkdir "$BATS_TEST_TMPDIR/bin"
	for tool in bc bison ccache clang-19 gcc make patch perl xz; do
		ln -s "$(type -P true)" "$BATS_TEST_TMPDIR/bin/$tool"
	done
	# shellcheck disable=SC2016 # the shell that runs it expands
	run -1 bash -c 'source scripts/packages.sh; source scripts/kernel-build.sh
		PATH=$1; kernel__check_tools' bash "$BATS_TEST_TMPDIR/bin"
	[[ $output == *"building this kernel needs flex: run scripts/setup kernel" ]]
}

@test "scripts/setup explains itself" {
	run "$BATS_TEST_DIRNAME/../../scripts/setup" --help
	[ "$status" -eq 0 ]
	[[ $output == "Usage: scripts/setup "* ]]
}
