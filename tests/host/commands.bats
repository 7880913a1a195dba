#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# list, dump and check of what is not a recording, or not all of one: an error with an
# offset, never a crash. And doctor, which reads no file.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup_file() {
	load ../lib/recording.bash
	record -q -o "$BATS_FILE_TMPDIR/data" -- "$tools/worker" -t 1 -c 200 >/dev/null
	record -q -o - -- "$tools/worker" -t 1 -c 200 2>/dev/null | cat >"$BATS_FILE_TMPDIR/pipe"
}

setup() {
	load ../lib/recording.bash
	cp "$BATS_FILE_TMPDIR"/{data,pipe} .
}

# fails SENTENCE FILE: list, dump and check end with status 1 and this sentence (a pattern).
fails() {
	local sentence=$1 file=$2 command

	for command in list dump check; do
		run -1 --separate-stderr timeout 120 "$perfstamp" "$command" "$file"
		echo "$command $file: $stderr"
		# shellcheck disable=SC2053 # a pattern
		[[ "$stderr" == "perfstamp $command: "$sentence ]]
		[ -z "$output" ]
	done
}

@test "a file cut off in its header, attributes or features says where" {
	local size
	for size in 8 64 103; do
		head -c "$size" data >cut.data
		fails "cut.data: offset 0: the file ends inside its header" cut.data
	done
	head -c 256 data >cut.data
	fails "cut.data: offset 24: the attributes lie beyond the end of the file" cut.data
}

@test "a file cut off in its data shows what there is, and says where it ends" {
	local -i data size end cut
	# Where the data begin and their size: struct perf_file_header.
	data=$(od -An -t u8 -j 40 -N 8 data)
	size=$(($(od -An -t u8 -j 48 -N 8 data) + data))
	# An odd number is within a record: their sizes are multiples of 8.
	cut=$((size * 3 / 4 | 1))
	head -c $cut data >cut.data
	run -1 --separate-stderr "$perfstamp" list cut.data
	[[ $output == *" $tools/worker"* ]]
	[[ $stderr =~ ^"perfstamp list: cut.data: offset "([0-9]+)": the data end inside a record"$ ]]
	end=${BASH_REMATCH[1]}
	[ "$end" -le $cut ]
	[ "$end" -gt $((cut - 4096)) ]
	run -1 --separate-stderr "$perfstamp" dump cut.data
	[ "${#lines[@]}" -gt 100 ]
	[[ $stderr == "perfstamp dump: cut.data: offset $end: the data end inside a record" ]]
	run -1 --separate-stderr "$perfstamp" check cut.data
	[[ $output == *"wrong: damage: cut.data: offset $end: the data end inside a record"* ]]
	[[ $output == *"samples "* ]]
}

@test "a file cut off between two records is told of by every command that reads it" {
	local -i from size cut offset
	# says SENTENCE FILE: each, on standard error alone, and shows what there is.
	says() {
		local command
		for command in list dump check 'report --no-debuginfod' 'timeline -o page.html'; do
			rm -f page.html
			# shellcheck disable=SC2086 # several words
			run --separate-stderr "$perfstamp" $command "$2"
			echo "$command $2: $status $stderr"
			[ "$stderr" = "perfstamp ${command%% *}: $1" ]
			[[ $command == timeline* ]] || [ -n "$output" ]
		done
	}
	from=$(od -An -t u8 -j 40 -N 8 data)
	size=$(od -An -t u8 -j 48 -N 8 data)
	cut=$("$perfstamp" dump --json data | jq -r 'select(.offset != null) | .offset' |
		awk -v end=$((from + size * 3 / 4)) '$1 < end { at = $1 } END { print at }')
	[ "$cut" -gt "$from" ]
	head -c "$cut" data >cut.data
	says "warning: cut.data: the file was cut off at offset $cut, before the end of its data; the existing data is read" cut.data
	# The last one is within the content of a feature, the others within their table.
	for offset in 0 8 40 $(($(stat -c %s data) - from - size - 1)); do
		head -c $((from + size + offset)) data >cut.data
		says "warning: cut.data: the file was cut off after its data: header features are missing" cut.data
	done
	# What perf leaves where it is killed.
	cp data killed.data
	head -c 8 /dev/zero | dd of=killed.data bs=1 seek=48 conv=notrunc status=none
	truncate -s "$cut" killed.data
	says "warning: killed.data: its header has no size: its recorder is still running or was killed; the existing data is read" killed.data
	# And a whole one is nothing to speak of.
	for command in list dump check 'report --no-debuginfod'; do
		# shellcheck disable=SC2086 # several words
		run -0 --separate-stderr "$perfstamp" $command data
		[ -z "$stderr" ]
	done
}

