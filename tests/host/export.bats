#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Exports, read by others: pprof's own tool, and a reader of the wire format that shares nothing
# with the program (tests/lib/wire.js). Their samples are those of stock perf, with two builds
# of one path apart. `make importers' has speedscope's own importer, which npm brings.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

# Two builds at one path, one after the other, each in a process of its own.
setup_file() {
	load ../lib/recording.bash
	cd "$BATS_FILE_TMPDIR" || exit
	cat >deploy <<-END
		cp "$tools/swapped-1" server && ./server 300
		cp "$tools/swapped-2" next && mv next server && ./server 300
	END
	record -q -g -F 999 -o two.data -- bash deploy
	"$perfstamp" cache add "$tools/swapped-1" "$tools/swapped-2" >/dev/null
	perf newest script -i two.data --ns -F pid,tid,time,ip,sym -G >script.out 2>script.err
}

setup() {
	load ../lib/recording.bash
	two=$BATS_FILE_TMPDIR/two.data
	id_1=$(build_id_of "$tools/swapped-1")
	id_2=$(build_id_of "$tools/swapped-2")
}

build_id_of() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

# export_two FORMAT OPTION...: of the two builds, into the file out.
export_two() {
	"$perfstamp" export "$two" --no-debuginfod -o out "$@"
}

wire() {
	node "$root/tests/lib/wire.js" "$1" <"${2:-out}" >wire.json
}

@test "pprof's functions and shares are those of perf report" {
	export_two --pprof --symbols
	# By process: else perf adds up what two builds have at one address.
	perf newest report -i "$two" --stdio --no-children -g none -n --sort pid,sym 2>/dev/null |
		awk '/^ +[0-9.]+%/ && $4 == "[.]" { n[$5] += $2 } END { for (name in n) print name, n[name] }' |
		awk '$2 >= 5' | sort >expected
	go tool pprof -symbolize=none -sample_index=samples -unit=count -nodefraction=0 -nodecount=100000 \
		-top out 2>pprof.err | awk '/flat%/ { rows = 1; next } rows { print $6, $1 }' | sort >shown
	cat expected shown
	[ "$(wc -l <expected)" -ge 2 ]
	run -0 comm -23 expected shown
	[ -z "$output" ]
	# Each build by itself has only the function that it spends its time in.
	for n in 1 2; do
		id=id_$n
		go tool pprof -symbolize=none -sample_index=samples -tagfocus "build_id=${!id}" -top out \
			2>pprof.err | grep in_build_ >top
		[ "$(wc -l <top)" -eq 1 ]
		grep "in_build_$n" top
	done
}

@test "pprof has a mapping for each build, with build-id, file offset and labels" {
	export_two --pprof
	wire pprof
	jq -r '.mappings[] | select(.file | endswith("/server")) | .buildId' wire.json | sort >shown
	printf '%s\n' "$id_1" "$id_2" | sort | diff - shown
	# pprof takes the first for the program.
	jq -e '.mappings[0].file | endswith("/server")' wire.json
	jq -e '.types == ["samples/count", "cpu/nanoseconds"] and .periodType == "cpu/nanoseconds"' wire.json
	n=$(grep -cE '^ *[0-9]+/[0-9]+' "$BATS_FILE_TMPDIR/script.out")
	[ "$(jq '[.samples[].values[0] | tonumber] | add' wire.json)" -eq "$n" ]
	jq -e 'all(.samples[]; (.values[1] | tonumber) == (.values[0] | tonumber) * 1001001)' wire.json
	# By address: the function in the file is the one that perf names. The two builds have each
	# other's at the same place, so that one taken for the other would show.
	for n in 1 2; do
		id=id_$n
		jq -r --arg id "${!id}" '.samples[].frames[0] | select(.mapping.buildId == $id) | .address' \
			wire.json | sort -u | while read -r address; do
			addr2line -f -e "$tools/swapped-$n" "$(printf '%x' "$address")" | head -n 1
		done | sort -u >names
		cat names
		grep -x "in_build_$n" names
		run ! grep -x "in_build_$((3 - n))" names
	done
	jq -e 'all(.samples[]; .labels.pid > 0 and .labels.tid > 0 and (.labels.comm | length > 0))' wire.json
	jq -e 'all(.samples[].frames[]; .lines == [] or (.mapping.file | startswith("/") | not))' wire.json
}

