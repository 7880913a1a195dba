#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# segments.sh RUNG SHAPE...: records programs with several executable segments by this
# rung, and compares the mappings in the file with /proc/PID/maps, which each program
# prints itself. Prints one line "segments: SHAPE rung=RUNG COUNTS" for each, with the rung that
# was used, and what is missing.
# Shapes: plain, above, below, two, pie, static, static-pie, many, writable, loader (the
# interpreter has two segments, too), moved (its code, by mremap), and node (Debian's package). Needs gcc, or the
# programs in $SEGMENTS, where --build DIR has put them. Runs at the tree's root, as root.
set -euo pipefail

source=$PWD/tests/tools/segments.c
perfstamp=$(realpath "${OUTPUT:-.output}/perfstamp")

# build DIR: all shapes.
build() {
	local dir=$1 i places=''

	gcc -D_GNU_SOURCE -O1 -no-pie -o "$dir/plain" "$source"
	gcc -D_GNU_SOURCE -O1 -no-pie -o "$dir/above" "$source" -Wl,--section-start=.apart=0x900000
	gcc -D_GNU_SOURCE -O1 -no-pie -o "$dir/below" "$source" -Wl,--section-start=.apart=0x200000
	gcc -D_GNU_SOURCE -O1 -no-pie -o "$dir/two" "$source" \
		-Wl,--section-start=.apart=0x200000,--section-start=.apart2=0x40000000
	gcc -D_GNU_SOURCE -O1 -pie -o "$dir/pie" "$source" \
		-Wl,--section-start=.apart=0x900000,--section-start=.apart2=0x2000000
	gcc -D_GNU_SOURCE -O1 -no-pie -static -o "$dir/static" "$source" -Wl,--section-start=.apart=0x9000000
	gcc -D_GNU_SOURCE -O1 -static-pie -o "$dir/static-pie" "$source" -Wl,--section-start=.apart=0x9000000
	# Forty segments.
	for ((i = 0; i < 38; i++)); do
		printf '__attribute__((section(".far%d"), used)) int far%d(void) { return %d; }\n' \
			$i $i $i
		places+=",--section-start=.far$i=$(printf '%#x' $((0x10000000 + i * 0x100000)))"
	done >"$dir/many.c"
	gcc -D_GNU_SOURCE -O1 -no-pie -o "$dir/many" "$source" "$dir/many.c" \
		"-Wl,--section-start=.apart=0x900000$places"
	# What can be written to, too, is in no count of the kernel's.
	gcc -D_GNU_SOURCE -O1 -no-pie -DWRITABLE -o "$dir/writable" "$source" \
		-Wl,--section-start=.apart=0x900000,--no-warn-rwx-segments
	# An interpreter of two segments: it starts without anybody to load it, so it has no libc.
	cat >"$dir/interpreter.c" <<-'END'
		#include <fcntl.h>
		#include <sys/syscall.h>
		static long call(long n, long a, long b, long c)
		{
			long ret;
			__asm__ volatile("syscall" : "=a"(ret) : "0"(n), "D"(a), "S"(b), "d"(c)
				: "rcx", "r11", "memory");
			return ret;
		}
		/* Up to 6.1 an interpreter's last segment must be writable. */
		__attribute__((section(".last"))) volatile int last = 1;
		__attribute__((section(".apart"), noinline)) void compute(void)
		{
			for (volatile long i = 0; i < 60000000; i++)
				;
		}
		void _start(void)
		{
			char bytes[4096];
			long n, fd = call(SYS_open, (long)"/proc/self/maps", O_RDONLY, 0);
			while ((n = call(SYS_read, fd, (long)bytes, sizeof(bytes))) > 0)
				call(SYS_write, 1, (long)bytes, n);
			compute();
			call(SYS_exit, 0, 0, 0);
		}
	END
	gcc -D_GNU_SOURCE -O1 -static-pie -nostdlib -ffreestanding -fno-stack-protector -o "$dir/interpreter" \
		"$dir/interpreter.c" -Wl,--section-start=.apart=0x9000000,--section-start=.last=0xa000000
	gcc -D_GNU_SOURCE -O1 -no-pie -o "$dir/loader" "$source" -Wl,--section-start=.apart=0x900000 \
		-Wl,--dynamic-linker="$dir/interpreter"
}

# judge SHAPE: the executable mappings of data against those in maps. One that is larger in
# data was cut later, by an mprotect() without PROT_EXEC.
judge() {
	local unmapped lost used

	"$perfstamp" dump --json data | jq -r 'select(.type == "MMAP2" and .pid > 0 and
		(.addr | type) == "number") |
		[.addr, .addr + .len, .path] | @tsv' |
		while IFS=$'\t' read -r begin end path; do
			printf '%016x\t%016x\t%s\n' "$begin" "$end" "$path"
		done >told
	# Its status may be about identities, of which the kernel's own records of 5.10 have none.
	"$perfstamp" check data >checked || [ $? -eq 1 ]
	unmapped=$(sed -n 's/^ *user, not mapped *\([0-9]*\).*/\1/p' checked)
	lost=$(sed -n 's/^lost: lookup: \([0-9]*\).*/\1/p' checked)
	used=$("$perfstamp" dump --header-only data | sed -n 's/.*"rung: \(.*\)"$/\1/p')
	# Of sixteen digits each, so that addresses compare as text.
	awk -v shape="$1" -v rung="$used" -v counts="unmapped=$unmapped lost=${lost:-0}" '
		BEGIN { n = 0 }
		function address(hex) { return substr("x0000000000000000", 1, 17 - length(hex)) hex }
		FILENAME == "told" { split($0, f, "\t"); begin[n] = "x" f[1]; end[n] = "x" f[2]; path[n++] = f[3]; next }
		$2 !~ /x/ || $6 !~ /^\/|^\[vdso/ { next }
		{
			split($1, range, "-")
			from = address(range[1]); to = address(range[2]); found = 0; maps++
			for (i = 0; i < n; i++)
				found = found || (begin[i] <= from && to <= end[i] && path[i] == $6)
			if (!found) { missing++; print "# missing: " $0 }
		}
		END { print "segments:", shape, "rung=" rung, "maps=" maps + 0, "missing=" missing + 0, counts }
	' told maps
}

if [ "$1" = --build ]; then
	build "$2"
	# For guests, which have none.
	mkdir -p "$2/node.d"
	cp "$(readlink -f "$(command -v node)")" "$2/node.d/node"
	ldd "$2/node.d/node" | awk '$2 == "=>" && !/lib(c|m|dl|pthread)\.so/ { print $3 }' |
		xargs -r cp -L -t "$2/node.d"
	exit
fi
rung=$1
shift
node=(node)
[ ! -d "${SEGMENTS:-}/node.d" ] ||
	node=(env "LD_LIBRARY_PATH=$SEGMENTS/node.d" "$SEGMENTS/node.d/node")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
programs=${SEGMENTS:-$dir}
[ -n "${SEGMENTS:-}" ] || build "$dir"
cd "$dir"
for shape; do
	if [ "$shape" = node ]; then
		command=("${node[@]}" -e "console.log(require('fs').readFileSync('/proc/self/maps', 'utf8'));
			let s = 0; for (let t = Date.now(); Date.now() - t < 300;) s += Math.sin(t);")
	elif [ "$shape" = moved ]; then
		command=("$programs/above" moved 150)
	else
		command=("$programs/$shape" 150)
	fi
	rm -f data
	"$perfstamp" record --rung "$rung" -e cpu-clock -m 8M --map-ring-size 8M -o data \
		"${command[@]}" >maps 2>said || sed 's/^/# /' said
	judge "$shape"
done
