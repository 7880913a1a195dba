# SPDX-License-Identifier: GPL-2.0-only
# Judges all files of a recording (soak.sh) by the sums that soak.awk printed for each, and
# what the recorder took after each switch; prints a table.

# The number before WORD in what the recorder said at its end.
function told(word) {
	return match(said, "[0-9]+ " word) ? substr(said, RSTART) + 0 : 0
}

FNR == 1 { part++ }

part == 1 {
	samples += $1; lost += $2; in_losses += $3; till_told += $4; execs += $5
	if (!$1)
		next
	if ($6 <= newest)
		print "wrong: a file begins before the end of the one before"
	newest = $7
}

part == 2 {
	n++
	at[n] = $1; rss[n] = $2; cpu[n] = $3
}

# KiB a file, by least squares over what comes after the first third.
function slope(from,   i, x, y, xy, xx, m) {
	for (i = from; i <= n; i++) {
		m++; x += i; y += rss[i]; xy += i * rss[i]; xx += i * i
	}
	return m > 2 ? (m * xy - x * y) / (m * xx - x * x) : 0
}

END {
	removed = told("removed")
	if (!removed && samples != told("samples"))
		print "wrong: " samples " samples in all files"
	if (!removed && lost != told("lost"))
		print "wrong: the files tell of " lost " that were lost"
	if (n_files + removed != told("files") || n_files + removed != n)
		print "wrong: " n_files " files"
	if (!removed && !lost && execs < processes)
		print "wrong: " execs " execs in all files of " processes " processes"
	warm = int(n / 3) + 1
	if (rss[n] > 1.2 * rss[warm] + 1024)
		print "wrong: memory grows from " rss[warm] " to " rss[n] " KiB"
	printf "%d processes, %d files, %d samples, %d lost\n", processes, n_files + removed, samples, lost
	printf "in no mapping: %d within losses, %d until told again\n", in_losses, till_told
	a_file = slope(warm)
	printf "memory: %d KiB after a third, %d at the end; slope %.2f KiB a file, %.0f an hour\n", rss[warm], rss[n],
		a_file, a_file * 3600 * (n - 1) / (at[n] - at[1])
	printf "CPU of the recorder: %.1f s of %.1f s, %.2f %% of one\n", cpu[n] - cpu[1], at[n] - at[1],
		100 * (cpu[n] - cpu[1]) / (at[n] - at[1])
}
