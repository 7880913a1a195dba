# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# A real browser without a screen, driven by WebDriver: clicks and keys are those that a
# person makes. Sourced by tests of pages; chromium and its driver are of Debian.

# browser__start DIR [PREFERENCES]: one that keeps what it keeps in DIR, and has no network.
# PREFERENCES is a JSON object of Chromium's.
browser__start() {
	local dir=$1 preferences=${2:-'{}'} port=''

	mkdir -p "$dir"
	HOME=$dir chromedriver --port=0 >"$dir/driver.log" 2>&1 3>&- &
	browser_pid=$!
	for _ in $(seq 1800); do
		port=$(sed -n 's/.*started successfully on port \([0-9]*\).*/\1/p' "$dir/driver.log")
		[ -z "$port" ] || break
		sleep 0.1
	done
	browser_url=http://127.0.0.1:$port/session
	browser_url+=/$(browser__post "" "$(jq -n --arg dir "$dir/profile" --argjson preferences "$preferences" '
		{capabilities: {alwaysMatch: {
			timeouts: {script: 120000, pageLoad: 120000},
			"goog:chromeOptions": {
				prefs: $preferences,
				args: ["--headless=new", "--no-sandbox", "--disable-gpu",
					"--disable-dev-shm-usage", "--no-first-run",
					"--window-size=1400,1000", "--user-data-dir=" + $dir,
					"--host-resolver-rules=MAP * ~NOTFOUND"]}}}}')" |
		jq -r .sessionId)
	[[ $browser_url != */null ]] || cat "$dir/driver.log"
	export browser_pid browser_url
}

browser__end() {
	[ -n "${browser_pid:-}" ] || return 0
	curl -sS --max-time 60 -X DELETE "$browser_url" >/dev/null || true
	kill "$browser_pid" 2>/dev/null || true
	browser_pid=''
}

# browser__post COMMAND JSON: prints what came of it.
browser__post() {
	curl -sS --max-time 180 -H 'Content-Type: application/json' --data-binary "$2" \
		"$browser_url${1:+/$1}" | jq -c 'if (.value | type) == "object" and .value.error
			then (.value.message | halt_error) else .value end'
}

browser__open() {
	browser__post url "$(jq -n --arg url "file://$1" '{url: $url}')" >/dev/null
}

# js SCRIPT: prints what it returns, as JSON.
js() {
	browser__post execute/sync "$(jq -n --arg script "$1" '{script: $script, args: []}')"
}

# is EXPRESSION: waits until it is true in the page.
is() {
	local end=$((SECONDS + 180))

	while [ $SECONDS -lt $end ]; do
		[ "$(js "return !!($1)")" != true ] || return 0
		sleep 0.1
	done
	echo "never true: $1"
	return 1
}

# keys KEY...: types each where the focus is; a name stands for a key without a character.
keys() {
	local key actions=()

	for key in "$@"; do
		case $key in
		Up) key=$'\ue013' ;;
		Down) key=$'\ue015' ;;
		Left) key=$'\ue012' ;;
		Right) key=$'\ue014' ;;
		Enter) key=$'\ue007' ;;
		Escape) key=$'\ue00c' ;;
		esac
		actions+=("$key")
	done
	browser__post actions "$(printf '%s\n' "${actions[@]}" | jq -Rn '{actions: [{type: "key", id: "keys",
		actions: [inputs | ({type: "keyDown", value: .}, {type: "keyUp", value: .})]}]}')" >/dev/null
}

# click SELECTOR
click() {
	local element
	element=$(browser__post element "$(jq -n --arg css "$1" '{using: "css selector", value: $css}')" |
		jq -r '.[]')
	browser__post "element/$element/click" '{}' >/dev/null
}

# drag X Y TO_X TO_Y: with the left button, in pixels of the window.
drag() {
	browser__post actions "$(jq -n --argjson x "$1" --argjson y "$2" --argjson u "$3" --argjson v "$4" '
		{actions: [{type: "pointer", id: "mouse", parameters: {pointerType: "mouse"}, actions: [
			{type: "pointerMove", x: $x, y: $y}, {type: "pointerDown", button: 0},
			{type: "pointerMove", x: $u, y: $v}, {type: "pointerUp", button: 0}]}]}')" >/dev/null
}

# scheme light|dark: what the page is told that the user prefers.
scheme() {
	browser__post goog/cdp/execute "$(jq -n --arg scheme "$1" '{cmd: "Emulation.setEmulatedMedia",
		params: {features: [{name: "prefers-color-scheme", value: $scheme}]}}')" >/dev/null
}
