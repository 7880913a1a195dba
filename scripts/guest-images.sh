# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What guests are made of: kernels, the root file system and the stock perfs, as files
# of the cache. To be sourced after packages.sh. Nothing is mounted: mke2fs fills the
# images from directories.

images__kernels=(5.10 6.1 6.12 newest)
# Debian's name of the machine, where it is not this one's: arm64. Its parts of the cache have
# that in front of their names. It has kernels with pages of 16 KiB, too.
images__arch=
images__arm64_kernels=(6.12-16k newest-16k)
# With kernel-patch/, built here (kernel-build.sh): minutes, where the others are fetched.
# patched-debug checks itself, and is several times slower; unpatched is without the series.
# patched-v2 and patched-v2-7.2 have all parts of the second version.
images__built_kernels=(patched patched-debug patched-7.2 patched-v2 patched-v2-7.2 unpatched)

# Where a kernel comes from that is a package.
images__suite_of_kernel() {
	local kernels="${images__kernels[*]} ${images__built_kernels[*]}"

	[ -z "$images__arch" ] || kernels="${images__kernels[*]} ${images__arm64_kernels[*]}"
	case $images__arch/$1 in
	*/5.10) echo bullseye ;;
	*/6.1) echo bookworm ;;
	*/6.12 | arm64/6.12-16k) echo trixie ;;
	*/newest | arm64/newest-16k) echo sid ;;
	*)
		packages__say "$1: no such kernel: use one of $kernels"
		exit 2
		;;
	esac
}

# What the tests use in a guest, the libraries that perfstamp is linked with included.
images__root_packages=(
	bats binutils bpftool btrfs-progs bzip2 e2fsprogs file gcc iproute2 jq kmod libarchive13
	libbpf1 libc6-dev libc6-i386 libcap2 libcap2-bin libdebuginfod1 libdw1 libelf1
	libjson-c5 libpfm4 libprotobuf-c1 libseccomp2 libsystemd0 libzstd1 make procps psmisc squashfs-tools
	util-linux xfsprogs xz-utils zstd
)

# Another machine's root is only unpacked: what this machine has anyway is named, too, and there
# is no libc for another ABI.
images__arm64_root_packages=('?essential' ca-certificates)

# With guest --systemd.
images__systemd_packages=(systemd)

# The modules that the initramfs needs before there is a root.
images__early_modules=(virtio_pci virtio_blk virtio_console crc32c_generic crc32c ext4)

# By which a guest without firmware finds its PCI bus.
images__arm64_early_modules=(pci_host_generic)

# What stands in front of a name in the cache, and behind a suite: nothing for this machine.
images__prefix() { echo "${images__arch:+$images__arch-}"; }
images__of_arch() { echo "$1${images__arch:+:$images__arch}"; }

# images__ext4 FILE DIR SPARE_MIB: an image of the directory with that much free space.
# 4 KiB blocks, as on a real disk: mke2fs would choose 1 KiB for a small one.
images__ext4() {
	local file=$1 dir=$2 spare=$3 used

	used=$(du -s --apparent-size -B1M "$dir" | cut -f1)
	# Blocks round up and metadata is not counted: a quarter more, and room for small files.
	truncate -s $((used + used / 4 + spare + $(find "$dir" | wc -l) / 200 + 8))M "$file"
	mke2fs -q -t ext4 -b 4096 -O ^has_journal -m 0 -d "$dir" "$file"
}

# images__make_kernel SUITE PACKAGE DIR: vmlinuz, initramfs, modules.ext4, release, version.
images__make_kernel() {
	local suite=$1 package=$2 dir=$3

	packages__with_update "$suite" images__fetch_kernel "$suite" "$package" "$dir/debs"
	packages__unpack "$dir/debs" "$dir/all"
	images__finish_kernel "$dir" "$dir/all"
	dpkg-deb -f "$dir"/debs/linux-image-*.deb Version >"$dir/version"
	rm -rf "$dir/debs" "$dir/all"
}

