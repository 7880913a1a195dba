#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Kernel modules that come and go under a recording.
# Usage: modules.sh run DIR CYCLES    in a guest, as root: records, and leaves in DIR what is
#                                     needed to judge
#        modules.sh judge DIR VERSION prints what the stock perf VERSION makes of it
#        modules.sh ours DIR          prints what perfstamp makes of it
# What was recorded on arm64 is judged with GUEST_ARCH=arm64.
# Who burns is named for it: CASE_COLOUR writes to the parameter that makes the module's
# function burn_COLOUR turn. In build 2 the two functions have changed places.
set -euo pipefail
output=${OUTPUT:-.output}
perfstamp=$output/perfstamp

# ---- In the guest ----

burn() {
	local case=$1 module=$2 colour

	for colour in red blue; do
		cp /bin/dash "$work/${case}_$colour"
		"$work/${case}_$colour" -c "echo 20 >/sys/module/$module/parameters/$colour"
	done
}

# Runs under the recorder.
cases() {
	local burn1=$work/1/burn.ko burn2=$work/2/burn.ko

	insmod "$burn1" && burn first burn && rmmod burn
	# the same build, at the same place
	insmod "$burn1" && burn again burn && rmmod burn
	# another build under the same name
	insmod "$burn2" && burn second burn && rmmod burn
	# another module at the address of an old one
	insmod "$work/third.ko" && burn third third
	# the first build at another address
	insmod "$burn1" && burn moved burn && rmmod burn third
	# one that its init refuses to load, after it has burnt a while
	insmod "$work/slow.ko" 2>/dev/null || true
	# modules of the distribution: this one measures itself while it is loaded
	modprobe raid6_pq && rmmod raid6_pq
	modprobe dummy && modprobe raid6_pq
	insmod "$burn2" && burn last burn
}

