#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The timeline's page in a real browser: what it shows of a made week (tests/tools/week.c),
# how it is used by keys and mouse, that nothing of a recording becomes HTML, and its size.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup_file() {
	load ../lib/recording.bash
	load ../lib/browser.bash
	"$tools/week" "$BATS_FILE_TMPDIR/week.data"
	"$perfstamp" timeline -o "$BATS_FILE_TMPDIR/week.html" "$BATS_FILE_TMPDIR/week.data"
	browser__start "$BATS_FILE_TMPDIR/browser"
}

teardown_file() {
	load ../lib/browser.bash
	browser__end
}

setup() {
	load ../lib/recording.bash
	load ../lib/browser.bash
	page=$BATS_FILE_TMPDIR/week.html
}

open_page() {
	browser__open "$page"
	is '!document.getElementById("main").hidden && document.querySelector(".plot rect")'
}

# data FILTER [PAGE]: of the JSON in the page.
data() {
	sed -n 's/^<script type="application\/json" id="data">\(.*\)<\/script>$/\1/p' "${2:-$page}" | jq -r "$1"
}

# The row of this title, in the page; and the same scrolled to, since others are not drawn.
row() {
	printf '[...document.querySelectorAll(".row")].find((r) => r.row.title === "%s")' "$1"
}

see() {
	js "$(row "$1").scrollIntoView()" >/dev/null
}

@test "the data in the page are those of list" {
	"$perfstamp" list --json "$BATS_FILE_TMPDIR/week.data" |
		jq -r 'select(.kernel | not) | "\(.build_id) \(.samples)"' | sort >listed
	data '.paths[] | select(.kernel | not) | .sightings[] | "\(.id) \(.samples)"' | sort >shown
	diff listed shown
	[ "$(wc -l <shown)" -gt 30 ]
	"$perfstamp" list --modules --json "$BATS_FILE_TMPDIR/week.data" | jq -s length >lives
	[ "$(data '.modules | length')" -eq "$(cat lives)" ]
	# Each sample is in a bin.
	# shellcheck disable=SC2016 # $i is jq's
	local sum='([range(1; length; 2) as $i | .[$i]] | add // 0)'
	[ "$(data "[.samples[] | $sum] | add")" -eq "$(data '[.totals[]] | add')" ]
	[ "$(data "all(.paths[].sightings[], .cgroups[]; .samples == (.series | $sum))")" = true ]
}

@test "replacements are marked, and another path's are not" {
	open_page
	see /srv/cache/bin/cache
	is "$(row /srv/cache/bin/cache).querySelectorAll('.mark').length === 4"
	see /srv/api/bin/api
	is "$(row /srv/api/bin/api).querySelector('.bar')"
	is "$(row /srv/api/bin/api).querySelectorAll('.mark').length === 0"
	is "$(row /srv/cache/bin/cache).textContent.includes('4 replacements')"
	is "$(row /usr/lib/x86_64-linux-gnu/libc.so.6).textContent.includes('1 replacement')"
}

@test "a build that comes back has a bar for each life, and each switch is marked" {
	cat >busy.c <<-'END'
		int main(void)
		{
			for (volatile long i = 0; i < 20000000; i++)
				;
			return *VERSION - *VERSION;
		}
	END
	cc -O1 -DVERSION='"one"' -Wl,--build-id=0x0101010101010101 -o v1 busy.c
	cc -O1 -DVERSION='"two"' -Wl,--build-id=0x0202020202020202 -o v2 busy.c
	# shellcheck disable=SC2016 # the inner shell's
	record -q -o turns.data -- sh -c 'for i in 1 2 1 2 1 2 1 2; do cp v$i new && mv new server && ./server; done'
	"$perfstamp" timeline -o turns.html turns.data
	local server='.paths[] | select(.path | endswith("/server"))'
	[ "$(data "$server.replacements" turns.html)" = 7 ]
	[ "$(data "$server.sightings | map(.lives | length) | @json" turns.html)" = '[8,8]' ]
	[ "$(data "$server.sightings | map(.switches | length) | @json" turns.html)" = '[3,4]' ]
	# By turns: no life of one is within one of the other, nor outdated.
	# shellcheck disable=SC2016 # $list is jq's
	[ "$(data "$server.sightings | map(.lives as \$l | range(0; 8; 2) | {b: \$l[.], e: \$l[. + 1]}) |
		sort_by(.b) | . as \$l | all(range(1; 8); \$l[.].b >= \$l[. - 1].e)" turns.html)" = true ]
	browser__open "$PWD/turns.html"
	see "$PWD/server"
	is "$(row "$PWD/server").querySelectorAll('.bar').length === 8"
	is "$(row "$PWD/server").querySelectorAll('.mark').length === 7"
	is "$(row "$PWD/server").textContent.includes('7 replacements')"
	is "$(row "$PWD/server").querySelectorAll('.outdated').length === 0"
	grep -q '<td>4<td>3$' turns.html
	# The root cgroup alone is no container.
	is '(document.querySelector("section[aria-label=Containers]") !== null) ===
		JSON.parse(document.getElementById("data").textContent).cgroups.some((c) => c.label || c.path !== "/")'
}

