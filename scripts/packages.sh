# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Packages of other Debian suites, and the cache of what is made from them. To be
# sourced. apt works on a state of its own below the cache, so the machine's lists,
# sources and archives stay as they are; the mirror is the one that the machine's own
# apt uses. Knows nothing about guests or perf.

shopt -s inherit_errexit

packages__say() { echo "${0##*/}: $*" >&2; }
packages__die() { packages__say "$@"; exit 1; }

packages__cache() {
	local cache=${PERFSTAMP_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/perfstamp}

	mkdir -p "$cache" || packages__die "$cache: cannot create the cache: set PERFSTAMP_CACHE"
	(cd "$cache" && pwd -P)
}

# Names what went into a cached item, so that a change makes a new one.
packages__key() { printf '%s\n' "$@" | sha256sum | cut -c1-12; }

# packages__once NAME BUILDER ARG...: prints the directory NAME of the cache, after
# `BUILDER ARG... DIR` has filled it if it was not there. It gets its name only when
# complete: what a killed run or a broken download leaves behind never counts.
packages__once() {
	local name=$1 cache partial lock
	shift
	cache=$(packages__cache)
	if [ ! -d "$cache/$name" ]; then
		exec {lock}>"$cache/$name.lock"
		flock -n "$lock" || {
			packages__say "waiting for another process that makes $name"
			flock "$lock"
		}
		if [ ! -d "$cache/$name" ]; then
			partial=$cache/$name.partial
			rm -rf "$partial"
			mkdir "$partial"
			packages__say "making $name (once; kept in the cache)"
			# Not waited on by what it starts: a daemon must not hold the lock.
			"$@" "$partial" {lock}>&- >&2
			sync -f "$partial"
			mv "$partial" "$cache/$name"
		fi
		exec {lock}>&-
	fi
	echo "$cache/$name"
}

packages__host_suite() {
	# shellcheck disable=SC1091 # present on every Debian
	(. /etc/os-release && echo "${VERSION_CODENAME:?}") ||
		packages__die "/etc/os-release: no VERSION_CODENAME: a Debian release is needed"
}

# packages__mirrors main|security: the base URIs in the machine's own apt configuration,
# in either format of source lists. Asking apt for the URIs of an update is the one
# question that it answers the same for both, and before any list was fetched.
packages__mirrors() {
	local suites='(bullseye|bookworm|trixie|forky|duke|(old)*stable|testing|unstable|sid)'

	case $1 in
	main) suites="$suites(-updates|-backports)?" ;;
	security) suites="$suites-security" ;;
	esac
	apt-get --print-uris update 2>/dev/null |
		sed -nE "s#^'(.+)/dists/$suites/(In)?Release'.*#\\1#p" | awk '!seen[$0]++'
}

# How this machine's apt gets at its mirror: proxies, time-outs, what it does not check.
packages__network() {
	apt-config dump | grep -E '^Acquire::((http|https|ftp)(::|-)|Check-|Retries)' || true
}

packages__keyring() {
	local file

	for file in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do
		if [ -e "$file" ]; then
			echo "$file"
			return
		fi
	done
	packages__die "no Debian keyring in /usr/share/keyrings: install debian-archive-keyring"
}

# Where apt's state of a suite is. Everywhere below, SUITE may be SUITE:ARCHITECTURE, for the
# packages of another one than this machine's, which apt keeps apart.
packages__state() { echo "$(packages__cache)/apt/${1/:/-}"; }

# packages__apt SUITE PROGRAM ARG...: apt-get or apt-cache on the suite's own state.
packages__apt() {
	local state program=$2
	state=$(packages__state "$1")
	shift 2
	DEBIAN_FRONTEND=noninteractive "$program" -c "$state/apt.conf" -qq "$@"
}

