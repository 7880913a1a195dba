# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The torture set: what is mapped, where it lies and how. Each file has "@CASE@PHASE" in
# its path, by which tests/tools/compare tells the cases apart; PHASE is warm or cold.
# Sourced in a guest, as root, at the tree's root, after identity.sh. Knows nothing of
# recordings and judges. To fork takes a guest longest, so results are in variables.
# shellcheck disable=SC2154 # what is identity.sh's and the caller's
# shellcheck disable=SC2034 # what is for these

# On a disk, in memory, and in images of other file systems.
torture__disk=/var/tmp/torture
torture__memory=/tmp/torture
torture__images=/mnt/torture

# What the file is like: each case, with kinds of elf_gen. KIND/N has an id of N bytes.
declare -A torture__contents=(
	[id-1]="plain/1" [id-8]="plain/8" [id-16]="plain/16" [id-20]="plain/20"
	[id-zeros]="plain/zeros"
	[notes-before]="notes-8 notes-80 notes-9000 segments-3 two-ids"
	[notes-aligned-8]="align-8 align-8-after align-1"
	[note-in-page-0]="plain" [note-across-pages]="cross-desc cross-name cross-header cross-far"
	[note-beyond-page-0]="page-1 page-3" [note-beyond-1-mib]="far far-4g"
	[many-headers]="phdrs-200 phdrs-300 phdrs-66000" [headers-elsewhere]="phdrs-cross phdrs-far"
	[no-id]="none section name note-type descsz-none filesz-none"
	[id-too-long]="plain/21 plain/64"
	[lying-sizes]="phentsize phnum-none phoff phoff-wraps filesz-short offset offset-wraps
		namesz namesz-short descsz earlier-descsz"
	[not-for-libelf]="class data version cut-ehdr cut-phdrs cut-notes cut-note cut-id filesz phnum"
	[not-elf]="text empty magic"
	[et-exec]="exec" [et-rel]="rel" [elf32]="elf32 elf32-exec"
	[other-byte-order]="other-endian elf32-other-endian"
)
# How it is mapped: ways of mapper; each maps the kinds of torture__some.
torture__ways=(memfd tmpfile deleted shared twice mprotect library)
# Where it is.
torture__places=(tmpfs hard-link bind-mount overlay-lower overlay-upper idmapped long-path)
# In images of them: all three, or, on a kernel without them, none.
torture__filesystems=(squashfs xfs btrfs)
# What takes a process of its own, or several.
torture__scenes=(before program-et-exec program-pie program-elf32 library-after-fork chroot
	mount-namespace renamed-over rewritten copied-up brief brief-exec debian)
torture__some=(plain cross-far page-3 notes-8 none)

# Programs: kinds of elf_gen that wait, or end at once when they have an argument.
declare -A torture__programs=(
	[program-et-exec]="exec" [program-pie]="plain far"
	[program-elf32]="elf32 elf32-exec" [brief-exec]="exec plain far elf32-exec"
)
# Kernels of arm64 with pages of another size than 4 KiB run no programs of 32 bits.
torture__leave_out_elf32() {
	[ -n "${torture__no_elf32-}" ] || return 0
	unset 'torture__programs[program-elf32]'
	torture__programs[brief-exec]=${torture__programs[brief-exec]/elf32-exec/}
}
torture__leave_out_elf32

# How often the brief ones are mapped.
torture__times_warm=200 torture__times_cold=12 torture__times_exec=8
# Real libraries: lines of the list.
torture__debian_warm=1,30 torture__debian_cold=31,60

# Sets dir to where the files of a case are.
torture__dir() {
	dir=$torture__disk/@$1@$2
	case $1 in
	tmpfs) dir=$torture__memory/@$1@$2 ;;
	squashfs | xfs | btrfs) dir=$torture__images/$1/@$1@$2 ;;
	bind-mount | overlay-upper | idmapped | overlay-lower) dir+=/mounted ;;
	esac
}

# Prints the names of all cases.
torture__cases() {
	printf '%s\n' "${!torture__contents[@]}" "${torture__ways[@]}" "${torture__places[@]}" \
		"${torture__filesystems[@]}" "${torture__scenes[@]}" | LC_ALL=C sort
}

# ---- Making them ----

