#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What packagers read: the Debian package of what is built here, by lintian, and the RPM spec, by
# rpmlint. That packages build, install, upgrade and go again in bare roots is shown by make
# packages-test, which takes a quarter of an hour.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
}

teardown() {
	recording__end
}

# The value of a field of debian/control, or of a group of scripts/setup, a package a line.
build_depends() {
	sed -n '/^Build-Depends:/,/^[^ ]/s/^ \([a-z0-9-]*\)[ ,(].*/\1/p' "$root/debian/control"
}

setup_group() {
	sed -n "/^$1=(/,/)/p" "$root/scripts/setup" | tr -d '()' | sed "s/^$1=//" | tr -s '\t ' '\n' | sed '/^$/d'
}

@test "the Debian package is built from what make installs, and lintian has nothing to say" {
	mkdir tree
	# The programs are those that are tested here: nothing is compiled.
	tar -c -C "$root" --exclude=./.git --exclude=./.output . | tar -x -C tree
	mkdir tree/.output
	tar -c -C "$(dirname "$perfstamp")" --exclude=./{asan,bench,fuzz,lint,test,tools,unit} . | tar -x -C tree/.output
	(cd tree && DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -b -nc -d -us -uc) >said 2>&1 || { tail said && false; }
	# How it is compiled is for make packages-test.
	run -0 "$root/tests/lib/lintian.sh" --suppress-tags hardening-no-fortify-functions,hardening-no-bindnow,hardening-no-pie ./*.changes
	run ! grep -vE '^(running with root privileges.*)?$' <<<"$output"
	dpkg-deb -c perfstamp_*.deb | sed 's/^.* \.//' | grep -v '/$' >packaged
	for file in /etc/apt/apt.conf.d/90perfstamp /etc/perfstamp.conf \
		/usr/bin/perfstamp /usr/lib/sysusers.d/perfstamp.conf /usr/share/man/man1/perfstamp-record.1.gz \
		/usr/share/bash-completion/completions/perfstamp /usr/share/doc/perfstamp/README.md.gz \
		/usr/share/fish/vendor_completions.d/perfstamp.fish /usr/share/zsh/vendor-completions/_perfstamp; do
		grep -qx "$file" packaged
	done
	# Debian 12 has it below /lib, Debian 13 below /usr.
	grep -qxE '(/usr)?/lib/systemd/system/perfstamp.service' packaged
	grep -qxE '(/usr)?/lib/systemd/system/perfstamp-push@.service' packaged
	dpkg-deb -c perfstamp-dev_*.deb | grep -q ' \./usr/include/perfstamp/record.h$'
	# An upgrade does not end a recorder, and an installation does not begin one.
	dpkg-deb -e perfstamp_*.deb control
	run ! grep -E 'deb-systemd-invoke.*(start|restart)' control/postinst
	run ! grep -E 'deb-systemd-invoke.*stop' <(sed '/= remove/,/^fi/d' control/prerm)
	run -0 cat control/conffiles
	[ "$output" = /etc/apt/apt.conf.d/90perfstamp$'\n'/etc/perfstamp.conf ]
}

@test "rpmlint has no error in the spec, and no warning that counts" {
	run -0 rpmlint "$root/perfstamp.spec"
	[[ $output = *" 0 errors, "* ]]
	# rpm knows its build root since 4.6; there is no page to name yet.
	run ! grep ': W: ' <(grep -vE 'no-buildroot-tag|invalid-url Source0|no-url-tag' <<<"$output")
}

@test "what building requires stands in scripts/setup and debian/control alike" {
	diff <(setup_group build | grep -vxE 'gcc|libc6-dev|linux-libc-dev|make' | sort) \
		<(build_depends | grep -vxE 'debhelper-compat|dh-sequence-.*|libcmocka-dev' | sort)
}

is_outdated() {
	[ "$(readlink "/proc/$pid/exe")" = "$PWD/outdated" ]
}

@test "the hook of apt runs the command that lists what to restart, and never fails" {
	local command limited

	command=$(sed -n 's/^DPkg::Post-Invoke {"\(.*\)"; };$/\1/p' "$root/debian/90perfstamp")
	[ -n "$command" ]
	run -0 sh -c "$command"
	run -0 sh -c "${command//\/usr\/bin\/perfstamp/\/bin\/false}"
	# Nor does it wait for a command that a signal does not end.
	printf '%s\n' '#!/bin/sh' "trap '' TERM" 'echo $$ >stuck' 'exec sleep 600' >stub
	chmod +x stub
	limited=${command/timeout 60/timeout 1}
	timeout 60 sh -c "${limited//\/usr\/bin\/perfstamp/$PWD\/stub}" >out 2>&1 3>&-
	kill -KILL "$(cat stuck)"
	[ "$(cat out)" = 'perfstamp replaced --restart did not end within a minute' ]
	cp /bin/sleep outdated
	start ./outdated 600
	await is_outdated
	rm outdated
	run -0 sh -c "${command//\/usr\/bin\/perfstamp/$perfstamp}"
	# Of many processes only some are shown.
	grep -qE '^(Units that run replaced builds|Containers that run replaced builds|Left to you):$' <<<"$output"
}