# The hooks are cleared because container images use them to empty the machine's apt
# cache after each update; the status file is empty so that nothing counts as installed.
packages__write_conf() {
	local state=$1 suite=$2

	mkdir -p "$state"/lists/partial "$state"/cache/archives/partial
	: >"$state/status"
	cat >"$state/apt.conf" <<-END
		#clear APT::Update::Pre-Invoke;
		#clear APT::Update::Post-Invoke;
		#clear APT::Update::Post-Invoke-Success;
		#clear DPkg::Pre-Invoke;
		#clear DPkg::Post-Invoke;
		#clear DPkg::Pre-Install-Pkgs;
		Dir::Etc::sourcelist "$state/sources.list";
		Dir::Etc::sourceparts "-";
		Dir::Etc::preferences "/dev/null";
		Dir::Etc::preferencesparts "/dev/null";
		Dir::State::lists "$state/lists";
		Dir::State::status "$state/status";
		Dir::State::extended_states "$state/extended_states";
		Dir::Cache "$state/cache";
		Dir::Cache::archives "archives";
		Dir::Log "$state";
		APT::Sandbox::User "root";
		APT::Install-Recommends "false";
		APT::Update::Error-Mode "any";
		Acquire::Languages "none";
		Acquire::Retries "2";
	END
	case $suite in
	*:*)
		cat >>"$state/apt.conf" <<-END
			APT::Architecture "${suite#*:}";
			#clear APT::Architectures;
			APT::Architectures { "${suite#*:}"; };
		END
		;;
	esac
}

# packages__update SUITE: fetches the lists of the suite and of its security updates.
# Which of several configured sources is the Debian mirror is settled by trying: only
# that one has the suite, signed with Debian's key. Prints the URI that served it.
packages__update() {
	local suite=${1%:*} state key uri security
	local -a mains securities
	state=$(packages__state "$1")
	packages__write_conf "$state" "$1"
	key=$(packages__keyring)
	mapfile -t mains < <(packages__mirrors main)
	mapfile -t securities < <(packages__mirrors security)
	for uri in "${mains[@]}"; do
		# A machine without security updates may still have them next to the mirror;
		# the last try, without any, serves sid and complete private mirrors.
		for security in "${securities[@]}" "${uri%/}-security" ''; do
			[ -z "$security" ] || [ "$suite" != sid ] || continue
			# They name files that the mirror has no more.
			[ -z "$security" ] || [ "$1" != bullseye:arm64 ] || continue
			echo "deb [signed-by=$key] $uri $suite main" >"$state/sources.list"
			[ -z "$security" ] ||
				echo "deb [signed-by=$key] $security ${suite%-backports}-security main" \
					>>"$state/sources.list"
			if packages__apt "$1" apt-get update >"$state/update.log" 2>&1; then
				[ -n "$security" ] || [ "$suite" = sid ] ||
					packages__say "$suite: no security updates on the mirror: going without"
				echo "$uri"
				return
			fi
		done
	done
	[ ! -e "$state/update.log" ] || cat "$state/update.log" >&2
	packages__die "suite $suite: not available from apt's mirror: check /etc/apt and the network"
}

# packages__with_update SUITE COMMAND...: runs it while no other process changes the
# suite's apt state, on fresh lists.
packages__with_update() {
	local suite=$1 state lock
	shift
	state=$(packages__state "$suite")
	mkdir -p "${state%/*}"
	exec {lock}>"$state.lock"
	flock "$lock"
	packages__update "$suite" >/dev/null
	"$@"
	exec {lock}>&-
}

# packages__fetch_closure SUITE DIR PACKAGE...: the packages and all that they depend on,
# as .deb files in DIR.
packages__fetch_closure() {
	local suite=$1 dir=$2
	shift 2
	mkdir -p "$dir/partial"
	packages__apt "$suite" apt-get -o Dir::Cache::archives="$dir" -y --download-only \
		install "$@"
}

# packages__fetch SUITE DIR PACKAGE...: just these, as .deb files in DIR.
packages__fetch() {
	local suite=$1 dir=$2
	shift 2
	mkdir -p "$dir"
	(cd "$dir" && packages__apt "$suite" apt-get download "$@")
}

# packages__unpack DEBS DIR: the content of all .deb files of DEBS, in DIR.
packages__unpack() {
	local deb

	mkdir -p "$2"
	# One tree whether or not a package of that age still ships /lib: merged /usr.
	mkdir -p "$2"/usr/{bin,sbin,lib,lib64}
	ln -sfn usr/bin "$2/bin"
	ln -sfn usr/sbin "$2/sbin"
	ln -sfn usr/lib "$2/lib"
	ln -sfn usr/lib64 "$2/lib64"
	for deb in "$1"/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$2" --keep-directory-symlink
	done
}
