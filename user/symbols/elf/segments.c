// SPDX-License-Identifier: GPL-2.0-only
/* See segments.h. */
#include "user/symbols/elf/segments.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/symbols/elf/build_id.h"

static int take_header(struct segments *segments, const GElf_Phdr *header)
{
	segments->is_program |= header->p_type == PT_INTERP;
	if (header->p_type != PT_LOAD || !(header->p_flags & PF_X))
		return 0;
	if (array__extend(&segments->v, segments->n, sizeof(*segments->v)))
		return -ENOMEM;
	segments->v[segments->n++] = (struct segment){
		header->p_offset, header->p_filesz, header->p_vaddr};
	return 0;
}

static int take_elf(struct segments *ret, int fd, Elf *elf, const char *path, struct error *err)
{
	GElf_Ehdr header;
	GElf_Phdr segment;
	size_t n;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header) ||
		elf_getphdrnum(elf, &n))
		return error__set(err, -ENOEXEC, "%s: is not an ELF file", path);
	ret->is_program = header.e_type == ET_EXEC;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, &segment) && take_header(ret, &segment))
			return error__set(err, -ENOMEM, "out of memory");
	ret->build_id_size = symbols_build_id__read(fd, elf, ret->build_id);
	if (!ret->build_id_size)
		return error__set(err, -ENODATA,
			"%s: has no build-id of at most %d bytes: link it with --build-id", path,
			PERFSTAMP_BUILD_ID_MAX);
	return 0;
}

int segments__read(struct segments *ret, const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), code;
	Elf *elf;

	*ret = (struct segments){0};
	if (fd < 0)
		return error__errno(err, -errno, "%s", path);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	code = take_elf(ret, fd, elf, path, err);
	elf_end(elf);
	close(fd);
	return code;
}

void segments__free(struct segments *segments)
{
	free(segments->v);
	*segments = (struct segments){0};
}

bool segments__address(const struct segments *segments, uint64_t offset, uint64_t *ret)
{
	for (size_t i = 0; i < segments->n; i++) {
		const struct segment *one = &segments->v[i];

		if (offset < one->offset || offset - one->offset >= one->size)
			continue;
		*ret = one->addr + (offset - one->offset);
		return true;
	}
	return false;
}
