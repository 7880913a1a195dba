/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the current identity of a file: build-id and cookie of its content at one moment, even if
 * it is written to meanwhile. Does not know mappings and processes.
 */
#ifndef PERFSTAMP_SOURCE_FILE_IDENTITY_H
#define PERFSTAMP_SOURCE_FILE_IDENTITY_H

#include <libelf.h>
#include <stdint.h>

#include "perfstamp/record.h"

/*
 * Reads the build-id, or the cookie and the reason why there is no build-id, of the content of @fd,
 * a regular file, into @identity with @source, and its size in bytes. Returns 0; -ESTALE if the
 * content keeps changing during the reading; -EINVAL if @fd is not a regular file; or -errno.
 */
int file_identity__read(int fd, enum perfstamp_source source, struct perfstamp_identity *identity);

/* Does the same, and reads the cookie even if there is a build-id. */
int file_identity__read_with_cookie(
	int fd, enum perfstamp_source source, struct perfstamp_identity *identity);

/* Reads the build-id, or the reason why there is none, from @elf, a file of @size bytes. */
void file_identity__read_elf(Elf *elf, uint64_t size, struct perfstamp_identity *identity);

#endif