@test "a replacement opens what it changed, by function" {
	cat >deploy <<-EOF
		cp $tools/release-1 app && ./app 400
		cp $tools/release-2 new && mv new app && ./app 400
	EOF
	record -q -F 2000 -o deployed -- sh deploy >/dev/null
	"$perfstamp" cache add "$tools"/release-{1,2} "$tools/librelease.so" >/dev/null
	"$perfstamp" timeline -o deployed.html deployed
	[ "$(data '.comparisons | length' deployed.html)" = 1 ]
	[ "$(data '.comparisons[0].functions[] | select(.symbol == "slower") | .marked' deployed.html)" = true ]
	browser__open "$PWD/deployed.html"
	see "$PWD/app"
	js "$(row "$PWD/app").focus()"
	is 'document.querySelector("#details .comparison")'
	is 'document.getElementById("details").textContent.includes("What changed from ")'
	is '[...document.querySelectorAll("#details .marked")].some((r) => r.textContent.includes("slower"))'
	is 'document.getElementById("details").textContent.includes("moved from app")'
	"$perfstamp" timeline --comparisons 0 -o without.html deployed
	[ "$(data '.comparisons | length' without.html)" = 0 ]
	run -2 "$perfstamp" timeline --comparisons x deployed
}

# What the page counts for each function with a symbol by itself: NAME COUNT, as report does.
self_of() {
	# shellcheck disable=SC2016 # the variables are jq's
	data '.functions as $f | def outer: if $f.functions[$f.nodes[2 * . + 1]].inlined then $f.nodes[2 * .] | outer else . end;
		[$f.counts[] | {name: $f.functions[$f.nodes[2 * (.[0] | outer) + 1]].name,
			n: ([.[range(3; length; 2)]] | add)}] | group_by(.name)[] |
		"\(.[0].name) \(map(.n) | add)"' "$1" | sort
}

reported() {
	"$perfstamp" report --json --no-children --no-debuginfod --no-inline -g none -s sym "$1" |
		jq -r 'select(.type == "row" and .symbol) | "\(.symbol) \(.samples)"' |
		awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n } END { for (s in sum) print s, sum[s] }' | sort
}

@test "the functions are those of report, also of run-time code" {
	cat >hot.js <<-'END'
		function hotAlpha(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) % 1000003; return s }
		function hotBeta(n) { let s = 1; for (let i = 0; i < n; i++) s = (s * 17 + i) % 999983; return s }
		let x = 0
		for (let i = 0; i < 300; i++) x += hotAlpha(200000) + hotBeta(100000)
		console.log(x)
	END
	record -q -g -F 997 -o node.data -- node --perf-basic-prof hot.js >/dev/null
	"$perfstamp" timeline --no-debuginfod -o node.html node.data
	reported node.data >theirs
	self_of node.html | grep -vE '^(0x[0-9a-f]+|\[no symbols\]|\[not mapped\]) ' >ours
	diff theirs ours
	grep 'hotAlpha' ours
	grep 'hotBeta' ours
	[ "$(data '.functions.samples + 0 == (.totals | add)' node.html)" = true ]
	"$perfstamp" timeline --no-functions -o none.html node.data
	[ "$(data .functions none.html)" = null ]
	browser__open "$PWD/none.html"
	is '!document.getElementById("main").hidden && document.getElementById("tab-flame").hidden'
}

