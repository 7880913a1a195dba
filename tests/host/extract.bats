#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# extract: three builds run at one path; what is extracted of one is what the tools that
# optimise a program are to get. The programs print nothing and differ in their functions.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

# build FILE PRESENT: a program that spends its time in the functions of PRESENT.
build() {
	local name code="volatile unsigned long s;" calls=""

	for name in $2; do
		code+="__attribute__((noinline)) void $name(int n) { for (int i = 0; i < n; i++) s += i; }"
		# Never as long as the last time: samples at even times see them all.
		calls+="$name(200000 + i * 7919 % 200003);"
	done
	code+="int main(void) { for (int i = 0; i < 150; i++) { $calls } return 0; }"
	# AutoFDO 0.19 does not read DWARF 5.
	gcc -gdwarf-4 -O1 -fno-omit-frame-pointer -Wl,--build-id,-q -x c -o "$1" - <<<"$code"
}

setup_file() {
	load ../lib/recording.bash
	cd "$BATS_FILE_TMPDIR" || return
	build v1 shared
	build v2 "first shared"
	build v3 "first second shared"
	mkdir run
	cat >deploy <<-'EOF'
		for build in v1 v2 v3; do
			cp "$build" run/new && mv run/new run/server && run/server
		done
	EOF
	record -q -F 1999 -o ours -- sh deploy >/dev/null
	record -q -F 1999 -g -o chains -- sh deploy >/dev/null
	record -q -F 1999 --switch-output=64K -o series -- sh deploy >/dev/null
	perf newest record -q -N -F 1999 -e cpu-clock --buildid-mmap -o theirs -- sh deploy \
		>/dev/null 2>&1
	sed -i 's,run/server,run/renamed,g' deploy
	unshare --uts sh -c 'hostname elsewhere; exec "$@"' - \
		"$perfstamp" record -e cpu-clock "${room[@]}" -q -F 1999 -o elsewhere -- sh deploy >/dev/null
	grep -q elsewhere elsewhere
}

setup() {
	load ../lib/recording.bash
	cp "$BATS_FILE_TMPDIR"/{v1,v2,v3,ours,chains,theirs,elsewhere,series.*} .
	perf2bolt=/usr/lib/llvm-16/bin/perf2bolt
}

# loops ELF: for tests/tools/branches, the build-id, begin, end, and the branch back to the
# start of the loop of each function that has one.
loops() {
	objdump -d --no-show-raw-insn "$1" | awk -v id="$(id_of "$1")" '
		/^[0-9a-f]+ <(first|second|shared)>:$/ { begin = $1; from = ""; in_it = 1; next }
		/^$/ { if (in_it && from) print id ":" begin ":" last ":" from ":" to; in_it = 0 }
		in_it { sub(":", "", $1); last = $1 }
		in_it && $2 ~ /^j/ && length($3) == length($1) && $3 < $1 { from = $1; to = $3 }'
}

# Writes the recording "branches", in which samples of the loops have branch records.
record_branches() {
	# shellcheck disable=SC2046 # several words
	"$tools/branches" ours branches $(for build in v1 v2 v3; do loops "$build"; done)
}

# The build-id of FILE, by another's reader.
id_of() {
	readelf -n "$1" | awk '/Build ID/ { print $3 }'
}

