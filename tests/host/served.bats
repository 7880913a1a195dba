#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The store of one host, served by a stock debuginfod to another one that has nothing.

setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	. "$BATS_TEST_DIRNAME/../lib/recording.bash"
	# shellcheck source-path=SCRIPTDIR/../lib source=debuginfod.bash
	. "$BATS_TEST_DIRNAME/../lib/debuginfod.bash"
	mkdir one other
}

teardown() {
	recording__end
}

# Builds server and client; what was written just now is not captured.
build() {
	cp "$tools/swapped-1" server
	cp "$tools/swapped-2" client
	touch -d '1 hour ago' server client
	id=$(readelf -n server | sed -n 's/^ *Build ID: //p')
}

# What the one host does: its home has the store.
on_one() {
	HOME=$PWD/one "$@"
}

# What the other one does, whose home is empty but for what it fetches.
on_other() {
	HOME=$PWD/other DEBUGINFOD_URLS=http://127.0.0.1:$port "$@"
}

# "DSO FUNCTION" for each of FILE, as the other host finds them.
functions() {
	on_other "$perfstamp" report --json -s dso,sym "$@" 2>said |
		jq -r 'select(.type == "row" and (.symbol // "" | startswith("in_build"))) |
			"\(.dso) \(.symbol)"'
}

@test "what one host has captured, and was given, is resolved on another that has nothing" {
	local version
	build
	cat >work <<-END
		./server 200
		./client 200
	END
	on_one record -q -F 1999 --capture=full -o data -- sh work
	rm server
	# One captured, one put there by hand.
	on_one "$perfstamp" cache remove "$(readelf -n client | sed -n 's/^ *Build ID: //p')"
	on_one "$perfstamp" cache add client
	rm client
	debuginfod__start one/.debug executable "$id"
	[ -z "$(functions --no-debuginfod data)" ]
	functions data >found
	cat found said
	diff found - <<<$'client in_build_2\nserver in_build_1' ||
		diff found - <<<$'server in_build_1\nclient in_build_2'
	# Stock perf takes it from its own cache, where one command puts it.
	for version in "${perfs[@]}"; do
		rm -rf stock
		perf "$version" --buildid-dir "$PWD/stock" script -i data -F ip,sym,dso >shown
		grep -q '(.*/server)' shown
		run ! grep in_build shown
		perf "$version" --buildid-dir "$PWD/stock" buildid-cache \
			--add "$(on_other debuginfod-find executable "$id")"
		perf "$version" --buildid-dir "$PWD/stock" script -i data -F ip,sym,dso >shown
		grep -q ' in_build_1 .*server' shown
		run ! grep in_build_2 shown
	done
}

@test "captured symbols are enough, and those of another build are refused" {
	build
	on_one record -q -F 1999 --capture=symbols -o data -- ./server 200
	rm server
	debuginfod__start one/.debug debuginfo "$id"
	[ -z "$(functions --no-debuginfod data)" ]
	[ "$(functions data)" = "server in_build_1" ]
	# What a server sends does not count because it was sent.
	recording__end
	rm -rf other/.cache
	objcopy --dump-section .note.gnu.build-id=note "$(find one/.debug -path "*$id/elf")" kept
	objcopy --update-section .note.gnu.build-id=note client lying
	# The two have one size, and differ behind their first pages.
	echo >>lying
	mkdir wrong
	mv lying wrong/
	debuginfod__start wrong executable "$id"
	functions data >found
	cat found said
	[ ! -s found ]
	grep 'another identity' said
}

# goes_on PORT: of the report, where a server is asked there.
goes_on() {
	local port=$1

	rm -rf other/.cache
	on_other timeout 300 "$perfstamp" report --source data >shown 2>said
	cat said
	grep -F "warning: debuginfod: " said
	grep -F ", from http://127.0.0.1:$port; nothing more was asked for" said
	[ "$(wc -l <said)" -eq 1 ]
	grep '# Without a name' shown
}

@test "a server that is not there, or does not answer, is told of, and the report goes on" {
	build
	cat >work <<-END
		./server 200
		./client 200
	END
	on_one record -q -F 1999 -o data -- sh work
	mkdir served
	cp client served
	rm server client
	# Nobody listens at port 1.
	goes_on 1
	# One that takes connections, and then says nothing.
	debuginfod__start served executable "$(readelf -n served/client | sed -n 's/^ *Build ID: //p')"
	kill -STOP "$pid"
	DEBUGINFOD_TIMEOUT=2 goes_on "$port"
}
