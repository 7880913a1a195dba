# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The one way in which tests wait: for a condition, never for a time. Sourced by bats here
# and by scripts in guests.

# await COMMAND...: waits until it succeeds. Its limit is there for what hangs, and is far
# beyond what a slow and busy machine takes.
await() {
	local end=$((SECONDS + ${AWAIT_SECONDS:-120}))

	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || { echo "in vain: $*" >&2 && return 1; }
		sleep 0.05
	done
}

# await_not COMMAND...: waits until it fails.
await_not() {
	await await__fails "$@"
}

# What user space reads has no id where it was written to within 100 ms before it was mapped
# (rule 6 of docs/design.md).
is_no_longer_young() {
	[ $(($(date +%s%N) - $(date -r "$1" +%s%N))) -gt 200000000 ]
}

await__fails() {
	if "$@"; then return 1; fi
}
