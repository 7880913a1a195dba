// SPDX-License-Identifier: GPL-2.0-only
/* See build_id.h. */
#include "user/symbols/elf/build_id.h"

#include <elfutils/libdwelf.h>
#include <string.h>

#include "user/io/whole.h"
#include "user/parse/elf/build_id.h"

int symbols_build_id__read(int fd, Elf *elf, uint8_t ret[ELF_BUILD_ID_MAX])
{
	int n = fd < 0 ? 0 : elf_build_id__read(whole__read_exactly, &fd, ret);
	const void *id = NULL;
	ssize_t size;

	if (n > 0)
		return n;
	size = elf ? dwelf_elf_gnu_build_id(elf, &id) : 0;
	if (size <= 0 || size > ELF_BUILD_ID_MAX)
		return 0;
	memcpy(ret, id, size);
	return (int)size;
}