@test "a pipe cut off anywhere says where, by name and from standard input" {
	local size command
	for size in 8 15 40 200 1000 5000; do
		head -c "$size" pipe >cut.data
		for command in list dump check; do
			run --separate-stderr timeout 120 "$perfstamp" "$command" cut.data
			echo "$command $size: $status $stderr"
			[ "$status" -le 1 ]
			[ "$status" -eq 0 ] || [[ $output$stderr == *"cut.data: offset "* || $output == *"wrong: "* ]]
			run --separate-stderr timeout 120 "$perfstamp" "$command" - <cut.data
			[ "$status" -le 1 ]
			[ "$status" -eq 0 ] || [[ $output$stderr == *"standard input: offset "* || $output == *"wrong: "* ]]
		done
	done
}

@test "what is not a recording is told so" {
	local n
	: >empty
	gzip -c data >data.gz
	mkdir directory
	ln -s circle circle
	fails "empty: offset 0: this is not a perf.data file" empty
	fails "data.gz: offset 0: this is not a perf.data file" data.gz
	fails "$tools/worker: offset 0: this is not a perf.data file" "$tools/worker"
	fails "/dev/null: offset 0: this is not a perf.data file" /dev/null
	fails "directory: not a recording: the directory has no file \`data'" directory
	fails "none: cannot open: No such file or directory" none
	fails "circle: cannot open: Too many levels of symbolic links" circle
	for n in 1 2 3; do
		head -c $((n * 1000)) /dev/urandom >noise
		fails "noise: offset 0: this is not a perf.data file" noise
		# As good as one at first sight.
		{ head -c 16 data && head -c $((n * 1000)) /dev/urandom; } >noise
		fails "noise: offset *" noise
	done
}

@test "random damage is never a crash" {
	local n offset command size
	size=$(stat -c %s data)
	RANDOM=1
	for n in {1..15}; do
		cp data damaged
		offset=$(((RANDOM << 15 | RANDOM) % size))
		head -c 16 /dev/urandom | dd of=damaged bs=1 seek="$offset" conv=notrunc status=none
		for command in list dump check; do
			run timeout 120 "$perfstamp" "$command" damaged
			echo "$command, 16 bytes at $offset: status $status"
			[ "$status" -le 1 ]
		done
	done
}

@test "a file that may not be read is told so" {
	local open_dir
	open_dir=$(mktemp -d)
	cp "$perfstamp" data "$open_dir"
	chmod 755 "$open_dir" "$open_dir/perfstamp"
	chmod 600 "$open_dir/data"
	run -1 setpriv --reuid 65534 --regid 65534 --clear-groups "$open_dir/perfstamp" check "$open_dir/data"
	rm -rf "$open_dir"
	[[ $output == "perfstamp check: $open_dir/data: cannot open: Permission denied" ]]
}

@test "a recording by perf itself can be listed, dumped and checked" {
	local version
	for version in "${perfs[@]}"; do
		perf "$version" record -q -N -e cpu-clock --buildid-mmap -o theirs -- "$tools/worker" 100 >/dev/null
		run -0 "$perfstamp" list theirs
		[[ $output == *"$(readelf -n "$tools/worker" | awk '/Build ID/ { print $3 }') $tools/worker"* ]]
		run -0 "$perfstamp" dump theirs
		[[ $output == *"SAMPLE"* ]]
		run -0 "$perfstamp" check theirs
	done
}

@test "doctor names the rung that record then uses, in text and in JSON" {
	local rung check
	run -0 "$perfstamp" doctor
	rung=$(sed -n 's/^. rung \([^ ]*\) .*(used)$/\1/p' <<<"$output")
	[ -n "$rung" ]
	record -v -o now -- true 2>stderr
	grep -q "^perfstamp record: rung $rung; " stderr
	run -0 "$perfstamp" doctor --json
	# Each check is explained; those with a capital are of runtimes.
	while read -r check; do
		grep -qE "^\.It Cm (.*, )?${check/rung */rung}( |\$)" "$root/docs/man/perfstamp-doctor.1"
	done < <(jq -r 'keys[] | select(test("^[a-z]|BTF"))' <<<"$output")
	[[ $(jq -r --arg rung "rung $rung" '.[$rung].value' <<<"$output") == *"(used)" ]]
}

@test "one of a kind is told in the singular" {
	record -o data -- true 2>record.err
	run "$perfstamp" check data
	[[ ${lines[0]} == "data: file, "*" records, 1 process" ]]
	cp "$perfstamp" one
	run -0 "$perfstamp" cache --buildid-dir store add one
	run -0 "$perfstamp" cache --buildid-dir store verify
	[[ $output == "1 file verified, 0 quarantined, "* ]]
}

