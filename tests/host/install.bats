#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What make install puts where, and that make uninstall takes all of it away. That the tarball
# of a release builds without git is shown by make distcheck, which takes minutes.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
}

teardown() {
	recording__end
}

make_in_root() {
	make -s -C "$root" OUTPUT="$(dirname "$perfstamp")" DESTDIR="$PWD/a root" PREFIX=/usr "$@"
}

@test "an installed perfstamp runs, and nothing is left when it is uninstalled" {
	make_in_root install
	run -0 "a root/usr/bin/perfstamp" --version
	[ "$output" = "perfstamp $(make -s -C "$root" version)" ]
	grep -qx 'ExecStart=/usr/bin/perfstamp record .*' "a root/usr/lib/systemd/system/perfstamp.service"
	grep -q '^ExecStart=/usr/bin/perfstamp push ' "a root/usr/lib/systemd/system/perfstamp-push@.service"
	for file in etc/perfstamp.conf usr/include/perfstamp/record.h usr/share/man/man1/perfstamp.1 \
		usr/share/doc/perfstamp/NEWS usr/share/zsh/site-functions/_perfstamp \
		usr/share/bash-completion/completions/perfstamp \
		usr/share/fish/vendor_completions.d/perfstamp.fish; do
		[ "$(stat -c %a "a root/$file")" = 644 ]
	done
	[ "$(find "a root/usr/share/man" -type f | wc -l)" = "$(find "$root/docs/man" -name '*.1' | wc -l)" ]
	touch "a root/usr/bin/other"
	make_in_root uninstall
	run -0 find "a root" ! -type d
	[ "$output" = "a root/usr/bin/other" ]
	run -0 find "a root" -name '*perfstamp*'
	[ -z "$output" ]
	make_in_root uninstall
}

@test "an edited configuration is kept by install and by uninstall" {
	make_in_root install
	echo '# mine' >>"a root/etc/perfstamp.conf"
	make_in_root install
	run -0 make_in_root uninstall
	[[ $output = *"a root/etc/perfstamp.conf was edited and is kept" ]]
	run -0 tail -n 1 "a root/etc/perfstamp.conf"
	[ "$output" = '# mine' ]
}

@test "the version is the same in NEWS and in the packages" {
	local version

	version=$(make -s -C "$root" version)
	[ "$(head -n 1 "$root/NEWS")" = "perfstamp $version" ]
	if [ -e "$root/debian/changelog" ]; then
		[[ $(head -n 1 "$root/debian/changelog") = "perfstamp ($version"* ]]
	fi
	if [ -e "$root/perfstamp.spec" ]; then
		grep -qx "Version: *$version" "$root/perfstamp.spec"
	fi
}

@test "the tarball of a release has what is committed, and the same bytes twice" {
	[ -e "$root/.git" ] || skip "this tree has no git"
	make -s -C "$root" OUTPUT="$PWD/one" dist
	make -s -C "$root" OUTPUT="$PWD/two" dist
	cmp one/perfstamp-*.tar.xz two/perfstamp-*.tar.xz
	[ "$(tar -tf one/perfstamp-*.tar.xz | grep -v '/$' | cut -d/ -f2- | sort)" = \
		"$(git -C "$root" ls-tree -r --name-only HEAD | sort)" ]
}

@test "perfstamp alone shows what to try first" {
	run -2 --separate-stderr "$perfstamp"
	[ -z "$output" ]
	# shellcheck disable=SC2154 # of bats
	[[ $stderr = "Usage: perfstamp COMMAND"*"To begin:"*" doctor "*" record -- "*" report "* ]]
	run -0 --separate-stderr "$perfstamp" --help
	[[ $output != *"To begin:"* ]]
}
