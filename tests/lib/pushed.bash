# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Files to push: variants of the golden recording, named as record --switch-output names files.
# Sourced after recording.bash.
# shellcheck disable=SC2154 # root, of recording.bash

# make_files FROM TO: in the directory files, of a host each; TO is not one of them.
make_files() {
	local i file

	mkdir -p files
	for ((i = $1; i < $2; i++)); do
		file=files/perf.data.$(printf '20261125%08d' "$i")
		[ ! -e "$file" ] || continue
		sed "s/golden/$(printf 'gold%02d' "$i")/g" "$root/tests/golden/recording.data" >files/new
		# At once, as the recorder does.
		mv files/new "$file"
	done
}
