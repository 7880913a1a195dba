# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# A home of the test's own, with the build-id cache in it. Sourced after recording.bash, in setup.

export HOME=$BATS_TEST_TMPDIR/home
mkdir "$HOME"
# shellcheck disable=SC2034 # used by the tests
store=$HOME/.debug

# What is put there is synced, which many hundred times takes long on a busy disk.
home__in_memory() {
	mount -t tmpfs tmpfs "$HOME"
}

# For teardown.
home__end() {
	! mountpoint -q "$HOME" || umount --lazy "$HOME"
}
