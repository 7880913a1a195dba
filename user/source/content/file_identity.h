/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the current identity of a file: build-id and cookie of its content at one moment,
 * even if it is written to meanwhile. Does not know any mapping or process.
 */
#ifndef PERFSTAMP_SOURCE_FILE_IDENTITY_H
#define PERFSTAMP_SOURCE_FILE_IDENTITY_H

#include <libelf.h>
#include <stdint.h>

#include "perfstamp/record.h"

/*
 * Reads build-id, or cookie and reason, of the content of @fd, a regular file, into
 * @identity with @source, and its size in bytes. Returns 0; -ESTALE if the content does not
 * stay the same for the time of reading; -EINVAL for what is no regular file; or -errno.
 */
int file_identity__read(int fd, enum perfstamp_source source, struct perfstamp_identity *identity);

/* The same, with the cookie also where there is a build-id. */
int file_identity__read_with_cookie(
	int fd, enum perfstamp_source source, struct perfstamp_identity *identity);

/* Build-id, or reason, of what @elf has in @size bytes. */
void file_identity__read_elf(Elf *elf, uint64_t size, struct perfstamp_identity *identity);

#endif
