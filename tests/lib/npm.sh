# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Packages of npm that some tests compare with. Sourced by bash.

# npm__install DIR PACKAGE VERSION [ARG...]: once, below DIR/node_modules; ARGs are more for npm.
npm__install() {
	[ -e "$1/node_modules/$2/package.json" ] ||
		npm install --prefix "$1" --no-audit --no-fund --silent "$2@$3" "${@:4}"
}
