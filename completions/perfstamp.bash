# SPDX-License-Identifier: GPL-2.0-only
# Completion of perfstamp for bash. Commands and options come from the program itself
# (--list-cmds, --list-opts), so that they are those of the version that is installed.

# The events that this machine has: those of its PMUs, tracepoints, and perf's own names.
_perfstamp_events() {
	local path pmu

	printf '%s\n' cpu-cycles cpu-clock instructions cache-misses branch-misses task-clock \
		page-faults context-switches cpu-migrations
	for path in /sys/bus/event_source/devices/*/events/*; do
		[[ -e $path && $path != *.@(scale|unit|snapshot) ]] || continue
		pmu=${path%/events/*}
		printf '%s/%s/\n' "${pmu##*/}" "${path##*/}"
	done
	for path in /sys/kernel/tracing/events/*/*/id; do
		[[ -e $path ]] || continue
		path=${path#/sys/kernel/tracing/events/}
		path=${path%/id}
		printf '%s\n' "${path/\//:}"
	done
}

# _perfstamp_from FIELD: what is in the recording that the command line names.
_perfstamp_from() {
	local i file=perf.data

	for ((i = 2; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-i | --input) file=${COMP_WORDS[i + 1]} ;;
		esac
	done
	[[ -f $file ]] || return
	perfstamp list --json -i "$file" 2>/dev/null | tr ',' '\n' |
		sed -n "s/^[ {]*\"$1\": *\"\\([^\"\\\\]*\\)\".*/\\1/p" | sort -u
}

# The names and ids of the containers in the recording that is named; of replaced and watch,
# which examine this machine, those that run.
_perfstamp_containers() {
	case ${COMP_WORDS[1]} in
	replaced | watch)
		podman ps --format '{{.Names}}' 2>/dev/null
		docker ps --format '{{.Names}}' 2>/dev/null || true
		;;
	*)
		_perfstamp_from name
		_perfstamp_from id
		;;
	esac
}

_perfstamp_pids() {
	local dir

	for dir in /proc/[0-9]*; do printf '%s\n' "${dir#/proc/}"; done
}

_perfstamp_cgroups() {
	find /sys/fs/cgroup -mindepth 1 -maxdepth 4 -type d -printf '%P\n' 2>/dev/null
}

# _perfstamp_values ARGUMENT OPTION: the values of an option, by its long name: lines, or status
# 1 where a file is meant.
_perfstamp_values() {
	case $2 in
	--event | --switch-on | --switch-off) _perfstamp_events ;;
	--pid | --tid) _perfstamp_pids ;;
	--cgroup | --for-each-cgroup) _perfstamp_cgroups ;;
	--build-id) _perfstamp_from build_id ;;
	--dsos | --path) _perfstamp_from path ;;
	--container) _perfstamp_containers ;;
	--uid) getent passwd | cut -d: -f1 ;;
	*)
		# Words that the option itself names: relative|absolute.
		[[ $1 =~ ^[a-z-]+(\|[a-z-]+)+$ ]] || return
		printf '%s\n' "${1//|/$'\n'}"
		;;
	esac
}

# _perfstamp_propose: proposes the lines of standard input that begin with $cur. It quotes them:
# any user chooses names of files and cgroups. `compgen -W' would execute a command in a name.
_perfstamp_propose() {
	local line quoted typed=${cur#[\"\']}

	while IFS= read -r line; do
		[[ -n $line ]] || continue
		printf -v quoted %q "$line"
		# Behind a quote, only what needs none itself.
		[[ $typed == "$cur" || $quoted == "$line" ]] || continue
		[[ $line == "$typed"* || $quoted == "$typed"* ]] && COMPREPLY+=("$quoted")
	done
}

_perfstamp() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]} long letter argument what option values wanted='' words=''
	COMPREPLY=()

	if ((COMP_CWORD == 1)); then
		mapfile -t COMPREPLY < <(compgen -W "$(perfstamp --list-cmds | cut -f1) --help --version" -- "$cur")
		return
	fi
	if [[ $command == help ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(perfstamp --list-cmds | cut -f1)" -- "$cur")
		return
	fi
	# Bash parts words at `=': --event=cpu-clock is three.
	[[ $cur != = ]] || cur=''
	[[ $prev != = ]] || prev=${COMP_WORDS[COMP_CWORD - 2]}
	while IFS= read -r what; do
		long=${what%%$'\t'*} what=${what#*$'\t'}
		letter=${what%%$'\t'*} what=${what#*$'\t'}
		argument=${what%%$'\t'*}
		words+=" $long ${letter}"
		[[ -n $argument && $argument != \[* && ($prev == "$long" || $prev == "$letter") ]] &&
			wanted=$argument option=$long
	done < <(perfstamp "$command" --list-opts 2>/dev/null)
	if [[ -n $wanted ]] && values=$(_perfstamp_values "$wanted" "$option"); then
		_perfstamp_propose <<<"$values"
		declare -F __ltrim_colon_completions >/dev/null && __ltrim_colon_completions "$cur"
	elif [[ -z $wanted && $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	else
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}

complete -F _perfstamp perfstamp
