#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The RPM, as far as Debian's packages allow: rpmbuild builds it from the tarball of a release. The names of what it requires are those of Fedora, and are not checked.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	export top=$BATS_FILE_TMPDIR/rpm
	make -s dist OUTPUT="$BATS_FILE_TMPDIR"
	mkdir -p "$top/SOURCES"
	cp "$BATS_FILE_TMPDIR"/perfstamp-*.tar.xz "$top/SOURCES"
	# Of systemd-rpm-macros, which Debian does not have.
	rpmbuild -ba --nodeps --define "_topdir $top" --define '_build_id_links none' \
		--define '_unitdir /usr/lib/systemd/system' --define '_sysusersdir /usr/lib/sysusers.d' \
		perfstamp.spec >"$top/said" 2>&1 || echo "status $?" >>"$top/said"
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	bats_require_minimum_version 1.5.0
	tail -n 30 "$top/said"
}

@test "rpmbuild makes the packages, with all files that make install installs" {
	run ! grep '^status' "$top/said"
	version=$(make -s version)
	make -s install DESTDIR="$BATS_TEST_TMPDIR/root" PREFIX=/usr
	cd "$BATS_TEST_TMPDIR"
	(cd root && find . -type f | sed 's/^\.//' | grep -v '^/usr/share/doc/') | sort >wanted
	for rpm in "$top"/RPMS/*/*.rpm; do rpm -qpl "$rpm"; done | grep -vE '^/usr/share/(doc|licenses)/|debug|/$' |
		sed 's/\.1\.gz$/.1/' | grep -vx '/usr/include/perfstamp' | sort >packaged
	diff wanted packaged
	[ "$(rpm -qp --qf '%{VERSION}' "$top"/RPMS/x86_64/perfstamp-0*.rpm)" = "$version" ]
	run -0 rpm -qpc "$top"/RPMS/x86_64/perfstamp-0*.rpm
	[ "$output" = /etc/perfstamp.conf ]
}
