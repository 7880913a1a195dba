#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Has CycloneDX's own library, which npm brings once, validate what `perfstamp fleet sbom' writes of
# recorded programs, and what scripts/sbom writes of perfstamp itself, by its schemas, strictly. Each is
# also validated with one error in it, which must be found.
# Usage: tests/lib/cyclonedx.sh DIR
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd -P)
version=7.1.0
mkdir -p "$1/cyclonedx"
dir=$(cd "$1/cyclonedx" && pwd -P)
output=$(realpath "$root/${OUTPUT:-.output}")
perfstamp=$output/perfstamp
# shellcheck source-path=SCRIPTDIR source=postgres.bash
. "$root/tests/lib/postgres.bash"
# shellcheck source-path=SCRIPTDIR source=npm.sh
. "$root/tests/lib/npm.sh"

npm__install "$dir" @cyclonedx/cyclonedx-library "$version" --omit=optional \
	ajv@8.17.1 ajv-formats@3.0.1 ajv-formats-draft2019@1.6.1
cd "$dir"
rm -f data state state.* ./*.json.bom
cat >validate.js <<-'END'
	const { Spec, Validation } = require('@cyclonedx/cyclonedx-library');
	const text = require('fs').readFileSync(process.argv[2], 'utf8');
	new Validation.JsonStrictValidator(JSON.parse(text).specVersion).validate(text).then((error) => {
		if (error === null) return;
		console.log(JSON.stringify(error).slice(0, 300));
		process.exit(1);
	});
END

# is_valid FILE WRONG: by its schema, and what the jq expression WRONG makes of it is not.
is_valid() {
	node validate.js "$1"
	jq "$2" "$1" >wrong.json.bom
	if node validate.js wrong.json.bom; then
		echo "$1: no error is found after $2" >&2
		return 1
	fi
}

postgres__make
trap postgres__end EXIT
postgres__start fsync=off
postgres__database sbom
"$perfstamp" fleet -d "$database" setup >/dev/null
# Files of packages, and one of none with an odd name.
odd=$(printf 'odd\tname "\\\303\244\033[2J')
cp "$output/tools/worker" "./$odd"
"$perfstamp" record -q -e cpu-clock -o data -- sh -c "ls / >/dev/null; './$odd' 10 >/dev/null"
for host in web-1 web-2; do
	"$perfstamp" push --state "state.$host" --host "$host" "$database" data >/dev/null
	rm -f "state.$host"
done
rm -f "./$odd"
"$perfstamp" fleet -d "$database" sbom --all >fleet.json.bom
n=$(jq '[.components[].evidence.occurrences[]] | length' fleet.json.bom)
[ "$n" -ge 6 ]
jq -e '[.components[] | select(.purl)] | length >= 2' fleet.json.bom >/dev/null
jq -e 'any(.components[]; .type == "file")' fleet.json.bom >/dev/null
is_valid fleet.json.bom '.components[0].evidence.occurrences[0].host = "web-1"'
"$root/scripts/sbom" "$perfstamp" 0 >self.json.bom
is_valid self.json.bom 'del(.components[0].name)'
echo "CycloneDX's library $version accepts $(jq '.components | length' fleet.json.bom) components with $n occurrences, and $(
	jq '.components | length' self.json.bom) components of perfstamp itself"
