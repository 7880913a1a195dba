# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What tests/host/replaced.bats and tests/guest/replaced.bats both expect of the lines
# that replaced.sh prints, which are in the file $1 names.

# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh

# Sets line to what is said of $2; shows all if it fails.
replaced__line() {
	cat "$1"
	line=$(sed -n "s/^$2: //p" "$1")
	[ -n "$line" ]
}

# list shows the two builds of scenario $2 at their one path, in the order of time.
replaced__listed() {
	replaced__line "$1" "list $2"
	[ "$(identity__count entries "$line")" = 2 ]
	[ "$(identity__count first "$line")" = true ]
	[ "$(identity__count second "$line")" = true ]
	[ "$(identity__count ordered "$line")" = true ]
	[ "$(identity__count processes "$line")" = 1,1 ]
}

# The first build's span ends before the second's begins.
replaced__apart() {
	replaced__listed "$1" "$2"
	[ "$(identity__count apart "$line")" = true ]
}

# Each stock perf gives every sample the symbol of its own build; there are some of both.
replaced__symbols() {
	local version scenario build

	for version in 6.1 6.12 newest; do
		for scenario in rename rewrite place overlap overlay; do
			replaced__line "$1" "perf $version $scenario"
			for build in 1 2; do
				[ "$(identity__count right$build "$line")" -ge 5 ]
				[ "$(identity__count wrong$build "$line")" = 0 ]
				[ "$(identity__count unknown$build "$line")" = 0 ]
			done
		done
	done
}

replaced__cookies() {
	replaced__line "$1" "list cookie"
	[ "$(identity__count entries "$line")" = 2 ]
	[ "$(identity__count cookies "$line")" = 2 ]
	[ "$(identity__count apart "$line")" = true ]
}