# extract BUILD FROM: writes BUILD.data; the number of its samples is in $n.
extract() {
	run -0 --separate-stderr "$perfstamp" extract --build-id "$(id_of "$1")" -o "$1.data" "$2"
	[ -z "$stderr" ]
	n=${output#*: }
	n=${n%% *}
	((n > 20))
}

@test "each build gets its own samples, from our recordings and from perf's" {
	local from build sum

	for from in ours chains theirs; do
		sum=0
		for build in v1 v2 v3; do
			extract "$build" "$from"
			run -0 --separate-stderr perf newest script -i "$build.data" -G -F comm,ip
			[ "$(grep -c '^ *server ' <<<"$output")" = "$n" ]
			sum=$((sum + n))
			rm "$build.data"
		done
		# What all three have is what the recording has of the path.
		[ "$sum" = "$("$perfstamp" list --path '*/server' --json "$from" |
			jq -s '[.. | .samples? // empty] | add')" ]
	done
}

@test "every stock perf reads what was extracted, and its chains" {
	local version text

	extract v2 chains
	for version in "${perfs[@]}"; do
		run -0 --separate-stderr perf "$version" script -i v2.data -F comm,ip,dso
		text=$output
		run ! grep -q "[^ ]" <<<"$(grep -v '^No kallsyms or vmlinux' <<<"$stderr")"
		[ "$(grep -c '^server' <<<"$text")" = "$n" ]
		# It calls main().
		grep -q 'libc' <<<"$text"
	done
	# The paths of the other builds are free, for tools that go by the name.
	[ "$("$perfstamp" list --path '*/server' v2.data | wc -l)" = 1 ]
}

@test "perf2bolt counts as many samples as we do, and none outside the functions" {
	local build

	for build in v1 v2 v3; do
		extract "$build" ours
		run -0 "$perf2bolt" -nl -p "$build.data" -o "$build.fdata" "$build"
		grep -q "read $n samples" <<<"$output"
		grep -q "unknown regions: 0 (0.0%)" <<<"$output"
	done
	# Given all, it takes those of the others for its own.
	run -0 "$perf2bolt" -nl -p ours -o all.fdata v2
	run ! grep -q "read $(wc -l <v2.fdata) samples" <<<"$output"
	run ! cmp -s all.fdata v2.fdata
}

@test "a program that BOLT optimised by it runs, and its hot functions are those of the profile" {
	local name sampled
	local -i begin end address

	extract v3 ours
	run -0 "$perf2bolt" -nl -p v3.data -o v3.fdata v3
	run -0 /usr/lib/llvm-16/bin/llvm-bolt v3 -o v3.bolt -data v3.fdata \
		-reorder-blocks=ext-tsp -reorder-functions=hfsort
	# The three, and main where a sample falls into it.
	sampled=$(awk '$1 == 1 { print $2 }' v3.fdata | LC_ALL=C sort -u | xargs)
	[[ $sampled == "first"*" second shared" ]]
	grep -q "BOLT-INFO: $(wc -w <<<"$sampled") out of [0-9]* functions .* have non-empty execution profile" <<<"$output"
	run -0 ./v3.bolt
	# What has samples, and nothing else, is where the hot code is.
	begin=0x$(nm v3.bolt | awk '$3 == "__hot_start" { print $1 }')
	end=0x$(nm v3.bolt | awk '$3 == "__hot_end" { print $1 }')
	for name in first second shared main; do
		address=0x$(nm v3.bolt | awk -v name="$name" '$3 == name { print $1 }')
		if ((address >= begin && address < end)); then
			echo "$name"
		fi
	done >hot
	[ "$(LC_ALL=C sort hot | xargs)" = "$sampled" ]
	record -q -F 1999 -o optimised -- ./v3.bolt
	"$perfstamp" cache add v3.bolt >/dev/null
	[ "$("$perfstamp" report --json --no-debuginfod -s dso,sym optimised |
		jq -r 'select(.type == "row" and .dso == "v3.bolt" and .samples > 2) | .symbol' |
		sort | xargs)" = "first second shared" ]
}

# functions_of PROFILE: the names in a text profile of create_llvm_prof.
functions_of() {
	sed -n 's/^\([a-z_]*\):.*/\1/p' "$1" | sort | xargs
}

# Of all that AutoFDO 0.19 reads, a profile comes only of files without the records that were
# new with Linux 4.12 to 5.7 (NAMESPACES, KSYMBOL, BPF_EVENT, CGROUP), perf's own as well.
@test "quipper reads the recording, and makes a profile of what is extracted" {
	local build file

	for build in v1 v2 v3; do
		# By the name: AutoFDO 0.19 reads no build-ids of mappings.
		"$perfstamp" extract --binary "$build" -o "$build.data" ours >/dev/null
		run -0 create_llvm_prof --profile="$build.data" --binary="$build" --out="$build.prof" \
			--use_lbr=false --format=text
		run ! grep -q "expected\|Error reading" <<<"$output"
	done
	cat v?.prof
	[ "$(functions_of v1.prof)" = "shared" ]
	[ "$(functions_of v2.prof)" = "first shared" ]
	[ "$(functions_of v3.prof)" = "first second shared" ]
	run -0 "$perfstamp" extract --time 0, -o plain ours
	grep -q "^plain: $("$perfstamp" dump --json ours | grep -c '"type":"SAMPLE"') samples; 0 others" <<<"$output"
	record -q -F 1999 -o - -- ./v2 | cat >piped
	for file in ours chains series.* plain piped; do
		run -0 create_llvm_prof --profile="$file" --binary=v2 --out=all.prof --use_lbr=false
		run ! grep -q "expected\|Error reading" <<<"$output"
	done
	# What perfstamp wrote before notes.
	run create_llvm_prof --profile="$root/tests/golden/version-1.data" --binary=v2 --out=all.prof \
		--use_lbr=false
	grep -q "Error reading profile" <<<"$output"
}

# Each function is one instruction, which has all of its samples: AutoFDO counts of a line the
# instruction that has the most.
@test "create_llvm_prof and create_gcov count as many samples of each function as we do" {
	local build sum

	build_of() {
		local code="" calls="" name

		for name in $2; do
			code+="__attribute__((noinline)) void $name(unsigned long n) {"
			code+=" __asm__ volatile(\"1: loop 1b\" : \"+c\"(n)); }"
			calls+="$name(300000);"
		done
		code+="int main(void) { for (int i = 0; i < 300; i++) { $calls } return 0; }"
		gcc -gdwarf-4 -O1 -Wl,--build-id -x c -o "$1" - <<<"$code"
	}
	build_of v1 shared
	build_of v2 "first shared"
	build_of v3 "first second shared"
	mkdir run
	for build in v1 v2 v3; do
		echo "cp $build run/new && mv run/new run/server && run/server"
	done >deploy
	record -q -F 1999 -o counted -- sh deploy
	for build in v1 v2 v3; do
		run -0 "$perfstamp" extract --binary "$build" -o "$build.data" counted
		sum=$(sed -n '1s/^[^:]*: \([0-9]*\) .*/\1/p' <<<"$output")
		"$perfstamp" cache add "$build" >/dev/null
		"$perfstamp" report --json --no-debuginfod -s sym "$build.data" |
			jq -r 'select(.type == "row") | "\(.symbol) \(.samples)"' | sort >rows
		cat rows
		((sum > 20))
		[ "$(awk '{ n += $2 } END { print n }' rows)" = "$sum" ]
		# main only calls them: create_llvm_prof leaves out functions of less than ten samples.
		grep -v '^main ' rows >expected
		run -0 create_llvm_prof --profile="$build.data" --binary="$build" --out="$build.prof" \
			--use_lbr=false --format=text
		sed -n '/^main:/d; s/^\([a-z]*\):\([0-9]*\):.*/\1 \2/p' "$build.prof" | sort | diff expected -
		run -0 create_gcov --profile="$build.data" --binary="$build" --gcov="$build.gcov" \
			--gcov_version=2 --use_lbr=false
		run -0 --separate-stderr dump_gcov -gcov_version=2 "$build.gcov"
		sed -n '/^main /d; s/^\([a-z]*\) total:\([0-9]*\) .*/\1 \2/p' <<<"$output" | sort | diff expected -
	done
}

@test "one build of a series and of another host: each tool counts as many samples as we do" {
	local build file version
	local -i sum

	for build in v1 v2 v3; do
		sum=0
		for file in series.* elsewhere; do
			if "$perfstamp" extract -f --build-id "$(id_of "$build")" -o part "$file" >text; then
				sum+=$(sed -n '1s/^[^:]*: \([0-9]*\) .*/\1/p' text)
			fi
		done
		run -0 --separate-stderr "$perfstamp" extract --binary "$build" -f -o all series.* elsewhere
		[ -z "$stderr" ]
		grep -q "^all: $sum samples of build $(id_of "$build"); " <<<"$output"
		grep -q "of 2 machines or boots" <<<"$output"
		run -0 "$perf2bolt" -nl -p all -o all.fdata "$build"
		grep -q "read $sum samples" <<<"$output"
		grep -q "unknown regions: 0 (0.0%)" <<<"$output"
		run ! grep -q "matched a different file name" <<<"$output"
		for version in "${perfs[@]}"; do
			run -0 perf "$version" script -i all -F comm,ip,sym
			[ "$(grep -cE '^ *(server|renamed) .* (main|first|second|shared)$' <<<"$output")" = "$sum" ]
		done
	done
	# All of the processes are apart, whatever their numbers were.
	"$perfstamp" check all | grep -q "100% of $sum samples identified"
}

@test "branch records: perf2bolt, llvm-profgen and create_gcov take them; the pre-aggregated form gives the same" {
	local samples with

	with=$(record_branches)
	((with > 100))
	run -0 "$perfstamp" extract --binary v2 -o v2.data branches
	samples=$(sed -n '1s/^[^:]*: \([0-9]*\) .*/\1/p' <<<"$output")
	run -0 "$perfstamp" extract --binary v2 --bolt -o v2.txt branches
	grep -q "branches: [1-9][0-9]* from or to it" <<<"$output"
	grep -qx "B [0-9a-f]* [0-9a-f]* [1-9][0-9]* 0" v2.txt
	run -0 "$perf2bolt" -p v2.data -o v2.fdata v2
	grep -q "read $samples samples and [1-9][0-9]* LBR entries" <<<"$output"
	grep -q "traces mismatching disassembled function contents: 0" <<<"$output"
	run -0 "$perf2bolt" -pa -p v2.txt -o pa.fdata v2
	diff <(sort v2.fdata) <(sort pa.fdata)
	# Only loops branch, so whatever is in main() or between functions is another build's.
	run ! grep -q main v2.fdata
	run -0 "$perf2bolt" -p branches -o all.fdata v2
	run ! diff <(sort v2.fdata) <(sort all.fdata)
	run -0 "$(llvm-config --bindir)"/llvm-profgen --perfdata=v2.data --binary=v2 --output=v2.prof
	# AutoFDO counts the branches of the build alone, whoever else ran at the path.
	run -0 create_llvm_prof --profile=v2.data --binary=v2 --out=llvm.prof --format=text
	[ "$(functions_of llvm.prof)" = "first shared" ]
	run -0 create_gcov --profile=v2.data --binary=v2 --gcov=v2.gcov --gcov_version=2
	run -0 dump_gcov -gcov_version=2 v2.gcov
	grep -q "^first total:[1-9]" <<<"$output"
	grep -q "^shared total:[1-9]" <<<"$output"
	run ! grep -q "^second\|^main" <<<"$output"
	run -1 "$perfstamp" extract -f --binary v2 --bolt -o branches branches
	[[ $output = *"branches: is the input file, which is never changed" ]]
	# Without branch records there is nothing to be aggregated.
	run -1 "$perfstamp" extract --binary v2 --bolt -o none ours
	grep -q "no branch records" <<<"$output"
	[ ! -e none ]
}

@test "the pre-aggregated form of a library, and of several files" {
	local i

	library() {
		local code="volatile unsigned long s;" calls="" name

		for name in $2; do
			code+="__attribute__((noinline)) void $name(int n) { for (int i = 0; i < n; i++) s += i; }"
			calls+="$name(300000);"
		done
		code+="int work(void) { for (int i = 0; i < 150; i++) { $calls } return 0; }"
		gcc -g -O1 -shared -fPIC -Wl,--build-id,-q,-soname,library.so -x c -o "$1" - <<<"$code"
	}
	library library-1.so "first shared"
	library library-2.so "second shared"
	gcc -x c -o user - -x none library-1.so <<<"int work(void); int main(void) { return work(); }"
	mkdir run
	for i in 1 2; do
		echo "cp library-$i.so run/new && mv run/new run/library.so && LD_LIBRARY_PATH=run ./user"
	done >deploy
	for i in 1 2; do
		record -q -F 1999 -o "plain.$i" -- sh deploy
		# shellcheck disable=SC2046 # several words
		"$tools/branches" "plain.$i" "branches.$i" $(loops library-1.so; loops library-2.so)
		"$perfstamp" extract --binary library-1.so --bolt -o "one.$i" "branches.$i"
	done
	run -0 "$perfstamp" extract --binary library-1.so --bolt -o both branches.1 branches.2
	cat both
	# A library's addresses have the build-id in front of them.
	run ! grep -vE "^[BFf]( $(id_of library-1.so):[0-9a-f]+){2} [1-9][0-9]*( [0-9]+)?$" both
	# The counts of the files are added up.
	run ! diff one.1 both
	awk '{ key = $1 " " $2 " " $3; n[key] += $4; m[key] += $5; of[key] = $1 }
		END { for (key in n) print key, n[key] (of[key] == "B" ? " " m[key] : "") }' one.1 one.2 |
		sort | diff - <(sort both)
	# BOLT finds in it what it finds in the recording of the two.
	"$perfstamp" extract --binary library-1.so -o both.data branches.1 branches.2
	run -0 "$perf2bolt" -p both.data -o data.fdata library-1.so
	grep -q "read [1-9][0-9]* samples and [1-9][0-9]* LBR entries" <<<"$output"
	run -0 "$perf2bolt" -pa -p both -o pa.fdata library-1.so
	grep -q "^1 first " pa.fdata
	grep -q "^1 shared " pa.fdata
	run ! grep -q second pa.fdata
	diff <(sort data.fdata) <(sort pa.fdata)
}

@test "a part by time, by process, and without its call chains" {
	local half pid
	local -i all first second

	all=$("$perfstamp" dump --json chains | grep -c '"type":"SAMPLE"')
	half=$(perf newest script -i chains -G -F time 2>/dev/null | sort -n | sed -n "$((all / 2))p" | tr -d ' :')
	"$perfstamp" extract --time "0,$half" -o before chains >/dev/null
	"$perfstamp" extract --time "$half," -o after chains >/dev/null
	first=$(perf newest script -i before -G -F ip 2>/dev/null | grep -c .)
	second=$(perf newest script -i after -G -F ip 2>/dev/null | grep -c .)
	((first > all / 4 && second > all / 4 && first + second >= all && first + second <= all + 4))
	# The same moment as a date: the recording was made within the last day.
	run -0 "$perfstamp" extract --time "$(date -d '1 day ago' +%FT%T)," -f -o dated chains
	grep -q "^dated: $all samples; 0 others omitted" <<<"$output"
	pid=$(perf newest script -i chains -G -F comm,pid 2>/dev/null | awk '$1 == "server" { print $2; exit }')
	run -0 "$perfstamp" extract -p "$pid" -o one chains
	# What it ran before its exec, if that was sampled, is a process of its own there.
	perf newest script -i one -G -F pid 2>/dev/null | grep -qw "$pid"
	[ "$(perf newest script -i one -G -F pid 2>/dev/null | grep -c .)" = \
		"$(perf newest script -i chains -G -F pid 2>/dev/null | grep -cw "$pid")" ]
	# perf2bolt stops at a call chain.
	extract v2 chains
	run -0 "$perfstamp" extract --binary v2 --no-chains -o plain chains
	run -0 "$perf2bolt" -nl -p plain -o plain.fdata v2
	grep -q "read $n samples" <<<"$output"
	grep -q "unknown regions: 0 (0.0%)" <<<"$output"
	for version in "${perfs[@]}"; do
		[ "$(perf "$version" script -i plain -F ip,sym 2>/dev/null | grep -c .)" = "$n" ]
	done
}

@test "recordings of one event each become one, also if their events differ" {
	local version
	local -i slow fast

	record -q -F 499 -o slow -- ./v1
	record -q -F 1999 -o fast -- ./v2
	# Their records have no ids.
	run -0 "$perfstamp" dump --header slow
	[[ $output == *sample_type=* && $output != *IDENTIFIER* ]]
	slow=$("$perfstamp" dump --json slow | grep -c '"type":"SAMPLE"')
	fast=$("$perfstamp" dump --json fast | grep -c '"type":"SAMPLE"')
	run -0 --separate-stderr "$perfstamp" extract --time 0, -o both slow fast
	[ -z "$stderr" ]
	run -0 "$perfstamp" report both
	grep "^# Samples: " <<<"$output"
	[ "$(sed -n 's/^# Samples: \([0-9]*\) .*/\1/p' <<<"$output")" = "$slow"$'\n'"$fast" ]
	for version in "${perfs[@]}"; do
		[ "$(perf "$version" script -i both -F comm,ip -G 2>/dev/null | awk '{ print $1 }' | sort | uniq -c |
			awk '{ print $1 $2 }' | paste -s)" = "${slow}v1"$'\t'"${fast}v2" ]
	done
}

@test "a part by container" {
	local mount=/sys/fs/cgroup id cgroup
	local -i all part

	[ "$(stat -fc %T "$mount")" = cgroup2fs ] || mount=/sys/fs/cgroup/unified
	[ "$(stat -fc %T "$mount")" = cgroup2fs ] || skip "cgroup2 is not mounted"
	id=$(sha256sum <<<"$BATS_TEST_TMPDIR")
	id=${id%% *}
	cgroup=$mount/docker-$id.scope
	mkdir "$cgroup"
	record -q -F 1999 -o contained -- \
		sh -c "./v1; sh -c 'echo \$\$ >$cgroup/cgroup.procs; exec ./v2'; ./v3" >/dev/null
	rmdir "$cgroup"
	run -0 "$perfstamp" extract --container "${id:0:12}" -o part.data contained
	part=$(perf newest script -i part.data -G -F comm 2>/dev/null | grep -c '^ *v2 *$')
	all=$("$perfstamp" dump --json contained | grep -c '"type":"SAMPLE"')
	((part > 20))
	grep -qx "part.data: $part samples; $((all - part)) others omitted" <<<"$output"
}

@test "a time in seconds may be any that 64 bits have in nanoseconds" {
	run -0 "$perfstamp" extract --time ,1844674410 -o out ours
	run -0 "$perfstamp" extract --time ,18446744069.999999999 -f -o out ours
	run -2 "$perfstamp" extract --time ,18446744074 -f -o out ours
	[[ $output == *"--time"* ]]
}

@test "errors say what is wrong, and leave no file" {
	run -1 "$perfstamp" extract --build-id 0123456789 -o out ours
	grep -q "no mapping has this build-id" <<<"$output"
	[ ! -e out ]
	run -2 "$perfstamp" extract --build-id 012 -o out ours
	run -2 "$perfstamp" extract -o out ours
	run -2 "$perfstamp" extract --bolt --build-id 0123 -o out ours
	run -2 "$perfstamp" extract --time 5 -o out ours
	run -2 "$perfstamp" extract --time 5,4 -o out ours
	run -2 "$perfstamp" extract --pid 1x -o out ours
	run -1 "$perfstamp" extract --pid 1 -o out ours
	grep -q "no sample is in this part" <<<"$output"
	run -1 "$perfstamp" extract --binary ours -o out ours
	grep -q "not an ELF file" <<<"$output"
	# Two builds of one name would be mixed again.
	run -1 "$perfstamp" extract --binary v1 --build-id "$(id_of v2)" -o out ours
	grep -q "the file name of two of these builds" <<<"$output"
	run -2 "$perfstamp" extract --build-id 0123 ours
	touch out
	run -1 "$perfstamp" extract --build-id "$(id_of v1)" -o out ours
	grep -q "exists" <<<"$output"
	[ ! -s out ]
	run -1 "$perfstamp" extract -f --build-id "$(id_of v1)" -o ours ours
	grep -q "is the input file" <<<"$output"
}
