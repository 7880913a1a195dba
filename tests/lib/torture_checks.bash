# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What is to hold of the recordings of the torture set that tests/lib/torture.sh has made in a
# guest. Sourced by bats at the tree's root, after identity.sh; $torture has KERNEL.txt of each.
# shellcheck disable=SC2154 # what bats and its caller set

# torture__in_guest KERNEL [RUNG...]: boots it; by default by all its rungs.
torture__in_guest() {
	local kernel=$1 file=$torture/$1
	shift

	rm -f "$file.txt"
	scripts/guest --timeout 2700 "$kernel" -- bash tests/lib/torture.sh "$kernel" "$@" \
		>"$file.new" 2>"$file.err" || echo "status $?" >>"$file.err"
	mv "$file.new" "$file.txt"
}

# Boots the guests with these kernels, one after the other.
torture__in_guests() {
	local kernel

	for kernel; do torture__in_guest "$kernel"; done
}

# Prints lines of cases of KERNEL for which the awk expression WRONG is true. Its
# variables: rung, name, phase, ids, right, wrong, flagged, lost; brief: nobody can look at
# it while it lives.
cases() {
	awk -v kernel="$1" '
		/^#/ || $1 != kernel || NF != 8 { next }
		{
			rung = $2; name = $3; phase = $4; ids = $5; right = $6; wrong = $7; flagged = $8 + 0
			sub(/:$/, "", phase)
			lost = 0
			if (match($8, /[(,]lost=[0-9]+/)) lost = substr($8, RSTART + 6, RLENGTH - 6) + 0
			brief = name ~ /^brief/
			n++
		}
		'"$2"' { print; bad++ }
		END { exit !n || bad > 0 }' "$torture/$1.txt"
}

# The line of the recording by RUNG on KERNEL.
recording() {
	line=$(sed -n "s/^$1 $2 recording: //p" "$torture/$1.txt")
	[ -n "$line" ]
}

count() {
	identity__count "$1" "$line"
}

every_rung() {
	local kernel=$1 rung

	grep -a '^#' "$torture/$1.txt" || true
	cat "$torture/$1.err"
	shift
	for rung; do
		echo "$rung"
		recording "$kernel" "$rung"
		[ "$(count rung)" = "$rung" ]
		[ "$(count status)" = 0 ]
		[ "$(count gone)" = 0 ]
		[ "$(count processes)" -ge 100 ]
		[ "$(count mappings)" -ge 1000 ]
	done
	[ "$(grep -ac ' recording: ' "$torture/$kernel.txt")" -eq $# ]
}

# nothing_wrong KERNEL [parts]: with "parts", a mapping may be recorded again, with its id, as the
# parts that it was split into.
nothing_wrong() {
	local extra='|EXTRA'

	[ "${2-}" != parts ] || extra=''
	cases "$1" 'wrong > 0'
	run -1 grep -aE "^# [^ ]+: (WRONG|SILENT$extra) " "$torture/$1.txt"
	run -1 grep -aE " recording: .* (wrong|silent${extra,,})=[1-9]" "$torture/$1.txt"
}

# What the kernel side reads is there, or was lost, and counted. User space reads the rest,
# by the disk, and leaves what takes it too long: on a busy machine that may be some.
all_there() {
	local rung

	# What is not right has a reason.
	cases "$1" 'right + flagged < ids'
	cases "$1" 'phase == "warm" && right + lost < ids && rung ~ /^(kprobe|fentry|sys_exit)/ &&
		name !~ /^(before|copied-up|lying-sizes|many-headers|notes-before|other-byte-order)$/'
	cases "$1" 'lost && rung !~ /^(fentry|sys_exit)$/'
	for rung in kprobe.multi kprobe uprobe_mmap fentry sys_exit MMAP2; do
		recording "$1" $rung || continue
		# Of those that are held.
		cases "$1" "rung == \"$rung\" && !brief { all += ids; there += right + lost }
			END { if (there < all * 0.9) bad++ } 0"
		[ "$(count unseen)" -le "$(count lost)" ]
	done
	# Most of what was dropped was not in memory indeed.
	for rung in kprobe.multi kprobe uprobe_mmap; do
		recording "$1" $rung || continue
		[ $(($(count user) + $(count faulted))) -ge 50 ]
	done
}

# ledger KERNEL [parts]: with "parts", check may count more than the oracle, which sees wholes.
ledger() {
	local counts n=0 equal=1

	[ "${2-}" != parts ] || equal=0

	# What both have counted, where they differ.
	grep -aE '^# [^ ]+: (ledger|check): ' "$torture/$1.txt" || true
	run -1 grep -a 'ledger=differs' "$torture/$1.txt"
	while read -r counts; do
		echo "$counts"
		[ $equal -eq 0 ] || [ "${counts% / *}" = "${counts#* / }" ]
		n=$((n + 1))
	done < <(sed -n 's/^[^#].* ledger: //p' "$torture/$1.txt")
	[ "$n" -eq "$(grep -ac ' recording: ' "$torture/$1.txt")" ]
}
