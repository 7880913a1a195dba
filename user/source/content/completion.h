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
	int64_t mapped_ns; /* CLOCK_REALTIME: files written later are refused; 0: not known */
	/*
	 * The file's times when it was mapped. If they are known, they are used instead of
	 * .mapped_ns.
	 */
	struct perfstamp_witness witness;
	bool vdso; /* it is the process's vDSO, which is memory instead of a file */
};

struct stat;

/*
 * Compares times (event/witness.h) to decide whether a file was written to between the moment when
 * the kernel side read @mapped, which must be present, and @st.
 */
enum witnessed completion__judge_times(
	const struct stat *st, const struct perfstamp_witness *mapped);

/*
 * Opens the mapped file, if its device, inode and size are those of @identity, which come from the
 * record (0: not known). *@ret describes the opened file. Returns a descriptor; -ESRCH if the
 * mapping was removed, or is of another file; -EPERM without CAP_CHECKPOINT_RESTORE or
 * CAP_SYS_ADMIN; or -errno.
 */
int completion__open(const struct completion_mapping *mapping,
	const struct perfstamp_identity *identity, struct stat *ret);

/*
 * Reads the build-id, or the reason why there is none, and the cookie of the mapped file into
 * @identity, which has the file's device, inode and size from the record (0: not known).
 *
 * A mapping is refused if its file has been replaced, or was or may have been written to since it
 * was mapped. With a witness, event/witness.h decides this. Without one, the file's times, which
 * are accurate to a tick of the clock, must be older than the mapping by 100 ms. The program that
 * the process runs is never refused for its times (running.h). Unlinking a file sets its change
 * time.
 *
 * *@ret_alive_ns is a time (CLOCK_MONOTONIC) after the reading at which the same file was still
 * mapped there, or 0 if it was not. Returns 0 if something was found out (source USER, or a reason
 * that is now certain); -ESRCH if the mapping was removed (reason LOOKUP_FAILED); -ESTALE if the
 * file was, or may have been, written to since (reason CHANGING); -EPERM without
 * CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN, or another negative errno. After these, the reason is
 * unchanged.
 *
 * A vDSO is read from the memory of the process (source KERNEL). A process can move its vDSO and
 * map a file of a server in its place, so this may wait, too. If the vDSO is no longer there,
 * returns -ESRCH, and the reason is unchanged.
 */
int completion__read(const struct completion_mapping *mapping, struct perfstamp_identity *identity,
	uint64_t *ret_alive_ns);

/*
 * Whether a process with a vDSO at @addr has the same vDSO as this process: it is part of the
 * kernel's image, and 64-bit processes on x86-64 and arm64 share it.
 */
bool completion__shares_vdso(uint64_t addr);

/*
 * Reads the build-id of this process's own vDSO, of @len bytes. Never waits. Returns 0 (source
 * KERNEL), -ENOENT if it has none, or -errno.
 */
int completion__read_own_vdso(uint64_t len, struct perfstamp_identity *identity);

/*
 * Copies this process's vDSO, *@ret_size bytes; the caller frees *@ret. Returns 0, -ENOENT if the
 * process has none, or -errno.
 */
int completion__map_vdso(void **ret, size_t *ret_size);

#endif
