/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The build-id of a file that was opened by libelf. It is read like in the recorder and the store,
 * which also accept notes that libelf does not, for example one of 2 bytes without padding. Knows
 * no recording.
 */
#ifndef PERFSTAMP_SYMBOLS_ELF_BUILD_ID_H
#define PERFSTAMP_SYMBOLS_ELF_BUILD_ID_H

#include <libelf.h>
#include <stdint.h>

#include "user/parse/elf/note.h"

/*
 * @fd: the file, or -1 for an image in memory. @elf: the same, decompressed if the file is not.
 * Returns the size of the build-id, or 0 if there is none.
 */
int symbols_build_id__read(int fd, Elf *elf, uint8_t ret[ELF_BUILD_ID_MAX]);

#endif
