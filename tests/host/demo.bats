#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The scenes of make demo, each of which checks what it shows. That of a module needs a kernel
# that loads it, or a guest: make demo SCENE=module.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
}

scene() {
	PERF="$root/scripts/perf 6.12" "$root/scripts/demo" "$@"
}

@test "a server's file is replaced while it runs" {
	run -0 scene
	[[ $output = *"release 1: "*" samples in bubble_sort, none elsewhere"* ]]
	[[ $output = *"release 2: "*" samples in shell_sort, none elsewhere"* ]]
}

@test "two containers have builds of their own at one path" {
	run -0 scene containers
	grep -qE "server \([0-9a-f]{12}\) +\[.\] bubble_sort" <<<"$output"
	grep -qE "server \([0-9a-f]{12}\) +\[.\] shell_sort" <<<"$output"
}

@test "code of a JIT compiler replaces other code" {
	run -0 scene jit
	[[ $output = *"perf names them alike on any machine"* ]]
}

@test "another scene there is not" {
	run -1 scene nothing
	[ "$output" = "scripts/demo: nothing: no such scene: use replaced, containers, module or jit" ]
}
