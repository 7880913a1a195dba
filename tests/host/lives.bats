#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Processes have samples in proportion to the CPU time that they used, whether they live 0.2
# or 50 ms.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
}

# Reads lines "LIFE ROUND SAMPLES MICROSECONDS". In each round a life has its samples less
# those that its share of all time is worth; if nothing is wrong, their sum S over the rounds
# is as likely below zero as above, and S exceeds x times the root of the sum Q of their
# squares with a probability of at most exp(-x * x / 2) on either side, whatever the machine
# does meanwhile. With x = 5.3 and four lives: 6 in a million.
are_within_chance() {
	awk '
		{ n[NR] = $3; us[NR] = $4; life[NR] = $1; all += $3; time += $4 }
		END {
			for (i = 1; i <= NR; i++) {
				rest = n[i] - all * us[i] / time
				sum[life[i]] += rest
				squares[life[i]] += rest * rest
				samples[life[i]] += n[i]
			}
			for (one in sum) {
				root = sqrt(squares[one])
				printf "%s us: %d samples, %+.0f, chance %.0f\n", one, samples[one], sum[one], root
				wrong = wrong || sum[one] > 5.3 * root || sum[one] < -5.3 * root
				# So that the test can tell a tenth.
				wrong = wrong || samples[one] < 2000 || root * 5.3 > samples[one] / 5
				lives++
			}
			exit wrong || lives != 4
		}'
}

@test "processes that live 0.2, 1, 5 and 50 ms have shares of samples that agree with their CPU time" {
	record -q -F 3989 -o data -- "$tools/tree" lives 40 used
	perf newest script -i data -F comm | awk '
		FILENAME == "used" { us[$1] = $2; next }
		{ n[$1]++ }
		END { for (name in us) { split(name, part, "."); print part[1], part[2], n[name] + 0, us[name] } }
	' used - >shares
	[ "$(wc -l <shares)" -eq 160 ]
	are_within_chance <shares
	# The same with a third of one life's samples taken away is no chance.
	awk '$1 == 200 { $3 = int($3 * 2 / 3) } { print }' shares >fewer
	run -1 are_within_chance <fewer
}
