/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files and directories that are removed if a signal ends the process: incomplete output, and
 * what a process unpacks for itself. Does not know what is in them.
 */
#ifndef PERFSTAMP_STORE_TEMPORARY_H
#define PERFSTAMP_STORE_TEMPORARY_H

/*
 * Remembers the file or directory @path, until temporary__forget() with the same pointer. A child
 * process does not remove what its parent has added.
 */
void temporary__add(const char *path);
void temporary__forget(const char *path);

#endif