deployed() {
	cat >deploy <<-EOF
		cp $tools/release-1 app && ./app 400
		cp $tools/release-2 new && mv new app && ./app 400
	EOF
	record -q -g -F 2000 --sample-cpu -o deployed -- sh deploy >/dev/null
	"$perfstamp" cache add "$tools"/release-{1,2} "$tools/librelease.so" >/dev/null
	"$perfstamp" timeline -o deployed.html deployed
	browser__open "$PWD/deployed.html"
	is '!document.getElementById("main").hidden && document.querySelector("#flame .box.named")'
}

samples_said='Number(document.getElementById("says").textContent.split(" ")[0].replaceAll(",", ""))'

@test "a flame graph of the time that was brushed, used by mouse and keys" {
	deployed
	local all box x y width
	all=$(data '.totals | add' deployed.html)
	is "$samples_said === $all"
	is '[...document.querySelectorAll("#flame .box")].some((b) => /^slower, /.test(b.getAttribute("aria-label")))'
	# The second release alone has moved() in a library.
	box=$(js 'const b = document.querySelector("#axis svg").getBoundingClientRect(); const r = document.querySelector(".row svg").getBoundingClientRect();
		return [b.left, r.top + 10, b.width].map(Math.round)')
	read -r x y width < <(jq -r '"\(.[0]) \(.[1]) \(.[2])"' <<<"$box")
	drag $((x + 5)) "$y" $((x + width * 3 / 10)) "$y"
	is "$samples_said < $all / 2 && $samples_said > 10"
	is '![...document.querySelectorAll("#flame .box")].some((b) => /librelease/.test(b.getAttribute("aria-label")))'
	keys 0
	is "$samples_said === $all"
	is '[...document.querySelectorAll("#flame .box")].some((b) => /librelease/.test(b.getAttribute("aria-label")))'
	# Down to the callees, and Enter makes one as wide as all.
	keys f
	is 'document.activeElement.getAttribute("aria-label").startsWith("all, 100.00 %")'
	keys Down Down
	is 'document.activeElement.getAttribute("aria-level") === "3"'
	local name
	name=$(js 'return document.activeElement.getAttribute("aria-label")')
	keys Enter
	is "document.activeElement.getAttribute('aria-label') === $name"
	is 'document.activeElement.style.width === "100%" && document.activeElement.style.left === "0%"'
	is '!document.getElementById("heat").hidden && document.querySelector("#heat path").getAttribute("d")'
	keys Up Enter
	is 'document.activeElement.getAttribute("aria-level") === "2"'
	keys Escape
	is 'document.getElementById("heat").hidden'
	click '#tab-functions'
	is '[...document.querySelectorAll("#functions-view tr")].some((r) => r.textContent.includes("slower") && r.textContent.includes("app"))'
	click '#functions-view td button'
	is '!document.getElementById("heat").hidden'
}

inverted='[...document.querySelectorAll("#flame .box")].map((b) => [Number(b.getAttribute("aria-level")), b.getAttribute("aria-label")])'

@test "the flame graph turned over: functions above those that called them" {
	deployed
	local total self
	# What main() called stands in it, and has it below when it is turned over.
	is "$inverted.some(([level, label]) => level > 2 && /^slower, /.test(label))"
	total=$(js "return $samples_said")
	keys c
	is 'document.getElementById("inverted").getAttribute("aria-pressed") === "true"'
	is "$inverted.some(([level, label]) => level === 2 && /^slower, /.test(label))"
	is "$inverted.some(([level, label]) => level === 3 && /^main, /.test(label))"
	# No sample is lost or doubled: the level below all has all of them, but for boxes too narrow.
	self=$(js "return $inverted.filter(([level]) => level === 2).reduce((sum, [, label]) => sum + Number(/, ([0-9,]+) sample/.exec(label)[1].replaceAll(',', '')), 0)")
	[ "$self" -le "$total" ]
	[ "$self" -ge $((total * 9 / 10)) ]
	keys f Down Enter Down
	is 'document.activeElement.getAttribute("aria-level") === "3"'
	is 'document.querySelector("#flame .box[aria-level=\"2\"]").style.width === "100%"'
	# Of the callers the one with the most samples: one that was sampled before its frame was set up
	# has another caller.
	is 'parseFloat(document.activeElement.style.width) > 50'
	is '!document.getElementById("heat").hidden'
	# Boxes stay when the time changes.
	keys + 0
	is 'document.querySelector("#flame .box[aria-level=\"2\"]").style.width === "100%"'
	click '#inverted'
	is 'document.getElementById("inverted").getAttribute("aria-pressed") === "false"'
	is "!($inverted.some(([level, label]) => level === 2 && /^slower, /.test(label)))"
	click '#tab-details'
	is 'document.getElementById("inverted").hidden'
}

@test "a search for a function shows when it had samples, and in which files" {
	deployed
	keys / s l o w e r
	is 'document.getElementById("found").textContent === "1 row, 2 functions"'
	is 'document.querySelectorAll("#flame .box.hit").length > 0 && document.querySelectorAll("#flame .box.miss").length > 0'
	is '/^2 functions: [0-9.]+ %/.test(document.getElementById("heat").textContent)'
	is "$(row "$PWD/app") && $(row Samples) && !($(row "$PWD/librelease.so"))"
	keys Escape
	is 'document.getElementById("heat").hidden && document.querySelectorAll("#flame .box.hit").length === 0'
}

@test "a replacement names both builds, and shows or tells how they are compared" {
	deployed
	local ids
	ids=$(data '.paths[] | select(.path | endswith("/app")).sightings | map(.id) | join(" ")' deployed.html)
	see "$PWD/app"
	is "$(row "$PWD/app").querySelector('g.change title').textContent.includes('${ids:0:12} → ${ids:41:12}')"
	js "$(row "$PWD/app").querySelector('g.change').dispatchEvent(new Event('click'))"
	is 'document.getElementById("found").textContent.startsWith("change 1 of 1, at ")'
	is "document.getElementById('found').textContent.endsWith('${ids:0:12} → ${ids:41:12}')"
	is 'document.getElementById("details").textContent.includes("What changed, by function, is below")'
	is 'document.querySelector("#details .comparison")'
	"$perfstamp" timeline --comparisons 0 -o without.html deployed
	browser__open "$PWD/without.html"
	is 'document.querySelector("g.change")'
	js 'document.querySelector("g.change").dispatchEvent(new Event("click"))'
	is 'document.querySelector("#details .command")'
	local command
	command=$(jq -r . <<<"$(js 'return document.querySelector("#details .command").textContent')")
	[[ $command == "perfstamp diff --before build-id=${ids:0:40} --after build-id=${ids:41:40} deployed" ]]
	read -ra words <<<"${command#perfstamp }"
	run -0 --separate-stderr "$perfstamp" "${words[@]}" --no-pager --no-debuginfod
	[[ $output == *slower* ]]
}

@test "each CPU has a row, all at one scale" {
	open_page
	[ "$(data '[.cpus[].samples] | add' )" -eq "$(data '[.totals[]] | add')" ]
	is 'document.querySelectorAll("section[aria-label=CPUs] .row").length === 4'
	see 'CPU 3'
	is "$(row 'CPU 3').querySelector('.area')"
	is 'new Set([...document.querySelectorAll("section[aria-label=CPUs] .row")].map((r) => r.row.peak)).size === 1'
}

@test "the files of a series become one page" {
	# The recorder begins another file while each of both runs, however long it does.
	cat >long <<-EOF
		switched() {
			n=\$(find . -name 'series.*' | wc -l)
			kill -USR2 \$PPID
			until [ "\$(find . -name 'series.*' | wc -l)" -gt "\$n" ]; do :; done
		}
		cp $tools/release-1 app && ./app 900 & switched && wait
		cp $tools/release-2 new && mv new app && ./app 900 & switched && wait
	EOF
	record -q -g -F 1999 --switch-output -o series -- sh long >/dev/null
	mapfile -t files < <(printf '%s\n' series.* | sort -r)
	[ ${#files[@]} -ge 3 ]
	"$perfstamp" cache add "$tools"/release-{1,2} "$tools/librelease.so" >/dev/null
	"$perfstamp" timeline -o series.html "${files[@]}"
	local file n=0
	for file in "${files[@]}"; do
		n=$((n + $("$perfstamp" report --json --no-debuginfod -s comm "$file" | jq -s 'map(select(.type == "row").samples) | add // 0')))
	done
	[ "$(data '.totals | add' series.html)" -eq "$n" ]
	[ "$(data .functions.samples series.html)" -eq "$n" ]
	# What lives on in the next file is one life; a replacement in another file is one.
	local app='.paths[] | select(.path | endswith("/app"))'
	[ "$(data "$app.replacements" series.html)" = 1 ]
	[ "$(data "$app.sightings | map(.mappings) | @json" series.html)" = '[1,1]' ]
	[ "$(data '.comparisons | length' series.html)" = 1 ]
	[ "$(data '.comparisons[0].functions[] | select(.symbol == "slower") | .marked' series.html)" = true ]
	run -1 --separate-stderr "$perfstamp" timeline -o x.html "${files[0]}" "$BATS_FILE_TMPDIR/week.data"
	[[ $stderr == "perfstamp timeline: "*": of another machine or boot than "* ]]
	run -1 --separate-stderr "$perfstamp" timeline -o x.html "${files[0]}" "${files[0]}"
	[[ $stderr == *": its samples are older than those of the file before"* ]]
	[ ! -e x.html ]
	run -2 --separate-stderr "$perfstamp" timeline -o x.html - "${files[0]}"
}

@test "a million samples: the page stays small and quick" {
	"$tools/week" million.data 0 5900
	"$perfstamp" timeline -o million.html million.data
	[ "$(data '.totals | add > 1000000' million.html)" = true ]
	[ "$(stat -c %s million.html)" -lt 1000000 ]
	browser__open "$PWD/million.html"
	is '!document.getElementById("main").hidden && document.querySelector(".plot rect")'
	local all
	all=$(js 'return document.getElementById("window").textContent')
	keys + + +
	is "document.getElementById('window').textContent !== $all"
}

@test "what runs on after its build was replaced is hatched" {
	open_page
	see /srv/cache/bin/cache
	is "$(row /srv/cache/bin/cache).querySelectorAll('.outdated').length > 0"
	see /srv/api/bin/api
	is "$(row /srv/api/bin/api).querySelectorAll('.outdated').length === 0"
}

@test "modules have life lines: loaded, refused, reloaded" {
	open_page
	see zfs
	is "$(row zfs).querySelectorAll('.mark').length === 2"
	is "$(row zfs).querySelector('.init')"
	see broken
	is "$(row broken).querySelector('.closs')"
	is "$(row test).textContent.includes('34 loads')"
	js "$(row broken).focus()"
	is 'document.getElementById("details").textContent.includes("refused by its init function (error 5)")'
	# Those that stay are behind a button.
	is "!($(row steady_7))"
	click 'section[aria-label="Kernel modules that were there all the time"] button'
	see steady_7
	is "$(row steady_7).querySelector('.bar')"
	click 'section[aria-label="BPF programs and trampolines"] button'
	is "$(row bpf_prog_6deef7357e7b4530_sd_fw_egress)"
}

@test "losses and containers have their rows" {
	open_page
	is "$(row Losses).querySelector('.closs')"
	is "$(row Samples).querySelector('.loss')"
	js "$(row Losses).focus()"
	is 'document.getElementById("details").textContent.includes("ring-full")'
	# By the name that list has for a container.
	is "$(row docker:0123456789ab)"
	see /kubepods.slice/pod-mail
	is "$(row /kubepods.slice/pod-mail).querySelector('.area')"
}

@test "nothing of the recording becomes HTML, and nothing is asked of a network" {
	open_page
	is 'typeof hostile === "undefined"'
	is 'document.querySelectorAll("script").length === 2'
	is 'document.querySelectorAll("img, iframe, link, object, embed, audio, video").length === 0'
	is 'performance.getEntriesByType("resource").length === 0'
	is 'document.getElementById("facts").textContent.includes("</script><script>hostile=1</script><img")'
	is "$(row '<b>bold</b>')"
	is "$(row '/srv/turned \\u202e around')"
	is "$(row '/srv/no utf-8 \\xff\\xfe')"
	is 'document.querySelector("#rows").textContent.includes("new\\nline\\u0009\"")'
	# What is hostile stands in the file only as text: neither as a tag nor as a control character.
	run ! grep -q '<img\|<script>hostile' "$page"
	[ "$(LC_ALL=C tr -d '\n\t\040-\176\200-\377' <"$page" | wc -c)" -eq 0 ]
	run ! grep -qP '\x{202e}' "$page"
	run ! grep -E 'https?://' <(grep -v 'http://www.w3.org/2000/svg' "$page")
}

@test "the keys: rows, zoom, changes, search" {
	open_page
	local all
	all=$(js 'return document.getElementById("window").textContent')
	keys / w e b
	is 'document.activeElement.id === "search" && document.getElementById("search").value === "web"'
	is 'document.querySelectorAll(".row").length === 2 && document.getElementById("found").textContent === "2 rows"'
	keys Enter
	is 'document.activeElement.classList.contains("row")'
	is 'document.activeElement.row.title === "/kubepods.slice/pod-web"'
	keys Down
	is 'document.activeElement.row.title === "/srv/web/bin/web"'
	is 'document.getElementById("details").textContent.includes("replaces what was there")'
	keys + +
	is "document.getElementById('window').textContent !== $all"
	local zoomed
	zoomed=$(js 'return document.getElementById("window").textContent')
	keys Right
	is "document.getElementById('window').textContent !== $zoomed"
	keys 0
	is "document.getElementById('window').textContent === $all"
	keys n
	is 'document.getElementById("found").textContent.startsWith("change 1 of 1, at 3d ")'
	keys Enter
	is "document.getElementById('window').textContent === $all"
	keys Escape
	is 'document.querySelectorAll(".row").length > 20 && document.getElementById("search").value === ""'
	keys n n N
	is 'document.getElementById("found").textContent.startsWith("change 1 of ")'
	is 'document.activeElement.row.changes.length > 0'
	# A build-id finds its row.
	keys /
	local id
	id=$(data '.paths[] | select(.path == "/srv/mail/bin/mail").sightings[2].id')
	mapfile -t letters < <(fold -w1 <<<"$id")
	keys "${letters[@]}"
	is 'document.querySelectorAll(".row").length === 1 && document.querySelector(".row").row.title === "/srv/mail/bin/mail"'
	keys x
	is 'document.getElementById("found").textContent === "nothing found"'
}

@test "the mouse: buttons, dragging, details of what is under it" {
	open_page
	local all box x y width
	all=$(js 'return document.getElementById("window").textContent')
	click '#in'
	is "document.getElementById('window').textContent !== $all"
	click '#all'
	is "document.getElementById('window').textContent === $all"
	see /srv/cache/bin/cache
	box=$(js "const b = $(row /srv/cache/bin/cache).querySelector('svg').getBoundingClientRect(); return [b.left, b.top + 5, b.width].map(Math.round)")
	read -r x y width < <(jq -r '"\(.[0]) \(.[1]) \(.[2])"' <<<"$box")
	drag $((x + width / 4)) "$y" $((x + width / 2)) "$y"
	is 'document.getElementById("details").textContent.includes("/srv/cache/bin/cache")'
	is "document.getElementById('window').textContent !== $all"
	click '#next'
	is 'document.getElementById("found").textContent.startsWith("change 1 of ")'
	is "document.getElementById('window').textContent !== $all"
}

@test "a zoomed page: rows that are elsewhere in time say so, and the time for a report" {
	open_page
	is 'document.getElementById("range").textContent === ""'
	see zfs
	# A thousandth at the very begin, where no module comes or goes.
	keys + + + + + + + + + +
	is '/^report --time [0-9]+[.][0-9]{6},[0-9]+[.][0-9]{6}$/.test(document.getElementById("range").textContent)'
	local range
	range=$(jq -r 'sub("report --time "; "")' <<<"$(js 'return document.getElementById("range").textContent')")
	run -0 --separate-stderr "$perfstamp" report --no-debuginfod --no-pager --time "$range" "$BATS_FILE_TMPDIR/week.data"
	js "$(row /srv/cache/bin/cache).scrollIntoView()" >/dev/null
	is 'document.querySelector(".plot .outside")'
}

@test "details have short build-ids that can be copied whole, and there is a legend" {
	open_page
	js "$(row /srv/cache/bin/cache).focus()"
	is '/^[0-9a-f]{12}$/.test(document.querySelector("#details code").textContent)'
	is '/^Copy [0-9a-f]{40}$/.test(document.querySelector("#details td button").title)'
	local top
	top=$(js 'return document.getElementById("rows").getBoundingClientRect().top')
	click '#legend summary'
	is 'document.querySelectorAll("#legend dt").length === 6 && document.getElementById("legend").open'
	is "document.getElementById('rows').getBoundingClientRect().top === $top"
}

@test "it is dark where the user likes that, and legible on a narrow screen" {
	open_page
	local background='getComputedStyle(document.body).backgroundColor' light
	scheme light
	light=$(js "return $background")
	scheme dark
	is "$background !== $light"
	browser__post window/rect '{"width": 520, "height": 900}' >/dev/null
	is 'document.documentElement.scrollWidth <= document.documentElement.clientWidth'
	browser__post window/rect '{"width": 1400, "height": 1000}' >/dev/null
	scheme light
}

@test "without scripts there are tables" {
	browser__start "$BATS_TEST_TMPDIR/browser" '{"profile.managed_default_content_settings.javascript": 2}'
	browser__open "$page"
	local text
	text=$(curl -sS --max-time 120 "$browser_url/source" | jq -r .value)
	browser__end
	grep -q 'id="main" hidden' <<<"$text"
	grep -q '<td>/srv/cache/bin/cache</td>' <<<"$text"
	grep -q '<td>broken</td>' <<<"$text"
	grep -q '<td>ring-full</td>' <<<"$text"
	grep -q '<td>/kubepods.slice/&lt;/script&gt;' <<<"$text"
}

@test "a page of many long and hostile paths has less than 2 MB, and says what it leaves out" {
	"$tools/week" many.data 3000
	"$perfstamp" timeline -o many.html many.data
	[ "$(stat -c %s many.html)" -lt 2000000 ]
	[ "$(data .left_out.paths many.html)" -gt 1000 ]
	# Not those that were replaced, or sampled.
	[ "$(data '[.paths[] | select(.replacements > 0)] | length' many.html)" -eq 8 ]
	page=$PWD/many.html
	open_page
	is 'document.querySelector("section[aria-label=Files] h2").textContent.includes("more are left out of this page")'
	is 'document.querySelectorAll("section[aria-label=Files] .row").length === 60'
}

@test "any recording: from standard input, perf's, empty, damaged" {
	record -q -o data -- "$tools/worker" -t 1 -c 200 >/dev/null
	"$perfstamp" timeline data
	[ "$(data '.totals.user + .totals.kernel > 0' timeline.html)" = true ]
	[ "$(data '.paths | map(.path) | any(endswith("/worker"))' timeline.html)" = true ]
	"$perfstamp" timeline -o - - <data >piped.html
	diff <(data .paths piped.html) <(data .paths timeline.html)
	record -q -o nothing -- true
	"$perfstamp" timeline -o nothing.html nothing
	[ "$(data 'has("paths")' nothing.html)" = true ]
	perf newest record -q -e cpu-clock -o theirs -- "$tools/worker" -t 1 -c 200 >/dev/null
	"$perfstamp" timeline -o theirs.html theirs
	[ "$(data '.paths | map(.path) | any(endswith("/worker"))' theirs.html)" = true ]
	# What could be read is shown, and the fault.
	head -c 300001 "$BATS_FILE_TMPDIR/week.data" >cut.data
	run -1 --separate-stderr "$perfstamp" timeline -o cut.html cut.data
	[[ $stderr == "perfstamp timeline: cut.data: "* ]]
	[ "$(data '.problem | length > 0' cut.html)" = true ]
	run -1 --separate-stderr "$perfstamp" timeline -o /nowhere/page data
	[ "$stderr" = "perfstamp timeline: /nowhere/page: cannot create: No such file or directory" ]
	run -1 --separate-stderr "$perfstamp" timeline -o /dev/full data
	[ "$stderr" = "perfstamp timeline: /dev/full: No space left on device" ]
	# A link remains one, and the file that it leads to is complete, or unchanged.
	echo old >real.html
	ln -s real.html link.html
	run -153 bash -c "ulimit -f 1; exec '$perfstamp' timeline -o link.html data"
	[ "$(cat real.html)" = old ]
	[ -z "$(compgen -G '*.html.*')" ]
	"$perfstamp" timeline -o link.html data
	[ -L link.html ]
	[ "$(data '.totals.user + .totals.kernel > 0' real.html)" = true ]
	ln -s none.html nowhere.html
	run -1 --separate-stderr "$perfstamp" timeline -o nowhere.html data
	[ "$stderr" = "perfstamp timeline: nowhere.html: No such file or directory" ]
	[ ! -e none.html ]
	run -1 "$perfstamp" timeline none
	run -1 --separate-stderr "$perfstamp" timeline -o "$PWD/data" data
	[ "$stderr" = "perfstamp timeline: $PWD/data: is the input file, which is never changed" ]
	is_valid data
}