@test "the lines of help fit, and what an option does begins in one column" {
	local command
	for command in $("$perfstamp" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
		[ "$command" != help ] || continue
		"$perfstamp" "$command" --help >help
		run ! grep -n '.\{80\}\| $' help
		# "  -x, --option=ARG" and at least two spaces, or nothing.
		run ! grep -n '^ \+-.*[^ ]  \+[^ ]' <(grep -v '^.\{28\} [^ ]' help)
	done
}

@test "help of each command: on standard output, status 0, and the man page has its options" {
	local command option
	for command in record watch replaced list dump check doctor kernel cache archive; do
		run -0 --separate-stderr "$perfstamp" "$command" --help
		[[ $output == "Usage: perfstamp $command "* ]]
		[ -z "$stderr" ]
		while read -r option; do
			echo "--$option"
			grep -qF -- "-$option" "$root/docs/man/perfstamp-$command.1"
		done < <(grep -o -- '--[a-z][a-z-]*' <<<"$output" | sed 's/^--//' | sort -u |
			grep -vx 'help\|usage')
	done
}

@test "the pages have each command with the exit status 3, and each form of a recording" {
	local page form
	for page in $(cd "$root/docs/man" && grep -l '^\.It 3$' perfstamp-*.1); do
		sed -n '/^\.Sh EXIT STATUS/,/^\.Sh EXAMPLES/p' "$root/docs/man/perfstamp.1" | sed '/uses\? 3\.$/q' |
			grep -qx "\.Xr ${page%.1} 1"
	done
	# As in user/view/check/check.c.
	for form in file pipe directory; do
		sed -n '/^\.It Cm file , form/,/^\.It Cm ok/p' "$root/docs/man/perfstamp-check.1" |
			grep -qE "^\.Ql $form( [.,])?$"
	done
}

@test "a pipe is read and written without being named, as perf does" {
	cd "$BATS_TEST_TMPDIR"
	# An older recording, of another program, that must not be taken instead.
	"$perfstamp" record -q -e cpu-clock -F 4999 -o perf.data -- sleep 0.01
	rows() {
		sed -n 's/^ *[0-9.]*%  *\([a-z0-9-]*\).*/\1/p'
	}
	"$perfstamp" record -q -e cpu-clock -F 4999 -- "$tools/swapped-1" 50 2>/dev/null |
		"$perfstamp" report --no-debuginfod -s comm >said
	[ "$(rows <said)" = swapped-1 ]
	cmp <("$perfstamp" record -q -e cpu-clock -- true | head -c 8) <(printf PERFILE2)
	# A pipe's contents as such, and a file's through a pipe, where its header needs seeking.
	"$perfstamp" record -q -e cpu-clock -F 4999 -o file.data -- "$tools/swapped-1" 50 >/dev/null
	# shellcheck disable=SC2002 # a pipe is what is tried
	for command in 'report --no-debuginfod -s comm' list dump 'check --json'; do
		# shellcheck disable=SC2086 # several words
		diff <("$perfstamp" $command - <file.data | grep -v 'standard input') \
			<(cat file.data | "$perfstamp" $command | grep -v 'standard input')
	done
	# shellcheck disable=SC2002
	[ "$(cat file.data | "$perfstamp" report --no-debuginfod -s comm - | rows)" = swapped-1 ]
	[ "$("$perfstamp" report --no-debuginfod -s comm -i - <file.data | rows)" = swapped-1 ]
	# What has names is no pipe's.
	"$perfstamp" record -q -e cpu-clock --timestamp-filename -- true | cat >nothing
	[ ! -s nothing ]
	ls perf.data.2*
}

@test "the commands of perf that read a recording are named" {
	for command in annotate script buildid-list; do
		run -2 --separate-stderr "$perfstamp" $command
		[ "$stderr" = "perfstamp: unknown command \`$command'; perf reads recordings of perfstamp: use \`perf $command'" ]
	done
	run -2 --separate-stderr "$perfstamp" top
	[ "$stderr" = "perfstamp: unknown command \`top'; use \`perf top'" ]
}

@test "of a recording that is cut off archive and kernel use what there is, and fail" {
	cd "$BATS_TEST_TMPDIR"
	"$perfstamp" record -q -e cpu-clock -o whole.data -- true
	"$perfstamp" dump whole.data | sed -n "s/^SAMPLE.*offset=\(0x[0-9a-f]*\).*/\1/p" >offsets
	head -c "$(($(tail -n 1 offsets) + 20))" whole.data >cut.data
	run -1 --separate-stderr "$perfstamp" archive cut.data -o cut.tar
	[[ $stderr == *"cut.data: "* ]]
	[ -s cut.tar ]
	run -1 --separate-stderr "$perfstamp" kernel -i cut.data
	[[ $stderr == *"cut.data: "* ]]
	[[ $output == *"[kernel.kallsyms]"* ]]
}

@test "who may not look at all processes is told how many were left out" {
	run --separate-stderr setpriv --reuid 65534 --regid 65534 --clear-groups "$perfstamp" replaced
	echo "$stderr"
	[[ $stderr =~ "perfstamp replaced: "[0-9]+" process"(es)?" could not be examined; run as root to include all" ]]
}
