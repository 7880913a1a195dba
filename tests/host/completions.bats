#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What bash, zsh and fish propose behind `perfstamp ...': every command and every option that the
# program has, and values of this machine and of the recording that is named.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash
# shellcheck disable=SC2046 # names without spaces, each a word

setup() {
	load ../lib/recording.bash
	PATH=$(dirname "$perfstamp"):$PATH
	export XDG_CONFIG_HOME=$PWD/config XDG_DATA_HOME=$PWD/data
}

teardown() {
	recording__end
}

# in_bash WORD...: the proposals for the last word, a line each.
in_bash() {
	bash --norc -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _perfstamp 2>/dev/null
		printf "%s\n" "${COMPREPLY[@]}"' "$root/completions/perfstamp.bash" "$@"
}

in_fish() {
	fish --no-config -c "source '$root/completions/perfstamp.fish'; complete -C '$*'" | cut -f1
}

in_zsh() {
	timeout 60 zsh -f "$root/tests/lib/zsh_complete.zsh" "$root/completions" "$*" | tr -d '\r'
}

# complete_by in_SHELL WORD...
complete_by() {
	case $1 in
	in_bash) in_bash "${@:2}" ;;
	*) "$1" "${*:2}" ;;
	esac
}

# has NAME...: each stands in $output as a word of its own.
has() {
	local name

	for name in "$@"; do
		grep -qE -- "(^|[ ,])$name([ =]|\$)" <<<"$output" || {
			echo "not proposed: $name"
			return 1
		}
	done
}

commands() {
	"$perfstamp" --list-cmds | cut -f1
}

options_of() {
	"$perfstamp" "$1" --list-opts | cut -f1
}

@test "--list-cmds has every command, and --list-opts every option that --help shows" {
	local command

	for command in $(commands); do
		"$perfstamp" --help | grep -q "^  $command "
		[ "$command" != help ] || continue
		[ "$("$perfstamp" "$command" --help | grep -oE '^ {1,6}(-., )?--[a-z-]+(=[^ ]*)?(, --[a-z-]+)*' |
			grep -oE -- '--[a-z-]+' | sort)" = "$(options_of "$command" | sort)" ]
	done
}

@test "bash proposes commands, options, and values" {
	local command letter

	run -0 in_bash perfstamp ''
	has $(commands)
	for command in record report watch list; do
		run -0 in_bash perfstamp "$command" --
		has $(options_of "$command")
	done
	run -0 in_bash perfstamp record -e cpu-
	has cpu-clock cpu-cycles
	run -0 in_bash perfstamp report --switch-on cpu-
	has cpu-clock cpu-cycles
	run -0 in_bash perfstamp record --pid "$BASHPID"
	has "$BASHPID"
	run -0 in_bash perfstamp record -p "$BASHPID"
	has "$BASHPID"
	run -0 in_bash perfstamp report --percentage ''
	[ "$output" = relative$'\n'absolute ]
	# The same letters mean something else elsewhere: --parent, --field-separator.
	for letter in -p -t; do
		run -0 in_bash perfstamp report "$letter" "$BASHPID"
		[ -z "$output" ]
	done
	touch a-file
	run -0 in_bash perfstamp report -i a-
	[ "$output" = a-file ]
}

@test "fish proposes commands, options, and values" {
	local command

	run -0 in_fish 'perfstamp '
	has $(commands)
	for command in record report watch list; do
		run -0 in_fish "perfstamp $command --"
		has $(options_of "$command")
	done
	run -0 in_fish 'perfstamp record -e cpu-'
	has cpu-clock cpu-cycles
	run -0 in_fish 'perfstamp report --switch-off cpu-'
	has cpu-clock cpu-cycles
	run -0 in_fish 'perfstamp report --percentage '
	has relative absolute
}

@test "zsh proposes commands, options, and values" {
	run -0 in_zsh 'perfstamp '
	has $(commands)
	run -0 in_zsh 'perfstamp report --'
	has $(options_of report)
	run -0 in_zsh 'perfstamp record --'
	has $(options_of record)
	run -0 in_zsh 'perfstamp record -e cpu-'
	has cpu-clock cpu-cycles
	run -0 in_zsh 'perfstamp report --switch-on cpu-'
	has cpu-clock cpu-cycles
	run -0 in_zsh 'perfstamp report --percentage '
	has relative absolute
}

@test "build-ids and paths of the recording that is named are proposed" {
	local id

	record -o named.data -- "${a_while[@]}" >/dev/null
	id=$("$perfstamp" list --json -i named.data | jq -r 'select(.path // "" | endswith("/worker")) | .build_id' | head -n 1)
	[ -n "$id" ]
	run -0 in_bash perfstamp extract -i named.data --build-id "${id:0:6}"
	has "$id"
	run -0 in_bash perfstamp report -i named.data --dsos "$tools/wor"
	has "$tools/worker"
	run -0 in_fish "perfstamp extract -i named.data --build-id ${id:0:6}"
	has "$id"
	run -0 in_zsh "perfstamp extract -i named.data --build-id ${id:0:6}"
	[[ $output = *"$id"* ]]
}

@test "containers are proposed: of the recording that is named, and those that run" {
	local shell

	# The list of a recording that was made on another machine, and a runtime.
	mkdir bin
	cat >bin/perfstamp <<-END
		#!/bin/sh
		[ "\$1 \$2 \$4" = 'list --json named.data' ] || exec "$perfstamp" "\$@"
		printf '%s\n' '{"path":"/app","containers":[{"runtime":"docker","id":"0123abcd","name":"shop-web"}],"cgroups":[{"id":7}]}'
	END
	printf '#!/bin/sh\necho shop-live\n' >bin/podman
	chmod +x bin/*
	PATH=$PWD/bin:$PATH
	touch named.data
	for shell in in_bash in_fish in_zsh; do
		run -0 complete_by "$shell" perfstamp list -i named.data --container shop
		[[ $output = *shop-web* ]]
		run -0 complete_by "$shell" perfstamp replaced --container shop
		[[ $output = *shop-live* ]] || { echo "$shell: $output" && false; }
	done
}

@test "a command in the name of a program or a cgroup is proposed, and not executed" {
	# shellcheck disable=SC2016 # the shells that complete must not expand it either
	local name='$(touch pwned) `touch pwned`;' shell

	cp "$tools/worker" "$name"
	record -o named.data -- "./$name" 400 >/dev/null
	for shell in in_bash in_fish in_zsh; do
		run -0 complete_by "$shell" perfstamp report -i named.data --dsos "$PWD/"
		[ ! -e pwned ] || { echo "$shell executes it" && false; }
		[[ $output = *touch* ]] || { echo "$shell: $output" && false; }
	done
	# What bash puts on the command line is this name again.
	run -0 in_bash perfstamp list -i named.data --path "$PWD/"'$'
	eval "[ $output = \"$PWD/\$name\" ]"
	# Behind a quote it would be another name.
	run -0 in_bash perfstamp list -i named.data --path \""$PWD/"'$'
	[ -z "$output" ]
	run -0 in_bash perfstamp record --event \"cpu-cl
	[ "$output" = cpu-clock ]
	# The names of cgroups.
	printf '%s\n' "$name" >names
	find() { cat names; }
	export -f find
	run -0 in_bash perfstamp record -G '\$'
	[ ! -e pwned ]
	eval "[ $output = \"\$name\" ]"
}
