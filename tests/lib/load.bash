# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# A load that runs all the time, for tests that record several files of it: threads that were
# there before each file but the first, and processes that come and go. For tests that have
# loaded recording.bash, and have the program `brief' in $memory.
# shellcheck disable=SC2154 # the variables of recording.bash

cat_load() {
	cat <<-'END'
		"$1" -t 2 600000 >/dev/null &
		echo "$$ $!" >load.new
		mv load.new load
		while [ "$SECONDS" -lt 600 ]; do "$2"; done
	END
}

# Begins to record it, into data; the recorder is $pid.
record_load() {
	rm -f load
	start "$perfstamp" record -e cpu-clock -F 1000 "${room[@]}" -o data "$@" -- \
		bash -c "$(cat_load)" load "$tools/worker" "$memory/brief" 2>record.err
	await test -s load
}

end_load() {
	local -a words

	[ -s load ] || return 0
	read -r -a words <load
	kill -KILL "${words[@]}" 2>/dev/null || true
	rm load
}

# The recorder ends its load, and tells so by its status.
stop_load_recording() {
	stop_recording INT
	end_load
	[ "$status" -eq 143 ]
}

# Whether there are at least N complete files.
has_files() {
	[ "$(find . -name 'data.2*' | wc -l)" -ge "$1" ]
}
