# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# An sshd of a test's own, on the loopback interface: own keys, own configuration, a port
# that is free. Sourced by tests that load recording.bash, whose helpers it uses.

# sshd__start DIR: starts it; $sshd_ssh is the ssh command for it. What is in the file
# DIR/forced is then run instead of what is asked for; without that file, what is asked for.
sshd__start() {
	local dir=$1 port tries=20

	mkdir -p "$dir"
	# It refuses a path that others may write to.
	chmod 755 "$dir"
	ssh-keygen -q -t ed25519 -N '' -f "$dir/host"
	ssh-keygen -q -t ed25519 -N '' -f "$dir/user"
	cat >"$dir/run" <<-END
		#!/bin/sh
		if [ -e "$dir/forced" ]; then exec sh "$dir/forced"; fi
		exec sh -c "\$SSH_ORIGINAL_COMMAND"
	END
	echo "command=\"sh $dir/run\",restrict $(cat "$dir/user.pub")" >"$dir/keys"
	# Of the daemon itself, and only there where no sshd has ever run.
	[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
	while [ "$tries" -gt 0 ]; do
		port=$((20000 + RANDOM % 12000))
		cat >"$dir/config" <<-END
			ListenAddress 127.0.0.1
			Port $port
			HostKey $dir/host
			AuthorizedKeysFile $dir/keys
			PasswordAuthentication no
			KbdInteractiveAuthentication no
			UsePAM no
			PidFile none
			StrictModes no
			PermitRootLogin yes
		END
		start "$(command -v sshd || echo /usr/sbin/sshd)" -D -e -f "$dir/config" 2>"$dir/log"
		await grep -q -e 'Server listening' -e 'Cannot bind' "$dir/log"
		if grep -q 'Server listening' "$dir/log"; then break; fi
		tries=$((tries - 1))
	done
	# shellcheck disable=SC2034 # for the tests
	sshd_ssh="ssh -F none -p $port -i $dir/user -o IdentitiesOnly=yes -o BatchMode=yes"
	sshd_ssh+=" -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
}