run() {
	local dir=$1 cycles=$2

	mkdir -p "$work"/{1,2} "$dir"
	tests/modules/build "$work/1/burn.ko" 1
	tests/modules/build "$work/2/burn.ko" 2
	tests/modules/build "$work/third.ko" 2
	tests/modules/build "$work/slow.ko" 1 -DINIT_MILLIONS=20 -DINIT_RESULT=-5
	# One that is there before.
	insmod "$work/1/burn.ko"
	"$perfstamp" record -a -e cpu-clock -F 999 -m 8M --map-ring-size 8M -o "$dir/data" -- \
		bash -c "set -e; $(declare -f burn cases); work=$work; burn before burn; rmmod burn; cases"
	mkdir "$dir/modules"
	cp -r "$work"/1 "$work"/2 "$work"/*.ko "$dir/modules"
	case $(modinfo -n raid6_pq) in
	*.xz) xz -dc "$(modinfo -n raid6_pq)" ;;
	*) cat "$(modinfo -n raid6_pq)" ;;
	esac >"$dir/modules/raid6_pq.ko"
	rmmod burn
	"$perfstamp" record -a -e cpu-clock -F 99 -m 8M --map-ring-size 16M -o "$dir/cycles.data" -- \
		"$output/tools/reload" "$cycles" burn "$work/1/burn.ko" "$work/2/burn.ko" >"$dir/cycles.us"
	"$perfstamp" list --modules --json "$dir/cycles.data" >"$dir/cycles.json"
	"$perfstamp" check --json "$dir/cycles.data" >"$dir/cycles.check" || true
	"$perfstamp" check --json "$dir/data" >"$dir/check" || true
	"$perfstamp" list --modules --json "$dir/data" >"$dir/lives.json"
}

# ---- Where it is judged ----

# Where modules are, as the first digits of an address. On arm64 they are beside the image, which
# a kernel moves.
modules_at() {
	case ${GUEST_ARCH-} in
	arm64) echo 'ffff[89a-f]' ;;
	*) echo 'ffffffffc' ;;
	esac
}

# Counts, per case: samples in modules with the right function, a wrong one, or none.
count() {
	awk '
		{ case_ = $1; symbol = $2 }
		case_ !~ /_(red|blue)$/ && symbol !~ /raid6/ { next }
		symbol ~ /^bpf_/ { next }
		{ colour = case_; sub(/.*_/, "", colour) }
		symbol == "[unknown]" || symbol == "-" { n[case_, "unknown"]++; seen[case_]; next }
		symbol ~ /raid6/ && symbol !~ /^\[/ { n["raid6", "right"]++; seen["raid6"]; next }
		symbol ~ "^(burn|set)_" colour "$" || symbol ~ /^millions/ { n[case_, "right"]++; seen[case_]; next }
		symbol ~ /^\[/ { next }
		{ n[case_, "wrong"]++; seen[case_] }
		END {
			for (c in seen)
				print c, "right=" n[c, "right"] + 0, "wrong=" n[c, "wrong"] + 0, \
					"unknown=" n[c, "unknown"] + 0
		}' | sort
}

judge() {
	local dir=$1 version=$2 module

	# The user's own build-id cache is neither filled nor asked.
	export PERFSTAMP_CACHE=${PERFSTAMP_CACHE:-$HOME/.cache/perfstamp} HOME=$dir/home
	mkdir -p "$HOME"
	for module in "$dir"/modules/{1/burn,2/burn,third,raid6_pq}.ko; do
		scripts/perf "$version" buildid-cache --add "$module"
	done
	# But for what an interrupt ran there: other modules, and the trampolines of probes.
	scripts/perf "$version" script -i "$dir/data" -F comm,ip,sym,dso 2>"$dir/perf.err" |
		awk -v at="^$(modules_at)" '$2 ~ at && $NF ~ /burn|third|raid6|unknown/ { print $1, $3 }' | count
}

# By the id that perfstamp tells, and that file's symbols. awk has no 64-bit numbers: what
# is compared are the lower 32 bits.
ours() {
	local dir=$1 module

	for module in "$dir"/modules/{1/burn,2/burn,third,raid6_pq}.ko; do
		readelf -sW "$module" | awk -v id="$(readelf -n "$module" | sed -n 's/.*Build ID: //p')" \
			-v text="$(readelf -SW "$module" | sed -n 's/^ *\[ *\([0-9]*\)\] \.text .*/\1/p')" '
			$4 == "FUNC" && $7 == text { print "symbol", id, $2, $3, $8 }'
	done >"$dir/symbols"
	"$perfstamp" list --modules "$dir/data" |
		awk 'NR > 1 { print "life", $1, $2, $3, $4, $5 }' >"$dir/lives"
	"$perfstamp" dump "$dir/data" | sed -n \
		-e 's/^COMM .* pid=\([0-9]*\) .*comm="\(.*\)"$/comm \1 \2/p' \
		-e 's/^SAMPLE .* time=\([0-9.]*\) pid=\([0-9]*\) .*ip=0x\('"$(modules_at)"'[0-9a-f]*\) .*/sample \1 \2 \3/p' |
		cat "$dir/symbols" "$dir/lives" - | awk '
		function hex(text, i, n) {
			text = substr(text, length(text) > 8 ? length(text) - 7 : 1)
			for (i = 1; i <= length(text); i++)
				n = 16 * n + index("0123456789abcdef", substr(text, i, 1)) - 1
			return n
		}
		$1 == "symbol" { n++; id[n] = $2; at[n] = hex($3); size[n] = $4; name[n] = $5 }
		$1 == "life" {
			l++; life[l] = $2; addr[l] = hex($3); len[l] = hex($4)
			from[l] = $5 == "-" ? 0 : $5; to[l] = $6 == "-" ? 1e18 : $6
		}
		$1 == "comm" { comm[$2] = $3 }
		$1 == "sample" {
			ip = hex($4); found = ""
			for (i = 1; i <= l; i++)
				if (ip >= addr[i] && ip < addr[i] + len[i] && $2 >= from[i] && $2 < to[i])
					found = i
			if (!found)
				next
			s++; pid[s] = $3; symbol[s] = "-"
			for (i = 1; i <= n; i++)
				if (id[i] == life[found] && ip - addr[found] >= at[i] && ip - addr[found] < at[i] + size[i])
					symbol[s] = name[i]
		}
		# Records of two CPUs are not in the order of time.
		END { for (i = 1; i <= s; i++) print comm[pid[i]], symbol[i] }' | count
}

work=/tmp/modules
"$@"
