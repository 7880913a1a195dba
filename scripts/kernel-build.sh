# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Kernels with kernel-patch/: Debian's packaged source, the series on top, and what a
# guest boots from it. To be sourced after packages.sh and guest-images.sh. Which kernels
# there are is told here alone; how guests are run is not known here.

# shellcheck disable=SC2154 # set by those who source this
kernel__patches=$(dirname "$here")/kernel-patch

# kernel__source SERIES: the suite and the package that a series of kernel-patch/ is for.
# A suite moves within a version: that the patches still apply is for the tests to say.
kernel__source() {
	if [ -d "$kernel__patches/$1" ] || [ "${1%/*}" = v2 ]; then
		case ${1##*/} in
		6.12)
			echo bookworm linux-source-6.12
			return
			;;
		7.2)
			echo sid linux-source-7.2
			return
			;;
		esac
	fi
	packages__say "kernel-patch/$1: no such series: use one of $(kernel__names)"
	exit 2
}

# The series that there are: those of two digits are whole, those of v2/ one part each.
kernel__names() {
	find "$kernel__patches" -mindepth 1 -type d -name '[0-9]*' -printf '%P\n' |
		LC_ALL=C sort | tr '\n' ' '
}

# kernel__make_package SUITE PACKAGE DIR: the source as Debian packs it, and its version.
kernel__make_package() {
	local suite=$1 package=$2 dir=$3

	packages__with_update "$suite" packages__fetch "$suite" "$dir/debs" "$package"
	dpkg-deb -f "$dir"/debs/*.deb Version >"$dir/version"
	dpkg-deb --fsys-tarfile "$dir"/debs/*.deb | tar -x -C "$dir" --strip-components=3 \
		"./usr/src/$package.tar.xz"
	rm -rf "$dir/debs"
}

# kernel__package SERIES: prints the directory of the package's content.
kernel__package() {
	local suite package

	read -r suite package < <(kernel__source "$1")
	packages__once "$package" kernel__make_package "$suite" "$package"
}

# kernel__unpack SERIES DIR [PATH...]: the source, or only these parts of it, as DIR.
kernel__unpack() {
	local series=$1 dir=$2 package name
	shift 2

	package=$(kernel__package "$series")
	name=$(basename "$package"/*.tar.xz .tar.xz)
	mkdir -p "$dir"
	tar -x -C "$dir" -f "$package/$name.tar.xz" --strip-components=1 "${@/#/$name/}"
}

# kernel__patches_of SERIES: prints its patches, in order, without the cover letter.
# v2/VERSION is all parts together.
kernel__patches_of() {
	local -a directories=("$kernel__patches/$1")

	[ "${1%/*}" != v2 ] || directories=("$kernel__patches"/v2/*/"${1##*/}")
	find "${directories[@]}" -name '*.patch' ! -name '0000-*' | LC_ALL=C sort
}

# kernel__needed SERIES: those of the parts of v2 that it builds upon.
kernel__needed() {
	local part

	[ -e "$kernel__patches/${1%/*}/needs" ] || return 0
	while read -r part; do
		kernel__patches_of "v2/$part/${1##*/}"
	done <"$kernel__patches/${1%/*}/needs"
}

# kernel__series SERIES: both.
kernel__series() {
	kernel__needed "$1"
	kernel__patches_of "$1"
}

# kernel__apply_one SERIES DIR PATCH: not one line of context is let go.
kernel__apply_one() {
	patch -d "$2" -p1 --fuzz=0 --no-backup-if-mismatch --forward --silent <"$3" ||
		packages__die "$3 does not apply to $(cat "$(kernel__package "$1")/version")"
}

kernel__apply() {
	local patch

	while read -r patch; do kernel__apply_one "$1" "$2" "$patch"; done < <(kernel__series "$1")
}

