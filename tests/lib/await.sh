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

await__fails() {
	if "$@"; then return 1; fi
}