# Whether the samples in wire.json are those of perf script, one by one.
are_those_of_perf() {
	# The recording's clock is not the time of day: times count from the first sample.
	jq -r '[.resources[].scopes[].profiles[].samples[] | .attributes as $a | .frames[0] as $f | .times[] |
			{time: ., pid: $a["process.pid"], tid: $a["thread.id"],
			name: ($f.lines[-1].name // "")}] | sort_by(.time, .tid) | .[] |
			"\(.time) \(.pid) \(.tid) \(.name)"' wire.json |
		awk '{ if (NR == 1) first = substr($1, 8); printf "%d %s %s %s\n", substr($1, 8) - first, $2, $3, $4 }' \
			>shown
	sed -nE 's|^ *([0-9]+)/([0-9]+) +([0-9]+)\.([0-9]+): +[0-9a-f]+ (.*)|\3\4 \1 \2 \5|p' \
		"$BATS_FILE_TMPDIR/script.out" | sort -n -k1,1 -k3,3 |
		awk '{ if (NR == 1) first = $1; printf "%d %s %s %s\n", $1 - first, $2, $3, $4 }' >expected
	[ "$(wc -l <expected)" -gt 300 ]
	awk '{ print $1, $2, $3 }' expected >expected.times
	awk '{ print $1, $2, $3 }' shown | diff expected.times -
	grep in_build expected >expected.names
	grep in_build shown | diff expected.names -
}

@test "OpenTelemetry's samples are those of perf script, one by one" {
	export_two --otlp --symbols
	wire otlp
	are_those_of_perf
}

@test "OpenTelemetry's older form has the same samples, each profile with tables of its own" {
	export_two --otlp=1.5 --symbols
	wire otlp15
	are_those_of_perf
	jq -e 'all(.resources[].scopes[].profiles[]; .type == "samples/count" and
		all(.samples[]; .values == [.times | length | tostring]))' wire.json
	# All else, too, is as in the form with a dictionary.
	jq -S '.resources | del(.[].scopes[].profiles[].samples[].values)' wire.json >shown
	jq -S '.mappings | sort_by(.file, .buildId, .start)' wire.json >>shown
	export_two --otlp=1.11 --symbols
	wire otlp
	jq -S '.resources | del(.[].scopes[].profiles[].samples[].values)' wire.json >expected
	jq -S '.mappings | sort_by(.file, .buildId, .start)' wire.json >>expected
	diff expected shown
	run -2 "$perfstamp" export "$two" --otlp=1.6 -o none
	[[ $output = *"--otlp must be 1.11 or 1.5: \`1.6'"* ]]
}

@test "OpenTelemetry's mappings have the ids of their files" {
	export_two --otlp
	wire otlp
	for n in 1 2; do
		file=$tools/swapped-$n
		size=$(stat -c %s "$file")
		hash=$({ head -c 4096 "$file"; tail -c 4096 "$file"; printf '%016x' "$size" |
			sed 's/../\\x&/g' | xargs -0 printf; } | sha256sum | cut -c1-32)
		id=id_$n
		jq -e --arg id "${!id}" --arg hash "$hash" \
			'any(.mappings[]; .buildId == $id and .htlhash == $hash)' wire.json
	done
	jq -e 'all(.resources[].scopes[].profiles[]; .type == "samples/count" and .periodType == "cpu/nanoseconds" and
		(.id | length) == 32 and .period == "1001001")' wire.json
	jq -e '.resources[0].attributes | has("service.name") and ."os.type" == "linux"' wire.json
	# The same again: a receiver may know it by its id.
	jq -r '.resources[].scopes[].profiles[].id' wire.json >ids
	export_two --otlp
	wire otlp
	jq -r '.resources[].scopes[].profiles[].id' wire.json | diff ids -
}

@test "inlined functions have the lines of their calls" {
	cat >inlined.c <<-'END'
		static volatile unsigned long sink;
		static inline __attribute__((always_inline)) void inner(unsigned long n)
		{
			for (unsigned long i = 0; i < n; i++)
				sink += i;
		}
		static inline __attribute__((always_inline)) void middle(unsigned long n)
		{
			inner(n);
		}
		int main(void)
		{
			middle(300000000);
			return 0;
		}
	END
	gcc -O1 -g -Wl,--build-id -o inlined inlined.c
	record -q -F 999 -o data -- ./inlined
	"$perfstamp" export data --no-debuginfod --pprof --symbols -o out >/dev/null
	wire pprof
	jq -c '.samples[].frames[0].lines | select(length == 3) |
		[.[] | .name, (.file | sub(".*/"; "")), .line]' wire.json | sort | uniq -c | sort -n | tail -n 1 >most
	cat most
	grep -E '\["inner","inlined.c","[45]","middle","inlined.c","9","main","inlined.c","13"\]' most
	"$perfstamp" export data --no-debuginfod --pprof --symbols --no-inline -o out >/dev/null
	wire pprof
	jq -e 'all(.samples[].frames[]; .lines | length <= 1)' wire.json
}