# What checkpatch says of PATCH without a point: kernel-patch/README.md has the reasons.
kernel__known_complaints() {
	case $1 in
	*/v2/*) echo CAMELCASE,FILE_PATH_CHANGES,MISSING_SIGN_OFF,UNKNOWN_COMMIT_ID ;;
	*-selftests-*) echo FILE_PATH_CHANGES,LINE_SPACING,SPACING ;;
	*) echo FILE_PATH_CHANGES ;;
	esac
}

# What makes the same source the same object, wherever and whenever it is built: the
# compiler's cache then has it.
kernel__make() {
	local dir=$1
	shift
	env KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970' KBUILD_BUILD_USER=perfstamp \
		KBUILD_BUILD_HOST=perfstamp CCACHE_BASEDIR="$dir" CCACHE_NOHASHDIR=1 \
		make -C "$dir" -j"${JOBS:-$(nproc)}" CC='ccache gcc' -s "$@" </dev/null
}

# kernel__configure DIR CONFIG...: tinyconfig and CONFIG, each line of which has to hold.
kernel__configure() {
	local dir=$1 line
	shift

	kernel__make "$dir" tinyconfig
	(cd "$dir" && scripts/kconfig/merge_config.sh -m .config "$@") >"$dir/.merge" || {
		cat "$dir/.merge" >&2
		return 1
	}
	kernel__make "$dir" olddefconfig
	cat "$@" | grep '^CONFIG' | while read -r line; do
		grep -qxF "$line" "$dir/.config" ||
			packages__die "$line: this source does not let it be so: mend $*"
	done
}

# Ends with a sentence where what builds a kernel is not installed.
kernel__check_tools() {
	local tool

	for tool in bc bison ccache clang-19 flex gcc make patch perl xz; do
		command -v "$tool" >/dev/null ||
			packages__die "building this kernel needs $tool: run scripts/setup kernel"
	done
}

# kernel__make_image SERIES CONFIG... DIR: what images__kernel is asked for, and the
# series' own tests, in selftests/. With "without-" before SERIES, the same kernel without it.
kernel__make_image() {
	local series=${1#without-} dir=${!#} source release with=with
	local -a configs=("${@:2:$#-2}")

	[ "$series" = "$1" ] || with=without
	kernel__check_tools
	source=$dir/source
	kernel__unpack "$series" "$source"
	[ $with = without ] || kernel__apply "$series" "$source"
	kernel__configure "$source" "${configs[@]}"
	kernel__make "$source" bzImage modules
	release=$(kernel__make "$source" kernelrelease)
	mkdir -p "$dir/root/boot" "$dir/root/usr/lib" "$dir/selftests"
	ln -s usr/lib "$dir/root/lib"
	kernel__make "$source" INSTALL_MOD_PATH="$dir/root" INSTALL_MOD_STRIP=1 modules_install
	rm -f "$dir/root/lib/modules/$release"/{build,source}
	cp "$source/arch/x86/boot/bzImage" "$dir/root/boot/vmlinuz-$release"
	[ $with = without ] || kernel__selftests "$series" "$source" "$dir/selftests"
	images__finish_kernel "$dir" "$dir/root"
	cp "$source/.config" "$dir/config"
	echo "$(cat "$(kernel__package "$series")/version") $with kernel-patch/$series" >"$dir/version"
	rm -rf "$source" "$dir/root"
}

# kernel__selftests SERIES SOURCE DIR: the tests that the series adds, static, for any guest.
kernel__selftests() {
	local series=$1 source=$2 dir=$3 test
	local -a patches tests

	mapfile -t patches < <(kernel__patches_of "$series")
	mapfile -t tests < <(sed -n 's,^+++ b/tools/testing/selftests/perf_events/\(.*\)\.c$,\1,p' "${patches[@]}")
	kernel__make "$source" headers
	for test in "${tests[@]}"; do
		gcc -O2 -Wall -static -Wl,--build-id -isystem "$source/usr/include" \
			-I "$source/tools/testing/selftests" -o "$dir/$test" \
			"$source/tools/testing/selftests/perf_events/$test.c"
	done
}

# kernel__run_kunit SOURCE CONFIG: builds User-Mode Linux with CONFIG, each line of which has to
# hold, and runs what tests it has.
kernel__run_kunit() {
	local source=$1 config=$2

	(cd "$source" && tools/testing/kunit/kunit.py run --arch um --jobs "${JOBS:-$(nproc)}" \
		--kunitconfig "$config" --make_options 'CC=ccache gcc')
}

# kernel__image KERNEL: prints the directory of one of images__built_kernels.
kernel__image() {
	local kernel=$1 series=6.12 beside=config-filesystems
	local -a configs sources

	case $kernel in
	patched-debug) beside='config-debug' ;;
	patched-7.2) series=7.2 ;;
	patched-v2) series=v2/6.12 ;;
	patched-v2-7.2) series=v2/7.2 ;;
	unpatched) series=without-6.12 ;;
	esac
	configs=("$kernel__patches/config" "$kernel__patches/$beside")
	mapfile -t sources < <(kernel__series "${series#without-}")
	[ "$kernel" != unpatched ] || sources=()
	packages__once "kernel-$kernel-$(packages__key layout=1 "$(cat "${sources[@]}" "${configs[@]}")")" \
		kernel__make_image "$series" "${configs[@]}"
}
