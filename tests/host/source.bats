#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The source lines of report: each of its own file, what was compiled where that can be known,
# and of nothing else.

setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	. "$BATS_TEST_DIRNAME/../lib/recording.bash"
	# shellcheck source-path=SCRIPTDIR/../lib source=debuginfod.bash
	. "$BATS_TEST_DIRNAME/../lib/debuginfod.bash"
	# Nobody listens there, until a server is started.
	port=1
	mkdir home
}

teardown() {
	recording__end
}

# Of another home, with the server's port.
report() {
	HOME=$PWD/home DEBUGINFOD_URLS=http://127.0.0.1:$port timeout 300 "$perfstamp" report "$@"
}

# lack_of [OPTION...]: "ORIGIN LACK" of the program's own source.
lack_of() {
	report --no-debuginfod --json --source data "$@" |
		jq -r 'select(.type == "source" and (.file | endswith("/src/work.c"))) |
			"\(.origin) \(.lack)"'
}

@test "source lines are shown by the whole path of their file, and cannot act on a terminal" {
	mkdir src other
	printf '%s\n' 'static volatile unsigned long sink;' 'void other(void);' 'int main(void)' '{' \
		$'\tfor (unsigned long n = 0; n < 200000000; n++) sink += n; /* \e]0;a\a \u202e */' \
		$'\tother();' '}' >src/work.c
	printf '%s\n' 'static volatile unsigned long sink;' 'void other(void)' '{' '' \
		$'\tfor (unsigned long n = 0; n < 200000000; n++) sink -= n;' '}' >other/work.c
	(cd src && gcc -w -O1 -g -o ../work work.c ../other/work.c)
	record -q -F 1999 -o data -- ./work
	report --no-debuginfod --force --json --source=0 data |
		jq -r 'select(.type == "source" and .dso == "work") |
		.file as $file | .lines[] | select(.line == 5) | "\($file) \(.text)"' | sort >found
	cat -v found
	sort >expected <<-END
		$PWD/src/work.c $(sed -n 5p src/work.c)
		$PWD/src/../other/work.c $(sed -n 5p other/work.c)
	END
	diff found expected
	# Two lines of one name and number are two, each with what is its own.
	report --no-debuginfod --json --source data | jq -s '
		map(select(.type == "source" and .dso == "work") | .samples) as [$one, $two] |
		map(select(.symbol == "main" or .symbol == "other") | .samples) | add == $one + $two' >found
	cat found
	[ "$(cat found)" = true ]
	report --no-debuginfod --force --source data >shown
	cat -v shown
	grep -F 'sink += n; /* ?]0;a? ??? */' shown
	run ! grep -q $'[\e\a\u202e]' shown
	run -2 report --source=101 data
	run -2 report --source=x data
	run -2 report --source --folded data
	# A path without an MD5 can name any file of this host: it is not even opened.
	[ "$(lack_of)" = "null no-proof" ]
	report --no-debuginfod --source data >shown
	run ! grep -q 'sink +=' shown
	grep -F 'no debuginfod was asked; --force shows it' shown
	# By force what is no source is not shown, either, and waits for nobody.
	cp src/work.c kept
	[ "$(lack_of --force)" = "unproven null" ]
	rm src/work.c
	[ "$(lack_of --force)" = "null no-file" ]
	mkfifo src/work.c
	[ "$(lack_of --force)" = "null no-file" ]
	rm src/work.c && mkdir src/work.c
	[ "$(lack_of --force)" = "null no-file" ]
	rmdir src/work.c && ln -s /proc/self/environ src/work.c
	[ "$(lack_of --force)" = "null other-file" ]
	rm src/work.c && head -n 4 kept >src/work.c
	[ "$(lack_of --force)" = "null other-file" ]
	{ cat kept && printf '\0'; } >src/work.c
	[ "$(lack_of --force)" = "null not-text" ]
	cp kept src/work.c && truncate -s 1G src/work.c
	[ "$(lack_of --force)" = "null too-large" ]
}

# samples_of JQ [OPTION...]: what JQ makes of the rows and the sources of a report with these options.
samples_of() {
	report --no-debuginfod --json --source=0 --no-children "${@:2}" data | jq -s "$1"
}