# Columns have the table's length, and what refers to a table is in it.
# shellcheck disable=SC2016 # the variables are jq's
firefox='
	def columns: . as $t | all(to_entries[]; (.value | type) != "array" or (.value | length) == $t.length);
	def below($n): all(.[]; . == null or . == -1 or (. >= 0 and . < $n));
	.shared as $s | ($s.stringArray | length) as $strings |
	.meta.preprocessedProfileVersion == 60 and
	all($s.stackTable, $s.frameTable, $s.funcTable, $s.resourceTable, $s.nativeSymbols, $s.sources; columns) and
	($s.stackTable | (.frame | below($s.frameTable.length)) and
		([.prefix, [range(.length)]] | transpose | all(.[0] == null or .[0] < .[1]))) and
	($s.frameTable | (.func | below($s.funcTable.length)) and
		(.category | below(4))) and
	($s.funcTable | (.name | below($strings)) and (.resource | below($s.resourceTable.length)) and
		(.source | below($s.sources.length))) and
	($s.sources.filename | below($strings)) and
	($s.resourceTable.name | below($strings)) and
	(.libs | length) as $libs | ($s.resourceTable.lib | below($libs)) and
	(.meta.markerSchema | map(.name)) as $schemas |
	all(.threads[]; (.samples | columns) and (.markers | columns) and
		(.samples.stack | below($s.stackTable.length)) and (.samples.time == (.samples.time | sort)) and
		(.markers.name | below($strings)) and
		all(.markers.data[]; .type as $type | any($schemas[]; . == $type)))'

@test "the Firefox Profiler's tables agree with one another, and its samples with perf's" {
	export_two --firefox
	zcat out >profile.json
	jq -e "$firefox" profile.json
	n=$(grep -cE '^ *[0-9]+/[0-9]+' "$BATS_FILE_TMPDIR/script.out")
	[ "$(jq '[.threads[].samples.length] | add' profile.json)" -eq "$n" ]
	jq -r '.shared as $s | .libs as $libs | .threads[].samples.stack[] | $s.stackTable.frame[.] |
		$s.frameTable.func[.] | "\($s.stringArray[$s.funcTable.name[.]]) \(
			$s.funcTable.resource[.] as $r | if $r >= 0 then $libs[$s.resourceTable.lib[$r]].codeId else "" end)"' \
		profile.json | grep in_build | sort | uniq -c | sort -n >shown
	cat shown
	[ "$(wc -l <shown)" -eq 2 ]
	grep "in_build_1 $id_1" shown
	grep "in_build_2 $id_2" shown
	# The replacement is a marker, and no other file was replaced.
	jq -r '.threads[].markers.data[] | select(.type == "Replaced") | "\(.path | sub(".*/"; "")) \(.build_id)"' \
		profile.json | grep -x "server $id_2"
	export_two --firefox --no-symbols
	zcat out >profile.json
	jq -e "$firefox" profile.json
	jq -e '.meta.symbolicated == false and all(.shared.frameTable.line[]; . == null)' profile.json
}

@test "speedscope's frames and weights are those of perf's samples" {
	export_two --speedscope
	jq -e '.["$schema"] == "https://www.speedscope.app/file-format-schema.json" and
		(.shared.frames | length) as $n | all(.shared.frames[]; .name | type == "string") and
		all(.profiles[]; .type == "sampled" and .unit == "nanoseconds" and
			(.samples | length) == (.weights | length) and .endValue == (.weights | add) and
			all(.samples[][]; . >= 0 and . < $n))' out
	n=$(grep -cE '^ *[0-9]+/[0-9]+' "$BATS_FILE_TMPDIR/script.out")
	[ "$(jq '[.profiles[].samples | length] | add' out)" -eq "$n" ]
	jq -r '.shared.frames as $f | .profiles[].samples[] | $f[.[-1]] | "\(.name) \(.file)"' out | grep in_build |
		sort -u >shown
	[ "$(wc -l <shown)" -eq 2 ]
	grep -F "in_build_1 " shown | grep -F "/server (${id_1:0:12})"
	grep -F "in_build_2 " shown | grep -F "/server (${id_2:0:12})"
}

