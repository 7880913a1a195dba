# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What test files share that record in guests of several kernels. Sourced by bats at the tree's root.

# guests__each FUNCTION KERNEL...: calls FUNCTION with each kernel, all at the same time. Fails with
# the last that failed.
guests__each() {
	local function=$1 kernel pids=() pid status=0

	shift
	for kernel in "$@"; do
		"$function" "$kernel" 3>&- &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do
		wait "$pid" || status=$?
	done
	return $status
}
