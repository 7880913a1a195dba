#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What axe, from npm, finds wrong in the timeline for people who use a screen reader, a keyboard
# or other colors, in Chromium. Prints each finding; status 1 where one is serious or critical.
# Usage: accessibility.sh DIR
set -euo pipefail
mkdir -p "$1"
dir=$(realpath "$1")
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
cd "$here/../.."
output=$(realpath "${OUTPUT:-.output}")
# shellcheck source-path=SCRIPTDIR source=browser.bash
. "$here/browser.bash"
# shellcheck source-path=SCRIPTDIR source=npm.sh
. "$here/npm.sh"

cd "$dir"
npm__install "$dir" axe-core 4
"$output/tools/week" week.data
"$output/perfstamp" timeline -o page.html week.data
"$output/perfstamp" record -q -e cpu-clock -g -o calls.data -- "$output/tools/worker" -t 2 -c 400 >/dev/null
"$output/perfstamp" timeline --no-debuginfod -o calls.html calls.data
# The page allows no script from elsewhere: axe becomes a part of a copy.
for page in page calls; do
	awk -v axe=node_modules/axe-core/axe.min.js '
		/http-equiv="Content-Security-Policy"/ { next }
		/<\/body>/ {
			print "<script>"
			while ((getline line <axe) > 0) { gsub(/<\/script/, "<\\/script", line); print line }
			print "</script>"
		}
		{ print }' $page.html >$page-with-axe.html
done

browser__start "$dir/browser"
trap browser__end EXIT
find='const done = arguments[arguments.length - 1];
	axe.run().then(found => done({passed: found.passes.length, wrong: found.violations.map(
		one => ({impact: one.impact, id: one.id, at: one.nodes.map(node => node.html.slice(0, 200))}))}))'
status=0

# judge NAME: what is shown now, in both color schemes.
judge() {
	local colors

	for colors in light dark; do
		scheme "$colors"
		browser__post execute/async "$(jq -n --arg script "$find" '{script: $script, args: []}')" >"$1-$colors.json"
		jq -r --arg name "$1, $colors" '"\($name): \(.passed) rules hold, \(.wrong | length) do not",
			(.wrong[] | "  \(.impact) \(.id): \(.at[0])")' "$1-$colors.json"
		jq -e '.passed > 20 and ([.wrong[] | select(.impact == "serious" or .impact == "critical")] == [])' \
			"$1-$colors.json" >/dev/null || status=1
	done
}

browser__open "$dir/page-with-axe.html"
is 'typeof axe == "object"'
judge rows
browser__open "$dir/calls-with-axe.html"
is 'document.querySelector("#flame .box.named")'
judge flame-graph
click '#tab-functions'
is 'document.querySelector("#functions-view td button")'
judge functions
exit "$status"