# The cloud kernel is a package that depends on the one with the version in its name;
# from 6.17 on this one in turn has its content in packages of the same version.
images__fetch_kernel() {
	local suite=$1 package=$2 dir=$3 image
	local -a parts

	image=$(packages__apt "$suite" apt-cache depends "$package" |
		sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p')
	[ -n "$image" ] || packages__die "suite $suite: $package names no kernel"
	mapfile -t parts < <(packages__apt "$suite" apt-cache depends "$image" |
		sed -nE 's/^ *Depends: (linux-(base|binary|modules)-[0-9].*)/\1/p')
	# This machine's own busybox runs on no other.
	[ -z "$images__arch" ] || parts+=(busybox-static)
	packages__fetch "$suite" "$dir" "$image" "${parts[@]}"
}

# images__unpack_kernel FILE: the image that a compressed one unpacks itself, which QEMU before
# 8.1 does not: include/linux/pe.h and drivers/firmware/efi/libstub/zboot-header.S of Linux.
images__unpack_kernel() {
	local file=$1 offset size

	[ "$(dd if="$file" bs=1 skip=4 count=4 status=none | tr -d '\0')" = zimg ] || return 0
	read -r offset size < <(od -An -tu4 -j8 -N8 "$file")
	tail -c +$((offset + 1)) "$file" | head -c "$size" >"$file.packed"
	case $(od -An -tx1 -N4 "$file.packed" | tr -d ' ') in
	1f8b*) gzip -dcq <"$file.packed" >"$file" || [ $? -eq 2 ] ;;
	28b52ffd) zstd -dcq <"$file.packed" >"$file" ;;
	*) packages__die "${file##*/}: packed in a way that is not known here" ;;
	esac
	rm "$file.packed"
}

# images__finish_kernel DIR ROOT: the files of a kernel installed below ROOT.
images__finish_kernel() {
	local dir=$1 root=$2 release file module busybox=/bin/busybox
	local -a modules=("${images__early_modules[@]}")

	if [ -n "$images__arch" ]; then
		modules=("${images__arm64_early_modules[@]}" "${modules[@]}")
		busybox=$root/bin/busybox
	fi
	release=$(ls "$root/usr/lib/modules")
	echo "$release" >"$dir/release"
	for file in "$root/boot/vmlinuz-$release" "$root/usr/lib/modules/$release/vmlinuz"; do
		if [ -f "$file" ]; then
			cp "$file" "$dir/vmlinuz"
			break
		fi
	done
	[ -f "$dir/vmlinuz" ] || packages__die "kernel $release: no vmlinuz in its packages"
	images__unpack_kernel "$dir/vmlinuz"
	depmod -b "$root" "$release"
	images__ext4 "$dir/modules.ext4" "$root/usr/lib/modules" 0

	# In the order in which they can be inserted, and without compression, so that the
	# initramfs needs no module tools.
	mkdir -p "$dir"/early/{bin,modules}
	: >"$dir/early/modules/order"
	for module in "${modules[@]}"; do
		modprobe -d "$root" -S "$release" -q --show-depends "$module" |
			sed -n 's/^insmod \([^ ]*\).*/\1/p' || true
	done | awk '!seen[$0]++' | while read -r file; do
		module=$(basename "$file")
		module=${module%%.ko*}.ko
		case $file in
		*.xz) xz -dc "$file" ;;
		*.zst) zstd -dcq "$file" ;;
		*) cat "$file" ;;
		esac >"$dir/early/modules/$module"
		echo "$module" >>"$dir/early/modules/order"
	done
	cp "$busybox" "$dir/early/bin/busybox"
	# busybox runs its own applets by name only through links.
	for file in sh mount mkdir insmod cat cp rmdir switch_root; do
		ln -s busybox "$dir/early/bin/$file"
	done
	(cd "$dir/early" && find . | LC_ALL=C sort | cpio -o -H newc --quiet) >"$dir/initramfs"
	rm -rf "$dir/early"
}

