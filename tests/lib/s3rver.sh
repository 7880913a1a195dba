#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Has push --binaries fill a bucket of an S3 server, which npm brings, and debuginfod-find, gdb
# and perf read from there what they lack.
# Usage: tests/lib/s3rver.sh DIR
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd -P)
version=5.0.0
mkdir -p "$1/s3"
dir=$(cd "$1/s3" && pwd -P)
output=$(realpath "$root/${OUTPUT:-.output}")
perfstamp=$output/perfstamp
# shellcheck source-path=SCRIPTDIR source=await.sh
. "$root/tests/lib/await.sh"
# shellcheck source-path=SCRIPTDIR source=npm.sh
. "$root/tests/lib/npm.sh"

cd "$dir"
npm__install "$dir" @20minutes/s3rver "$version"
rm -rf home objects port bin store state
mkdir -p home bin
PERFSTAMP_CACHE=${PERFSTAMP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/perfstamp}
export PERFSTAMP_CACHE HOME=$dir/home
cat >serve.js <<-'END'
	const S3rver = require('@20minutes/s3rver');
	new S3rver({ address: '127.0.0.1', port: 0, directory: 'objects', silent: true, configureBuckets: [{ name: 'fleet' }] })
		.run((error, address) => require('fs').writeFileSync('port', error ? '' : String(address.port)));
END
node serve.js &
server=$!
trap 'kill "$server"' EXIT
await test -s port

cp "$output/tools/worker" bin/worker
"$perfstamp" record -q -e cpu-clock -F 999 --capture=full --buildid-dir store -o data -- bin/worker 300 >out
strip -o stripped bin/worker
rm bin/worker
id=$(readelf -n stripped | sed -n 's/.*Build ID: //p')
AWS_ENDPOINT_URL=http://127.0.0.1:$(cat port)
export AWS_ENDPOINT_URL AWS_SHARED_CREDENTIALS_FILE=$dir/keys
printf '[default]\naws_access_key_id = S3RVER\naws_secret_access_key = wrong\n' >keys
if "$perfstamp" push --binaries --state state --buildid-dir store s3://fleet/symbols data 2>said; then
	echo "the server takes any key" >&2
	exit 1
fi
grep -q 'HTTP status 403' said
sed -i 's/wrong/S3RVER/' keys
"$perfstamp" push --binaries --state state --buildid-dir store s3://fleet/symbols data

export DEBUGINFOD_URLS=$AWS_ENDPOINT_URL/fleet/symbols
cmp "$(debuginfod-find executable "$id")" "$output/tools/worker"
gdb -q -batch -nx -iex 'set debuginfod enabled on' -ex 'info line worker_main' stripped 2>&1 |
	grep -E '^Line [0-9]+ of "tests/tools/worker.c" '
"$root/scripts/perf" newest buildid-cache --debuginfod="$DEBUGINFOD_URLS" -a stripped
"$root/scripts/perf" newest report -i data --stdio --sort sym 2>/dev/null | grep worker_main
echo "s3rver $version has refused a wrong key, and debuginfod-find, gdb and perf got from it what they lacked"
