#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Has an OpenTelemetry Collector of Debian's (scripts/collector) receive what push sends of two
# builds at one path, while it is killed and is away, and compares what it has received with the
# samples of stock perf, one by one.
# Usage: tests/lib/collector.sh DIR
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd -P)
mkdir -p "$1/collector"
dir=$(cd "$1/collector" && pwd -P)
output=$(realpath "$root/${OUTPUT:-.output}")
perfstamp=$output/perfstamp
# shellcheck source-path=SCRIPTDIR source=await.sh
. "$root/tests/lib/await.sh"
"$root/scripts/collector" --fetch

cd "$dir"
rm -rf ./*
cat >deploy <<-END
	cp "$output/tools/swapped-1" server && ./server 300
	cp "$output/tools/swapped-2" next && mv next server && ./server 300
END
for n in 1 2 3; do
	file=data.202611250000000$n
	"$perfstamp" record -q -g -F 999 -e cpu-clock -o "$file" -- bash deploy
	"$root/scripts/perf" newest script -i "$file" -F pid,tid,time,ip -G --ns >"script.$n" 2>/dev/null
done
cat script.? >script
sed -nE 's|^ *([0-9]+)/([0-9]+) +([0-9]+)\.([0-9]+):.*|\1 \2|p' script | sort >expected

pid=
receiver=
finish() {
	[ -z "$pid" ] || kill "$pid" 2>/dev/null || true
	[ -z "$receiver" ] || kill -KILL "$receiver" 2>/dev/null || true
}
trap finish EXIT
start_collector() {
	printf '%s\n' 'receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:'"$port"'"}}}}' \
		'exporters: {lines: {path: received}}' \
		'service: {telemetry: {metrics: {level: none}}, pipelines: {profiles: {receivers: [otlp], exporters: [lines]}}}' >config.yaml
	"$root/scripts/collector" --config config.yaml --feature-gates service.profilesSupport >>collector.log 2>&1 &
	receiver=$!
	await answers
}
answers() {
	: 2>/dev/null <>"/dev/tcp/127.0.0.1/$port"
}
has_received() {
	[ -e received ] && [ "$(wc -l <received)" -eq "$1" ]
}

port=$((20000 + $$ % 20000))
start_collector
mkdir files
mv data.*1 files
HOME=$dir "$perfstamp" push --follow --state state "http://127.0.0.1:$port" files 2>push.err &
pid=$!
await has_received 1
kill -KILL "$receiver"
wait "$receiver" || true
mv data.*2 data.*3 files
await grep -q 'tries again until it works' push.err
start_collector
await has_received 3

# Each sample is there once, in the process and thread that perf has it in.
jq -r '.dictionary as $d | $d.stringTable as $s |
	.resourceProfiles[].scopeProfiles[].profiles[].samples[] |
	([.attributeIndices[] | $d.attributeTable[.] | {key: $s[.keyStrindex // 0], value: .value.intValue}] | from_entries) as $a |
	(.timesUnixNano // .timestampsUnixNano | length) as $n | range($n) | "\($a["process.pid"]) \($a["thread.id"])"' \
	received | sort >shown
diff expected shown
# Both builds are there.
for n in 1 2; do
	id=$(readelf -n "$output/tools/swapped-$n" | sed -n 's/.*Build ID: //p')
	jq -e -s --arg id "$id" 'all(.dictionary.stringTable + [.dictionary.attributeTable[].value.stringValue] | index($id) != null)' \
		received >/dev/null
done
echo "the OpenTelemetry Collector has received $(wc -l <shown) samples of 3 recordings, each once, as perf has them"