# images__kernel KERNEL: prints the directory with that kernel's files; KERNEL may be one.
images__kernel() {
	local suite package=linux-image-cloud-${images__arch:-amd64}

	if [ -f "$1/vmlinuz" ]; then
		echo "$1"
		return
	fi
	if [ -z "$images__arch" ] && [[ " ${images__built_kernels[*]} " = *" $1 "* ]]; then
		kernel__image "$1"
		return
	fi
	suite=$(images__suite_of_kernel "$1")
	case $1 in
	*-16k) package=linux-image-$images__arch-16k ;;
	esac
	packages__once "$(images__prefix)kernel-$1-$(packages__key "$suite" layout=3 "${images__early_modules[@]}")" \
		images__make_kernel "$(images__of_arch "$suite")" "$package"
}

# images__make_root SUITE DIR: a minimal Debian with what tests need, as root.ext4. The
# packages come through apt's solver, which knows what a name became in another release.
images__make_root() {
	local suite=$1 dir=$2

	[ "$(id -u)" -eq 0 ] || packages__die "making the guests' root file system needs root: run once as root"
	packages__with_update "$suite" images__install_root "$suite" "$dir/tree"
	images__ext4 "$dir/root.ext4" "$dir/tree" 2048
	rm -rf "$dir/tree"
}

