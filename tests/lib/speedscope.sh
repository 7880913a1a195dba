#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Has speedscope's own importer, in a browser, read what export writes of two builds at one path,
# and compares what it shows with report. npm brings speedscope, once. Leaves a screenshot.
# Usage: tests/lib/speedscope.sh DIR
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd -P)
version=1.25.0
mkdir -p "$1"
dir=$(cd "$1" && pwd -P)
output=$(realpath "$root/${OUTPUT:-.output}")
perfstamp=$output/perfstamp
# shellcheck source-path=SCRIPTDIR source=browser.bash
. "$root/tests/lib/browser.bash"
# shellcheck source-path=SCRIPTDIR source=npm.sh
. "$root/tests/lib/npm.sh"

npm__install "$dir" speedscope "$version"
cd "$dir"
cat >deploy <<-END
	cp "$output/tools/swapped-1" server && ./server 300
	cp "$output/tools/swapped-2" next && mv next server && ./server 300
END
"$perfstamp" record -q -g -F 999 -e cpu-clock -o two.data -- bash deploy
HOME=$dir "$perfstamp" cache add "$output"/tools/swapped-[12] >/dev/null
HOME=$dir "$perfstamp" export two.data --no-debuginfod --speedscope -o two.speedscope.json
HOME=$dir "$perfstamp" report two.data --no-debuginfod --no-children -s sym --json |
	jq -r 'select(.symbol != null and (.symbol | startswith("in_build_"))) | "\(.symbol) \(.samples)"' |
	sort >expected

# As speedscope's command does it.
{
	printf 'speedscope.loadFileFromBase64("two.speedscope.json", "'
	base64 -w0 two.speedscope.json
	printf '")'
} >load.js
trap browser__end EXIT
browser__start "$dir/browser"
browser__post url "$(jq -n \
	--arg url "file://$dir/node_modules/speedscope/dist/release/index.html#localProfilePath=$dir/load.js" \
	'{url: $url}')" >/dev/null
is 'document.title.includes("two.data")'
is 'document.body.innerText.includes("server (")'
js '[...document.querySelectorAll("div")].find((d) => d.textContent === "🥪Sandwich").click()' >/dev/null
is 'document.body.innerText.includes("in_build_")'
curl -sS "$browser_url/screenshot" | jq -r .value | base64 -d >speedscope.png
js 'return document.body.innerText' | jq -r . >shown
cat expected
grep in_build_ shown
# The profile with most samples is shown, which has one of the two.
[ "$(grep -c in_build_ shown)" -eq 1 ]
echo "speedscope $version read it; its screen is in $dir/speedscope.png"