@test "samples are chosen by process, name, build and time" {
	n() { jq '[.samples[].values[0] | tonumber] | add' wire.json; }
	export_two --pprof --build-id "${id_1:0:8}"
	wire pprof
	jq -e --arg id "$id_1" 'all(.samples[]; .labels.build_id == $id)' wire.json
	pid=$(jq -r '.samples[0].labels.pid' wire.json)
	of_build=$(n)
	export_two --pprof -p "$pid"
	wire pprof
	jq -e --argjson pid "$pid" 'all(.samples[]; .labels.pid == $pid)' wire.json
	[ "$(n)" -ge "$of_build" ]
	export_two --pprof -c server
	wire pprof
	jq -e 'all(.samples[]; .labels.comm == "server")' wire.json
	whole=$(n)
	# Two halves in time are the whole.
	middle=$(sed -nE 's|^ *[0-9]+/[0-9]+ +([0-9.]+):.*|\1|p' "$BATS_FILE_TMPDIR/script.out" | sed -n 250p)
	export_two --pprof -c server --time ",$middle"
	wire pprof
	first=$(n)
	export_two --pprof -c server --time "$(awk -v t="$middle" 'BEGIN { printf "%.9f", t + 0.000000001 }'),"
	wire pprof
	[ $((first + $(n))) -eq "$whole" ]
	[ "$first" -gt 0 ]
	run -1 "$perfstamp" export "$two" --pprof -c nobody -o none
	[[ $output = *"no samples match the selection"* ]]
	[ ! -e none ]
	run -1 "$perfstamp" export "$two" --pprof --container nobody -o none
	[[ $output = *"no samples match the selection"* ]]
}

@test "containers, hostile names, modules and losses of a made week" {
	"$tools/week" week.data
	export=("$perfstamp" export week.data --no-debuginfod)
	"${export[@]}" --pprof -o out 2>said
	grep -F 'records were lost' said
	grep -F 'are file offsets' said
	wire pprof
	"$perfstamp" list --json week.data | jq -s '[.[].samples] | add' >listed
	[ "$(jq '[.samples[].values[0] | tonumber] | add' wire.json)" -ge "$(cat listed)" ]
	jq -r '.samples[].labels.container // empty' wire.json | sort -u >containers
	[ -s containers ]
	one=$(head -n 1 containers)
	"${export[@]}" --otlp --container "$one" -o out 2>/dev/null
	wire otlp
	jq -e '.resources | length == 1 and (.[0].attributes | has("container.id"))' wire.json
	"${export[@]}" --firefox -o out 2>/dev/null
	zcat out >profile.json
	jq -e "$firefox" profile.json
	for type in Replaced 'Module loaded' 'Module unloaded' Lost; do
		jq -e --arg type "$type" 'any(.threads[].markers.data[]; .type == $type)' profile.json
	done
	"${export[@]}" --speedscope -o out 2>/dev/null
	jq -e '[.profiles[].samples | length] | add == 10290' out
}

@test "a unit with a backslash in its name is written as list writes it, by all formats that have units" {
	local mount=/sys/fs/cgroup unit escaped

	[ "$(stat -fc %T "$mount")" = cgroup2fs ] || mount=/sys/fs/cgroup/unified
	[ "$(stat -fc %T "$mount")" = cgroup2fs ] || skip "cgroup2 is not mounted"
	unit=app-$(sha256sum <<<"$BATS_TEST_TMPDIR" | head -c 12)'\x2dterminal.scope'
	escaped=${unit/\\/\\\\}
	mkdir "$mount/$unit"
	# shellcheck disable=SC2016 # for that shell
	record -q -o data -- sh -c 'echo $$ >"$1/cgroup.procs"; exec "$2" 100' sh "$mount/$unit" \
		"$tools/swapped-1" >/dev/null
	rmdir "$mount/$unit"
	"$perfstamp" export data --no-debuginfod --pprof -o out >/dev/null
	wire pprof
	jq -e --arg unit "$escaped" 'any(.samples[]; .labels.unit == $unit)' wire.json
	"$perfstamp" export data --no-debuginfod --otlp -o out >/dev/null
	wire otlp
	jq -e --arg unit "$escaped" 'any(.resources[].attributes; ."systemd.unit" == $unit and ."service.name" == $unit)' \
		wire.json
}

