/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Completes an identity that the kernel side could not read: from the mapped file, through
 * the mapping (/proc/PID/map_files), while it exists, and never from the path, which may
 * have other content now. May wait for a disk, or for a server that never answers; see
 * completer.h.
 *
 * Results are not cached for later mappings of the same file, because user space cannot
 * prove that a file is unchanged: writes through a shared mapping set no timestamp, and
 * only the kernel knows whether there is such a mapping. Caching would not save much
 * either: content that was read is in memory, where the kernel side finds it.
 */
#ifndef PERFSTAMP_SOURCE_COMPLETION_H
#define PERFSTAMP_SOURCE_COMPLETION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perfstamp/record.h"
#include "user/event/witness.h"

/* Whether user space can find out more than the kernel side did. */
bool completion__is_wanted(const struct perfstamp_identity *identity);

struct completion_mapping {
	pid_t pid;
	uint64_t addr;
	uint64_t len;      /* bytes */
	int64_t mapped_ns; /* CLOCK_REALTIME: files written later are refused; 0: none */
	/* The file's times when it was mapped, where they are known; they are looked at instead. */
	struct perfstamp_witness witness;
};

struct stat;

/*
 * Whether a file was written to between the kernel side's reading @mapped, which must be
 * present, and @st, by their times (event/witness.h).
 */
enum witnessed completion__judge_times(
	const struct stat *st, const struct perfstamp_witness *mapped);

/*
 * Opens the file that is mapped there, if it is the one that @identity, of the record, has
 * device, inode and size of (0 if it does not have it); *@ret is what it is. Returns a
 * descriptor; -ESRCH when the mapping is gone, or is of another file; -EPERM without
 * CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN; or -errno.
 */
int completion__open(const struct completion_mapping *mapping,
	const struct perfstamp_identity *identity, struct stat *ret);

/*
 * Reads build-id, or reason, and cookie of what is mapped there into @identity, which has
 * the file's device, inode and size from the record (0 if it does not have it): a mapping
 * whose file has been replaced since is refused. So is one that was, or may have been,
 * written to since it was mapped. With a witness, that is what event/witness.h cannot rule
 * out; without, the file's times, which are those of the clock's last tick, must be older
 * than the mapping by 100 ms. The program that the process runs is not doubted (running.h).
 * A file that is unlinked has its change time from that. *@ret_alive_ns is a time
 * (CLOCK_MONOTONIC) after the reading at which the same file was still mapped there; 0 if
 * it was not. Returns 0 when something became known (source USER, or a reason that is now
 * certain); -ESRCH when the mapping is gone (reason LOOKUP_FAILED); -ESTALE when it was, or
 * may have been, written to since (reason CHANGING); -EPERM without CAP_CHECKPOINT_RESTORE
 * or CAP_SYS_ADMIN, or another negative errno; the reason then stays as it was.
 */
int completion__read(const struct completion_mapping *mapping, struct perfstamp_identity *identity,
	uint64_t *ret_alive_ns);

/*
 * Whether the vDSO that a process has at @addr is the one that this process has:
 * it is part of the kernel's image, and 64-bit processes on x86-64 and arm64 share it.
 */
bool completion__shares_vdso(uint64_t addr);

/*
 * The build-id of the vDSO that process @pid has at @addr, @len bytes: this process's own
 * where it is shared. Returns 0 (source KERNEL), -ESRCH if it is gone, or -errno.
 */
int completion__read_vdso(
	pid_t pid, uint64_t addr, uint64_t len, struct perfstamp_identity *identity);

/*
 * A copy of this process's vDSO, to be freed, of *@ret_size bytes. Returns 0, -ENOENT if it
 * has none, or -errno.
 */
int completion__map_vdso(void **ret, size_t *ret_size);

/*
 * Opens the regular file @path for reading, without waiting for anybody to write.
 * Returns a descriptor, -ENOENT for what is no regular file, or -errno.
 */
int completion__open_regular(const char *path);

#endif
