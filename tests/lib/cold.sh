#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest, as root, at the tree's root: records processes that map what is on a
# disk only and are gone at once, in the ways in which files come to be mapped, with
# what reads cold pages when they are mapped and without. Prints a line "NAME: COUNTS"
# for each recording, and what was wrong before it; tests/guest/cold.bats judges them.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh

# What the kernel side leaves to user space, in memory or not: other byte orders, and
# more headers and notes than it walks.
LEFT='other-endian|elf32-other-endian|data|phentsize|phdrs-[0-9]*|notes-[0-9]*'
disk=/var/tmp/cold out=/tmp/out
export AWAIT_SECONDS=900

drop() {
	sync
	echo 3 >/proc/sys/vm/drop_caches
}

# Each process is gone a millisecond after it has mapped all. The kernel reads the first
# page of a program by itself.
brief() {
	mapfile -t files < <(identity__arguments "$dir" mmap mprotect dlopen shared |
		grep -vE "/($LEFT|program)\$")
	"$tools/mapper" -n 2 -r 2 -t 1 "${files[@]}" >/dev/null
	if [ -e "$dir/program" ]; then "$dir/program" 1 >/dev/null; fi
}

# By a process in the slow cgroup.
is_mapped() {
	sed 's,.*,/proc/&/maps,' /sys/fs/cgroup/slow/cgroup.procs | xargs -r grep -qsF " $1/"
}

is_empty() {
	if grep -q . "$1"; then return 1; fi
}

# record NAME WORKLOAD DIR [OPTION...]: the files of DIR, mapped by the function WORKLOAD,
# in a recording. Counts their records: with the right id; by where it was read; and those
# that could have one, or a cookie, and do not.
record() {
	local name=$1 workload=$2 dir=$3 status=0
	shift 3

	sed "s,^.*/,$dir/," "$out/ids" >"$dir/ids"
	drop
	timeout 1200 "$perfstamp" record -v -a -e dummy --map-ring-size 16M -o "$out/data" "$@" -- \
		bash -c ". tests/lib/identity.sh; $(declare -f "$workload" is_mapped is_empty); $(declare -p LEFT dir); $workload" \
		2>"$out/said" || status=$?
	[ "$status" -eq 0 ] || sed 's/^/# /' "$out/said"
	"$perfstamp" dump --json "$out/data" | jq -r --arg dir "$dir/" '
		select(.type == "MMAP2" and (.path | startswith($dir))) |
		[.path, .build_id // "-", .source // "-", .reason // "-"] | @tsv' |
		awk -v ids="$out/ids" -v left="^($LEFT)\$" -v name="$name" -v status="$status" '
			BEGIN { FS = "\t"; while ((getline line < ids) > 0) {
				split(line, f, " "); sub(".*/", "", f[1]); id[f[1]] = f[2] } }
			{ sub(".*/", "", $1) }
			$1 ~ left { next }
			{ n++; from[$3]++ }
			$2 != "-" && $2 != id[$1] { print "# WRONG " $0; wrong++; next }
			$2 != "-" { right++; next }
			$4 == "lookup-failed" || $4 == "not-resident" { if (missed++ < 5) print "# missed " $0 }
			END { print name ": status=" status, "n=" n + 0, "right=" right + 0, "wrong=" wrong + 0,
				"missed=" missed + 0, "faulted=" from["faulted"] + 0,
				"user=" from["user"] + 0 }'
}

# A busy host may leave a guest without a CPU for so long that its kernel takes that for a lockup.
sysctl -q kernel.watchdog_thresh=60 || true
mkdir -p "$out"
identity__make_odd "$disk"
cp "$tools/worker" "$disk/program"
id=$(file "$disk/program" | sed -n 's/.*BuildID\[sha1\]=\([0-9a-f]*\).*/\1/p')
sed "\$a$disk/program $id" "$disk/ids" >"$out/ids"
"$perfstamp" doctor >"$out/doctor" || true
sed -n 's/^. cold pages  */doctor: /p' "$out/doctor"

record brief brief "$disk"
# On a rung that has it not.
record without brief "$disk" --rung fentry

# An overlay has no pages of its own. What was touched through it is in the upper layer.
overlay=/var/tmp/overlay
mkdir -p "$overlay/upper" "$overlay/work" "$overlay/merged"
modprobe overlay
mount -t overlay -o "lowerdir=$disk,upperdir=$overlay/upper,workdir=$overlay/work" none "$overlay/merged"
touch -c "$overlay/merged/"{id-*,far,cross-*}
[ -e "$overlay/upper/far" ] && [ ! -e "$overlay/upper/plain" ]
record overlay brief "$overlay/merged"

# A disk that answers twice a second. Neither recording nor a SIGKILL waits for it.
slow() {
	mapfile -t files < <(identity__arguments "$dir" mmap)
	echo "+io" >/sys/fs/cgroup/cgroup.subtree_control
	mkdir -p /sys/fs/cgroup/slow
	echo "$(stat -c %Hd:%Ld "$dir") riops=2" >/sys/fs/cgroup/slow/io.max
	bash -c 'echo $$ >/sys/fs/cgroup/slow/cgroup.procs; exec "$@"' - \
		"$tools/mapper" -n 1 -r 1 -t 1 "${files[@]}" >/dev/null &
	await is_mapped "$dir"
	sleep 3
	echo 1 >/sys/fs/cgroup/slow/cgroup.kill
	AWAIT_SECONDS=60 await is_empty /sys/fs/cgroup/slow/cgroup.procs
}
record slow slow "$disk"
echo "kernel: $(dmesg | grep -cE 'WARNING|BUG|Oops|blocked for more' || true)"