@test "several events: pprof and OpenTelemetry have both, Firefox asks which" {
	"$perfstamp" record -q "${room[@]}" -e cpu-clock -e page-faults -c 1 -o data -- "$tools/swapped-1" 100
	"$perfstamp" export data --no-debuginfod --pprof -o out >/dev/null
	wire pprof
	jq -e '.types | sort == ["cpu-clock/nanoseconds", "cpu-clock_samples/count", "page-faults/count",
		"page-faults_samples/count"]' wire.json
	"$perfstamp" export data --no-debuginfod --otlp -o out >/dev/null
	wire otlp
	jq -e '[.resources[].scopes[].profiles[].type] | sort == ["page-faults/count", "samples/count"]' wire.json
	# There, a sample has a value for each event that counts more than itself; here it is one of its own.
	jq '[.resources[].scopes[].profiles[] | select(.type == "page-faults/count").samples[] | [.times, .values] | transpose[]]' \
		wire.json >expected
	"$perfstamp" export data --no-debuginfod --otlp=1.5 -o out >/dev/null
	wire otlp15
	jq -e '[.resources[].scopes[].profiles[].type] | sort == ["page-faults/count", "samples/count"]' wire.json
	jq '[.resources[].scopes[].profiles[] | select(.type == "page-faults/count").samples[] | [.times[0], .values[0]]]' \
		wire.json >shown
	jq -e 'length > 10' expected
	diff expected shown
	run -1 "$perfstamp" export data --no-debuginfod --firefox -o out
	[[ $output = *"choose with --event"* ]]
	"$perfstamp" export data --no-debuginfod --firefox -e cpu-clock -o out >/dev/null
	"$perfstamp" export data --no-debuginfod --pprof -e page-faults -o out >/dev/null
	wire pprof
	jq -e '.types == ["samples/count", "page-faults/count"]' wire.json
}

@test "recordings of perf, pipes, damaged files" {
	perf newest record -q -e cpu-clock -F 999 -o perf.data --buildid-mmap -- "$tools/swapped-1" 100 2>/dev/null
	"$perfstamp" export perf.data --no-debuginfod --pprof -o out 2>/dev/null
	wire pprof
	jq -e --arg id "$id_1" 'any(.mappings[]; .buildId == $id)' wire.json
	"$perfstamp" export - --no-debuginfod --otlp -o - <"$two" >out
	wire otlp
	"$perfstamp" export --no-debuginfod --pprof -o - < <(cat "$two") >out
	wire pprof
	size=$(stat -c %s "$two")
	head -c $((size / 2)) "$two" >cut.data
	run "$perfstamp" export cut.data --no-debuginfod --pprof -o out
	wire pprof
	[ "$(jq '.samples | length' wire.json)" -gt 0 ]
	# Inside a record, its status tells a part from a failure.
	head -c 2200 "$root/tests/golden/recording.data" >cut.data
	run -3 "$perfstamp" export cut.data --no-debuginfod --pprof -o out
	[[ $output = *'cut.data: offset 2104: the data end inside a record'* ]]
	wire pprof
	[ "$(jq '.samples | length' wire.json)" -gt 0 ]
}

@test "what cannot be written is refused, and nothing is left behind" {
	cp "$two" two.data
	sum=$(sha256sum <two.data)
	run -1 "$perfstamp" export two.data --pprof -o two.data
	[[ $output = *"the recording itself"* ]]
	[ "$(sha256sum <two.data)" = "$sum" ]
	# A device and a pipe stay what they are.
	mknod null c 1 3
	"$perfstamp" export two.data --no-debuginfod --pprof -o null
	[ -c null ]
	run -1 "$perfstamp" export two.data --pprof -o missing/out
	[[ $output = *missing/out* ]]
	for form in pprof otlp firefox speedscope; do
		run -1 "$perfstamp" export two.data "--$form" -o /dev/full
		[ "${lines[-1]}" = "perfstamp export: /dev/full: No space left on device" ]
	done
	run -1 bash -c "'$perfstamp' export two.data --pprof -o - >/dev/full"
	[[ $output = *"No space left"* ]]
	run -2 "$perfstamp" export two.data
	[[ $output = *"is required"* ]]
	run -2 "$perfstamp" export two.data --pprof --otlp
	run -2 "$perfstamp" export two.data --pprof -p 1,x
	run -2 "$perfstamp" export two.data --pprof --build-id xyz
	[ "$(find . -type f | sort | xargs)" = ./two.data ]
}