@test "source lines have the samples of the table, and its total" {
	local table='map(select(.type == "row"))' sources='map(select(.type == "source"))' one
	local totals='map(select(.total_period) | .total_period) | unique | length'

	printf '%s\n' 'static volatile unsigned long sink;' \
		'__attribute__((noinline)) void churn(void) {' \
		'	for (unsigned long n = 0; n < 30000000; n++) sink += n; }' 'int main(void) {' \
		'	for (unsigned long n = 0; n < 30000000; n++) sink -= n;' '	churn();' '	return 0; }' >work.c
	gcc -w -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o work work.c
	cp work other
	record -q -g -F 1999 -o data -- sh -c './work; ./other'
	for one in '-c work' '-c work --percentage=relative' '-S churn --percentage=relative' \
		'-d work -U --percentage=relative' '--ignore-callees=^main$ -U' \
		'-x -p ^main$ -d work --percentage=relative'; do
		# shellcheck disable=SC2086 # several words
		[ "$(samples_of "$totals" $one)" -eq 1 ] || { echo "several totals: $one"; return 1; }
		# shellcheck disable=SC2086
		samples_of "($table | map(select(.symbol == \"main\" or .symbol == \"churn\") | .samples) | add) as \$n |
			($sources | map(select(.file | endswith(\"/work.c\")) | .samples) | add) | ., \$n" -s dso,sym $one >counts
		[ "$(sort -u counts | wc -l)" -eq 1 ] || { echo "other samples: $one"; cat counts; return 1; }
		[ "$(head -n 1 counts)" -gt 0 ]
	done
}

# Compiles the program $1, whose time is spent in lines 5 and 6 of $PWD/src/work.c.
compile() {
	mkdir -p src
	cat >src/work.c <<-'END'
		static volatile unsigned long sink;

		__attribute__((noinline)) static void churn(unsigned long n)
		{
			while (n--)
				sink += n; /* as it was compiled */
		}

		int main(void)
		{
			churn(200000000);
			return 0;
		}
	END
	"${@:2}" -O1 -g -Wl,--build-id -o "$1" "$PWD/src/work.c"
	id=$(readelf -n "$1" | sed -n 's/^ *Build ID: //p')
}

# pack PROGRAM: it, and its source as it is now, for a server to send.
pack() {
	mkdir -p served
	tar -cf served/package.tar "$1" -C / "${PWD#/}/src/work.c"
}

# "ORIGIN LACK TEXT" of the line of churn that has the most samples.
source_of() {
	report --json --source "$@" 2>said |
		jq -r 'select(.type == "source" and (.file | endswith("/work.c"))) |
			"\(.origin) \(.lack) \(.lines | max_by(.samples).text)"'
}

@test "source text is what the build was made of, which a debuginfod has, and not what is here" {
	compile work gcc
	record -q -F 1999 -o data -- ./work
	pack work
	debuginfod__start served source "$id" "$PWD/src/work.c"
	sed -i 's/(n--)/(n-- > 1)/; s/as it was compiled/as it is now/' src/work.c
	source_of data >found
	cat found said
	grep -xE 'debuginfod null (while \(n--\)|sink \+= n; /\* as it was compiled \*/)' found
	# Nobody can tell whether what is here is the same, and it is said.
	[ "$(source_of --no-debuginfod data)" = "null no-proof null" ]
	source_of --no-debuginfod --force data >found
	cat found
	grep -xE 'unproven null (while \(n-- > 1\)|sink \+= n; /\* as it is now \*/)' found
	rm src/work.c
	[ "$(source_of --no-debuginfod --force data)" = "null no-file null" ]
	report --source=0 data >shown
	cat shown
	grep -xF "# Source: $PWD/src/work.c" shown
	grep -xF "#   text: from debuginfod, for this build-id" shown
	grep -E '^ +[0-9.]+% +[56]  +(while|sink)' shown
}

@test "source text of another MD5 than the compiler's is not shown, whoever has it" {
	compile work clang -gdwarf-5
	record -q -F 1999 -o data -- ./work
	[[ $(source_of --no-debuginfod data) == "verified null "* ]]
	cp src/work.c kept.c
	sed -i 's/as it was compiled/as it is now/' src/work.c
	[ "$(source_of --no-debuginfod data)" = "null other-file null" ]
	pack work
	debuginfod__start served source "$id" "$PWD/src/work.c"
	[ "$(source_of data)" = "null other-file null" ]
	grep 'sources: debuginfod: it sent a source file that differs from the compiled one' said
	recording__end
	cp kept.c src/work.c
	pack work
	rm -r src home/.cache
	debuginfod__start served source "$id" "$PWD/src/work.c"
	[[ $(source_of data) == "debuginfod null "* ]]
}
