# SPDX-License-Identifier: GPL-2.0-only
# Judges one file of a soak (soak.sh): what check, dump --json and perf script say of it, in
# this order. Prints "wrong: ..." and one line "sums SAMPLES LOST IN-LOSSES TILL-TOLD EXECS
# FIRST LAST", times in seconds.

function number(key,   at) {
	at = index($0, "\"" key "\":")
	return at ? substr($0, at + length(key) + 3) + 0 : 0
}

FNR == 1 { part++ }

part == 1 && /^lost: / {
	begins[++n_losses] = $5
	ends[n_losses] = $7
	if ($2 != "pids-full:")
		lost += $3
}

# What was told of a process again, behind a loss.
part == 2 && /"type":"MMAP2"/ && /"snapshot":true/ {
	pid = number("pid")
	again[pid, ++n_again[pid]] = number("time_ns") / 1e9
}

# What each process executed.
part == 2 && /"type":"MMAP2"/ && /"path":"\/tmp\/soak[^\/]*\/app/ && !/"snapshot":true/ {
	execs++
	homes[number("cgroup_id")] = 1
}

# Where the host's load made a cgroup for each file.
part == 2 && cgroups && /"type":"CGROUP"/ && index($0, "\"path\":\"" cgroups "/") {
	made[number("id")] = 1
}

part == 2 && /"type":"SAMPLE"/ {
	time = number("time_ns") / 1e9
	samples++
	if (!first || time < first)
		first = time
	if (time > last)
		last = time
}

# When the newest loss before this time had ended; 0: there is none.
function loss_before(time,   i, end) {
	for (i = 1; i <= n_losses; i++) {
		if (begins[i] <= time && time <= ends[i])
			return -1
		if (begins[i] <= time && ends[i] > end)
			end = ends[i]
	}
	return end
}

function was_told(pid, from, to,   i) {
	for (i = 1; i <= n_again[pid]; i++)
		if (again[pid, i] >= from && again[pid, i] < to)
			return 1
	return 0
}

# "COMM PID TIME: IP (DSO)", where the name may have blanks.
part == 3 && / \(\[unknown\]\)$/ && match($0, /[0-9]+ +[0-9]+\.[0-9]+: +[0-9a-f]+ \(/) {
	split(substr($0, RSTART, RLENGTH), v)
	time = v[2] + 0
	if (length(v[3]) == 16 && v[3] ~ /^ffff/)
		next
	end = loss_before(time)
	if (end < 0)
		in_losses++
	else if (end && !was_told(v[1], end, time))
		till_told++
	else
		print "wrong: " file ": in no mapping, and no loss explains it: " $0
}

END {
	for (id in homes)
		if (cgroups && !lost && !(id in made))
			print "wrong: " file ": the cgroup " id " has no path"
	printf "sums %d %d %d %d %d %.9f %.9f\n", samples, lost, in_losses, till_told, execs, first, last
}