torture__n_ids=0
torture__dirs=()  # to be made
torture__specs=() # for elf_gen

# Sets id to one that no file has yet, of SIZE bytes, by default 20.
torture__new_id() {
	local size=${1:-20}

	torture__n_ids=$((torture__n_ids + 1))
	case $size in
	zeros) printf -v id '%040d' 0 ;;
	1) printf -v id '%02x' $((torture__n_ids & 255)) ;;
	*)
		printf -v id '%08x' "$torture__n_ids"{,,,}{,,,}
		id=${id:0:$((2 * size))}
		;;
	esac
}

# file KIND[/SIZE] FILE: one for elf_gen to make.
torture__file() {
	local size=

	case $1 in */*) size=${1#*/} ;; esac
	torture__new_id "$size"
	torture__specs+=("${1%/*}" "$id" "$2")
	torture__ids[$2]=$id
}

# files DIR KIND...: these kinds there.
torture__files() {
	local kind

	torture__dirs+=("$1")
	for kind in "${@:2}"; do torture__file "$kind" "$1/${kind/\//-}"; done
}

torture__some_in() {
	torture__files "$1" "${torture__some[@]}"
}

# Makes what was asked for since the last time.
torture__generate() {
	mkdir -p "${torture__dirs[@]}"
	"$tools/elf_gen" "${torture__specs[@]}"
	torture__dirs=() torture__specs=()
}

torture__make_image() {
	mkdir -p "$torture__images/$1"
	truncate -s "$2" "/tmp/$1.image"
	"mkfs.$1" -q "/tmp/$1.image" >/dev/null 2>&1
	mount -o loop "/tmp/$1.image" "$torture__images/$1"
}