images__install_root() {
	local suite=$1 tree=$2 uri

	uri=$(sed -n '1s/.*] \([^ ]*\) .*/\1/p' "$(packages__cache)/apt/$suite/sources.list")
	debootstrap --variant=minbase --keyring="$(packages__keyring)" "$suite" "$tree" "$uri" \
		>"$tree.log" 2>&1 || {
		tail -n 20 "$tree.log" >&2
		packages__die "debootstrap of $suite failed: its last lines are above"
	}
	packages__apt "$suite" apt-get -y -o Dir::State::status="$tree/var/lib/dpkg/status" \
		-o Dir::State::extended_states="$tree/var/lib/apt/extended_states" \
		-o Dir::Cache::archives="$tree/var/cache/apt/archives" \
		-o DPkg::Chroot-Directory="$tree" -o DPkg::Options::=--force-unsafe-io \
		-o DPkg::Options::='--path-exclude=/usr/share/doc/*' \
		-o DPkg::Options::='--path-exclude=/usr/share/man/*' \
		-o DPkg::Options::='--path-exclude=/usr/share/locale/*' \
		install "${images__root_packages[@]}" >>"$tree.log" 2>&1 || {
		tail -n 20 "$tree.log" >&2
		packages__die "installing the guests' packages failed: the last lines are above"
	}
	rm -rf "$tree"/var/cache/apt/* "$tree"/var/lib/apt/lists/* "$tree"/usr/share/{doc,man,locale}/* \
		"${tree:?}"/dev/* "$tree.log"
	# Made here so that a read-only look at the image shows where things go.
	mkdir -p "$tree"/{out,lib/modules,var/cache/perfstamp}
}

# images__make_unpacked_root SUITE DIR: the same for another machine. Its programs do not run
# here, so that no package is configured, but for the few things that scripts and tests go by.
images__make_unpacked_root() {
	local suite=$1 dir=$2 tree=$2/tree file
	local -a packages

	[ "$(id -u)" -eq 0 ] || packages__die "making the guests' root file system needs root: run once as root"
	mapfile -t packages < <(printf '%s\n' "${images__root_packages[@]}" | grep -v i386)
	packages__with_update "$suite" packages__fetch_closure "$suite" "$dir/debs" \
		"${images__arm64_root_packages[@]}" "${packages[@]}"
	packages__unpack "$dir/debs" "$tree"
	mkdir -p "$tree"/{dev,proc,sys,run,tmp,root,mnt,out,lib/modules,var/cache/perfstamp,var/tmp}
	chmod 1777 "$tree/tmp" "$tree/var/tmp"
	for file in passwd group; do cp "$tree/usr/share/base-passwd/$file.master" "$tree/etc/$file"; done
	cp "$tree/usr/share/libc-bin/nsswitch.conf" "$tree/etc/nsswitch.conf"
	[ -e "$tree/bin/sh" ] || ln -s dash "$tree/bin/sh"
	[ -e "$tree/usr/bin/awk" ] || ln -s mawk "$tree/usr/bin/awk"
	[ -e "$tree/usr/bin/which" ] || ln -s which.debianutils "$tree/usr/bin/which"
	rm -rf "$tree"/usr/share/{doc,man,locale}/*
	images__ext4 "$dir/root.ext4" "$tree" 2048
	rm -rf "$tree" "$dir/debs"
}

# images__root: prints the path of the root image, of the host's own release so that
# what was built on the host runs there.
images__root() {
	local suite dir

	suite=$(packages__host_suite)
	if [ -n "$images__arch" ]; then
		dir=$(packages__once "$(images__prefix)root-$suite-$(packages__key layout=1 \
			"${images__root_packages[@]}" "${images__arm64_root_packages[@]}")" \
			images__make_unpacked_root "$(images__of_arch "$suite")")
	else
		dir=$(packages__once "root-$suite-$(packages__key layout=1 "${images__root_packages[@]}")" \
			images__make_root "$suite")
	fi
	echo "$dir/root.ext4"
}

# images__make_systemd SUITE ROOT_IMAGE DIR: what systemd takes beyond the root, as
# systemd.tar. Unpacked only: the packages' scripts would run parts of it on this machine.
images__make_systemd() {
	local suite=$1 root_image=$2 dir=$3

	debugfs -R 'cat /var/lib/dpkg/status' "$root_image" >"$dir/status" 2>/dev/null
	packages__with_update "$suite" packages__fetch_closure "$suite" "$dir/debs" \
		-o Dir::State::status="$dir/status" "${images__systemd_packages[@]}"
	packages__unpack "$dir/debs" "$dir/tree"
	[ -x "$dir/tree/usr/lib/systemd/systemd" ] || packages__die "no systemd in its packages"
	(cd "$dir/tree" && tar -c --owner=0 --group=0 etc usr var) >"$dir/systemd.tar"
	rm -rf "$dir/debs" "$dir/tree" "$dir/status"
}

# images__systemd ROOT_IMAGE: prints the path of the archive.
images__systemd() {
	local suite dir

	suite=$(packages__host_suite)
	dir=$(packages__once "$(images__prefix)systemd-$suite-$(packages__key "$1" "${images__systemd_packages[@]}")" \
		images__make_systemd "$(images__of_arch "$suite")" "$1")
	echo "$dir/systemd.tar"
}

# images__make_judges PERF_DIR... DIR: the stock perfs, as a cache of their own.
images__make_judges() {
	local dir=${!#} perf name

	mkdir "$dir/tree"
	for perf in "${@:1:$#-1}"; do
		# By the name that it has on its own machine.
		name=${perf##*/}
		cp -a --reflink=auto "$perf" "$dir/tree/${name#"$(images__prefix)"}"
	done
	images__ext4 "$dir/judges.ext4" "$dir/tree" 0
	rm -rf "$dir/tree"
}

images__judges() {
	local dir version
	local -a perfs

	for version in 6.1 6.12 newest; do
		perfs+=("$("$here/perf" ${images__arch:+--arch "$images__arch"} --dir "$version")")
	done
	dir=$(packages__once "$(images__prefix)judges-$(packages__key "${perfs[@]##*/}")" images__make_judges "${perfs[@]}")
	echo "$dir/judges.ext4"
}
