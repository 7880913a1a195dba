# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# A stock debuginfod on the loopback interface, for tests that have sourced recording.bash.

# debuginfod__start DIRECTORY KIND BUILD-ID [PATH]: serves what is in DIRECTORY, and in tar
# files there; its port is in $port. Waits until it sends KIND (executable or debuginfo; or
# source, of PATH) of BUILD-ID.
debuginfod__start() {
	local try waits

	for try in 1 2 3; do
		port=$((20000 + (BASHPID * 7 + try * 1117) % 20000))
		start debuginfod -p "$port" -d :memory: -F -Z .tar "$1" >debuginfod.said 2>&1
		# It answers when it has read the directory, and never where the port is another's.
		for ((waits = 0; waits < 120; waits++)); do
			! debuginfod__sends "${@:2}" || return 0
			kill -0 "${pid:?}" 2>/dev/null || break
			sleep 0.5
		done
	done
	cat debuginfod.said
	return 1
}

debuginfod__sends() {
	# A cached failure would be asked for no more.
	rm -rf asker
	mkdir asker
	HOME=$PWD/asker DEBUGINFOD_URLS=http://127.0.0.1:$port \
		debuginfod-find "$@" >/dev/null 2>&1
}
