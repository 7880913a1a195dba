// SPDX-License-Identifier: GPL-2.0-only
/* See elf_parts.h. */
#include "user/cli/push/elf_parts.h"

#include <errno.h>
#include <gelf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/helper/confined.h"
#include "user/store/cache/skeleton.h"

#define SECONDS 20
#define MEMORY (1ull << 30) /* bytes */
#define SILENCE_MS 60000

static bool is_debug(const char *name)
{
	return name && (!strncmp(name, ".debug_", strlen(".debug_")) ||
			       !strncmp(name, ".zdebug_", strlen(".zdebug_")));
}

static bool look(int fd, struct elf_parts *ret)
{
	Elf *elf = elf_version(EV_CURRENT) ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	Elf_Scn *section = NULL;
	bool is_elf = elf_kind(elf) == ELF_K_ELF;
	GElf_Shdr header;
	size_t names;

	*ret = (struct elf_parts){.code = is_elf && !skeleton__is(fd)};
	if (is_elf && !elf_getshdrstrndx(elf, &names))
		while (!ret->dwarf && (section = elf_nextscn(elf, section)))
			ret->dwarf = gelf_getshdr(section, &header) &&
				     header.sh_type != SHT_NOBITS &&
				     is_debug(elf_strptr(elf, names, header.sh_name));
	elf_end(elf);
	return is_elf;
}

static void run(void *ctx, int to)
{
	struct elf_parts parts;

	if (look(*(int *)ctx, &parts) && write(to, &parts, sizeof(parts)) != sizeof(parts))
		_exit(1);
}

int elf_parts__read(struct elf_parts *ret, int fd, struct error *err)
{
	const struct confined_options options = {
		.what = "reading an ELF file",
		.seconds = SECONDS,
		.memory = MEMORY,
		.silence_ms = SILENCE_MS,
		.kept_fd = fd,
		.run = run,
		.ctx = &fd,
	};
	struct confined *child = calloc(1, sizeof(*child));
	uint8_t bytes[sizeof(*ret)];
	bool whole;
	int code;

	if (!child)
		return error__set(err, -ENOMEM, "out of memory");
	code = confined__start(child, &options, err);
	if (!code) {
		whole = confined__take(child, bytes, sizeof(bytes));
		confined__end(child, !whole);
		*ret = (struct elf_parts){.code = whole && bytes[offsetof(struct elf_parts, code)],
			.dwarf = whole && bytes[offsetof(struct elf_parts, dwarf)]};
		if (!whole)
			code = error__set(err, -EBADMSG, "it cannot be read as an ELF file");
	}
	free(child);
	return code;
}
