# SPDX-License-Identifier: GPL-2.0-only
# Completion of perfstamp for fish. Commands and options come from the program itself
# (--list-cmds, --list-opts), so that they are those of the version that is installed.

function __perfstamp_events
	printf '%s\n' cpu-cycles cpu-clock instructions cache-misses branch-misses task-clock \
		page-faults context-switches cpu-migrations
	for path in /sys/bus/event_source/devices/*/events/*
		string match -qr '\.(scale|unit|snapshot)$' -- $path; and continue
		string replace -r '.*/devices/(.*)/events/(.*)' '$1/$2/' -- $path
	end
	for path in /sys/kernel/tracing/events/*/*/id
		string replace -r '.*/events/(.*)/(.*)/id' '$1:$2' -- $path
	end
end

function __perfstamp_from
	set -l file perf.data
	set -l words (commandline -opc)
	for i in (seq (count $words))
		if contains -- $words[$i] -i --input; and test $i -lt (count $words)
			set file $words[(math $i + 1)]
		end
	end
	test -f $file; or return
	perfstamp list --json -i $file 2>/dev/null | tr ',{' '\n\n' |
		string replace -rf '^ *"'$argv[1]'": *"([^"\\\\]*)".*' '$1' | sort -u
end

# The names and ids of the containers in the recording that is named; of replaced and watch,
# which examine this machine, those that run.
function __perfstamp_containers
	if contains -- (commandline -opc)[2] replaced watch
		podman ps --format '{{.Names}}' 2>/dev/null
		docker ps --format '{{.Names}}' 2>/dev/null
	else
		__perfstamp_from name
		__perfstamp_from id
	end
end

function __perfstamp_cgroups
	find /sys/fs/cgroup -mindepth 1 -maxdepth 4 -type d -printf '%P\n' 2>/dev/null
end

complete -c perfstamp -n __fish_use_subcommand -f
for line in (perfstamp --list-cmds)
	set -l command (string split \t -- $line)
	set -l name $command[1]
	complete -c perfstamp -n __fish_use_subcommand -f -a $name -d $command[2]
	complete -c perfstamp -n "__fish_seen_subcommand_from help" -f -a $name
	test $name = help; and continue
	for option in (perfstamp $name --list-opts 2>/dev/null)
		set -l field (string split \t -- $option)
		set -l args -c perfstamp -n "test (commandline -opc)[2] = $name" \
			-l (string sub -s 3 -- $field[1]) -d $field[4]
		if test -n "$field[2]"
			set args $args -s (string sub -s 2 -- $field[2])
		end
		if test -n "$field[3]"; and not string match -q '[*' -- $field[3]
			set args $args -r
		end
		switch $field[1]
			case --event --switch-on --switch-off
				set args $args -f -a '(__perfstamp_events)'
			case --pid
				set args $args -f -a '(__fish_complete_pids)'
			case --cgroup --for-each-cgroup
				set args $args -f -a '(__perfstamp_cgroups)'
			case --build-id
				set args $args -f -a '(__perfstamp_from build_id)'
			case --container
				set args $args -f -a '(__perfstamp_containers)'
			case --dsos --path
				set args $args -f -a '(__perfstamp_from path)'
			case --uid
				set args $args -f -a '(__fish_complete_users)'
			case '*'
				if string match -qr '^[a-z-]+(\|[a-z-]+)+$' -- $field[3]
					set args $args -f -a (string replace -a '|' ' ' -- $field[3])
				end
		end
		complete $args
	end
end