# Sets long to a directory of 4,090 bytes, its slash included: a file "plain" in it has
# the longest path that can be opened.
torture__long_path() {
	local LC_ALL=C component left

	torture__dir long-path "$1"
	long=$dir
	printf -v component '\n\e[31mnew line "\\ \xff\xfe%0180d' 0
	while left=$((4089 - ${#long})) && [ $left -gt 256 ]; do long+=/$component; done
	printf -v component '%0*d' $((left - 1)) 0
	long+=/$component/
}

torture__make_phase() {
	local phase=$1 case dir long kinds

	for case in "${!torture__contents[@]}" "${!torture__programs[@]}"; do
		read -r -d '' -a kinds <<<"${torture__contents[$case]-}${torture__programs[$case]-}" || true
		torture__dir "$case" "$phase"
		torture__files "$dir" "${kinds[@]}"
	done
	for case in "${torture__ways[@]}" tmpfs before library-after-fork chroot brief; do
		torture__dir "$case" "$phase"
		torture__some_in "$dir"
	done
	for case in "${torture__filesystems[@]}"; do
		torture__dir "$case" "$phase"
		# It is made of what lies elsewhere.
		[ "$case" != squashfs ] || dir=$torture__disk/squashfs/@$case@$phase
		torture__some_in "$dir"
	done
	for case in bind-mount idmapped overlay-lower copied-up mount-namespace hard-link; do
		torture__some_in "$torture__disk/@$case@$phase/source"
		torture__dirs+=("$torture__disk/@$case@$phase/mounted")
	done
	torture__some_in "$torture__disk/upper/$phase"
	torture__dirs+=("$torture__disk/@overlay-upper@$phase"/{source,mounted})
	torture__dirs+=("$torture__disk/@debian@$phase")
	for case in renamed-over rewritten copied-up; do
		torture__dirs+=("$torture__disk/@$case@$phase")
		torture__some_in "$torture__disk/first/$case-$phase"
		torture__some_in "$torture__disk/second/$case-$phase"
	done
	torture__long_path "$phase"
	torture__files "${long%/}" plain
}

# overlay DIR: what is in DIR/source below, mounted at DIR/mounted.
torture__overlay() {
	mkdir -p "$1"/{upper,work,mounted}
	mount -t overlay overlay \
		-o "lowerdir=$1/source,upperdir=$1/upper,workdir=$1/work" "$1/mounted"
}

torture__mount_phase() {
	local at=$torture__disk phase=$1 status=0

	mount --bind "$at/@bind-mount@$phase/source" "$at/@bind-mount@$phase/mounted"
	"$tools/idmapped" "$at/@idmapped@$phase/source" "$at/@idmapped@$phase/mounted" || status=$?
	# Not before 5.12: then nothing is there.
	[ $status -eq 0 ] || [ $status -eq 77 ]
	torture__overlay "$at/@overlay-lower@$phase"
	torture__overlay "$at/@overlay-upper@$phase"
	# Made through it: they are in the upper layer alone.
	cp "$at/upper/$phase"/* "$at/@overlay-upper@$phase/mounted"
	mount --bind "/usr/lib/$(uname -m)-linux-gnu" "$at/@debian@$phase"
	# A second name for each.
	cp -l "$at/@hard-link@$phase/source"/* "$at/@hard-link@$phase/mounted"
	# A real one, which waits for its input.
	cp /bin/cat "$at/@program-pie@$phase"
}

# What the processes are known to map that are gone before anybody can look: "TIMES ID
# PATH" for compare.
torture__known() {
	local phase=$1 times=torture__times_$1 kind dir

	torture__dir brief "$phase"
	for kind in plain page-3; do echo "${!times} ${torture__ids[$dir/$kind]} $dir/$kind"; done
	torture__dir brief-exec "$phase"
	for kind in ${torture__programs[brief-exec]}; do
		echo "$torture__times_exec ${torture__ids[$dir/$kind]} $dir/$kind"
	done
}

# Everything that one boot needs.
torture__prepare() {
	declare -gA torture__ids=()

	modprobe -a overlay loop "${torture__filesystems[@]}"
	mkdir -p "$torture__disk" "$torture__images/squashfs"
	"$tools/elf_gen" elf32-exec - "$torture__disk/elf32-exec"
	# In the environment, for the shell that plays.
	"$torture__disk/elf32-exec" ends || export torture__no_elf32=1
	torture__leave_out_elf32
	if [ ${#torture__filesystems[@]} -gt 0 ]; then
		torture__make_image xfs 320M
		torture__make_image btrfs 128M
	fi
	torture__make_phase warm
	torture__make_phase cold
	torture__generate
	if [ ${#torture__filesystems[@]} -gt 0 ]; then
		mksquashfs "$torture__disk/squashfs" /tmp/squashfs.image -quiet -no-progress >/dev/null
		mount -o loop /tmp/squashfs.image "$torture__images/squashfs"
	fi
	torture__mount_phase warm
	torture__mount_phase cold
	find "$torture__disk/@debian@warm" -maxdepth 1 -name '*.so.*' -type f -size -1024k |
		LC_ALL=C sort >"$torture__disk/debian"
	{
		torture__known warm
		torture__known cold
	} >"$torture__disk/known"
}

# Reads all that is to be warm. Of the largest, the places of headers and notes.
torture__warm_up() {
	local dir

	find "$torture__disk" "$torture__images" "$torture__memory" -path '*@warm*' -type f \
		-size -64M ! -path '*@debian*' -exec cat {} + >/dev/null
	sed -n "$torture__debian_warm p" "$torture__disk/debian" | xargs cat >/dev/null
	torture__dir note-beyond-1-mib warm
	head -c 65536 "$dir/far-4g" >/dev/null
	tail -c 65536 "$dir/far-4g" >/dev/null
}

# ---- What is mapped while a recording runs ----

# add WAY FILE...: to files, mapper's arguments.
torture__add() {
	local way=$1
	shift

	files+=("${@/#/$way:}")
}

# All that one process can map, into files.
torture__add_all() {
	local phase=$1 case dir long range=torture__debian_$1

	files=()
	for case in "${!torture__contents[@]}"; do
		torture__dir "$case" "$phase"
		# Of these the kernel's own parser, which that rung has, takes ids all the same.
		[ "$case${torture__native-}" = not-for-libelf1 ] || torture__add mmap "$dir"/*
	done
	for case in "${torture__ways[@]}"; do
		torture__dir "$case" "$phase"
		case $case in
		deleted) torture__add unlinked "$dir"/* ;;
		library) torture__add dlopen "$dir"/* ;;
		*) torture__add "$case" "$dir"/* ;;
		esac
	done
	for case in tmpfs bind-mount overlay-lower overlay-upper idmapped "${torture__filesystems[@]}"; do
		torture__dir "$case" "$phase"
		# There are no idmapped mounts on some.
		[ ! -e "$dir/plain" ] || torture__add mmap "$dir"/*
	done
	torture__dir hard-link "$phase"
	torture__add mmap "$dir"/{source,mounted}/*
	for case in "${!torture__programs[@]}"; do
		torture__dir "$case" "$phase"
		[ "$case" = brief-exec ] || torture__add exec "$dir"/*
	done
	torture__long_path "$phase"
	torture__add mmap "${long}plain"
	mapfile -t -O "${#files[@]}" files < \
		<(sed -n "${!range} s,^,mmap:,p" "$torture__disk/debian")
}

# hold PHASE ARGUMENT...: as identity__hold, with pages as the phase wants them.
torture__hold() {
	local options=()

	[ "$1" = warm ] || options=(-c)
	identity__hold "${options[@]}" "${@:2}"
}

# One content after the other at the paths of these cases, and both held, but where the
# first becomes the second. These are looked at before.
torture__play_changes() {
	local at=$torture__disk phase=$1 case files=()

	for case in renamed-over rewritten; do
		cp --remove-destination "$at/first/$case-$phase"/* "$at/@$case@$phase"
	done
	torture__overlay "$at/@copied-up@$phase"
	torture__add mmap "$at/@renamed-over@$phase"/*
	torture__hold "$phase" "${files[@]}"
	files=()
	torture__add mmap "$at/@rewritten@$phase"/* "$at/@copied-up@$phase/mounted"/*
	torture__hold "$phase" "${files[@]}"
	"$tools/oracle" "${held[@]}" >>"$torture__seen"
	torture__settle
	identity__let_newest_go
	mkdir "$at/new"
	cp "$at/second/renamed-over-$phase"/* "$at/new"
	mv "$at/new"/* "$at/@renamed-over@$phase"
	rmdir "$at/new"
	# cp writes into a file that is there.
	cp "$at/second/rewritten-$phase"/* "$at/@rewritten@$phase"
	cp "$at/second/copied-up-$phase"/* "$at/@copied-up@$phase/mounted"
	torture__add mmap "$at/@renamed-over@$phase"/*
	torture__hold "$phase" "${files[@]}"
}

torture__play_brief() {
	local phase=$1 options=() dir kind n files=()

	torture__dir brief "$phase"
	if [ "$phase" = warm ]; then
		"$tools/mapper" -n 4 -r $torture__times_warm -t 1 "mmap:$dir"/{plain,page-3} >/dev/null
	else
		# One at a time: what another has mapped stays in memory.
		options=(-c)
		"$tools/mapper" -c -r $torture__times_cold -t 1 "mmap:$dir"/{plain,page-3} >/dev/null
	fi
	torture__dir brief-exec "$phase"
	for ((n = 0; n < torture__times_exec; n++)); do
		for kind in ${torture__programs[brief-exec]}; do files+=("spawn:$dir/$kind"); done
	done
	"$tools/mapper" "${options[@]}" "${files[@]}" </dev/null >/dev/null
}

# All of a phase, held. Called in the workload of a recording; the caller's torture__settle
# waits until the recording has come to what is mapped, torture__seen is the oracle's file.
torture__play() {
	local phase=$1 dir files

	torture__add_all "$phase"
	torture__hold "$phase" "${files[@]}"
	torture__dir library-after-fork "$phase"
	torture__hold "$phase" -n 2 "${torture__some[@]/#/dlopen:$dir/}"
	torture__dir chroot "$phase"
	torture__hold "$phase" -R "$dir" "${torture__some[@]/#/mmap:/}"
	torture__dir mount-namespace "$phase"
	# shellcheck disable=SC2016 # what the shell there is to expand
	identity__through=(unshare -m sh -c
		'mount --bind "$0/source" "$0/mounted" && exec "$@"' "$dir")
	torture__hold "$phase" "${torture__some[@]/#/mmap:$dir/mounted/}"
	identity__through=()
	torture__play_changes "$phase"
	torture__play_brief "$phase"
}

# Undoes what a recording has left.
torture__clean() {
	local at=$torture__disk/@copied-up

	# Those who had it mapped may not be quite gone.
	umount -l "$at@warm/mounted" "$at@cold/mounted" || true
	rm -rf "$at"@{warm,cold}/{upper,work}
}
