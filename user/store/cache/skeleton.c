// SPDX-License-Identifier: GPL-2.0-only
/* See skeleton.h. Format: the ELF gABI. */
#include "user/store/cache/skeleton.h"

#include <byteswap.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfstamp/cookie.h"
#include "user/base/array.h"
#include "user/store/files/copy.h"

#define PAGE 4096u
#define SECTIONS_MAX 65535 /* the largest number that e_shnum can have */
#define TYPE_AT 4          /* offset of sh_type in a section header of either class */

_Static_assert(PERFSTAMP_COOKIE_WORDS * 8 == PAGE, "the cookie is of the first page");

struct range {
	uint64_t begin, end; /* offsets in the file */
};

struct skeleton {
	uint64_t size; /* size of the file */
	struct range *ranges;
	size_t n_ranges, room;
	uint64_t *types; /* offsets of the sh_type fields that become SHT_NOBITS */
	size_t n_types;
	bool swap; /* the file is in the other byte order */
};

static int add_range(struct skeleton *skeleton, uint64_t begin, uint64_t size)
{
	struct range *range;

	if (!size || begin >= skeleton->size)
		return 0;
	if (array__reserve(&skeleton->ranges, &skeleton->room, skeleton->n_ranges + 1,
		    sizeof(*skeleton->ranges)))
		return -ENOMEM;
	range = &skeleton->ranges[skeleton->n_ranges++];
	/* The range is extended to whole pages, because holes can only consist of whole pages. */
	range->begin = begin / PAGE * PAGE;
	range->end = size < skeleton->size - begin ? (begin + size + PAGE - 1) / PAGE * PAGE
						   : skeleton->size;
	range->end = range->end < skeleton->size ? range->end : skeleton->size;
	return 0;
}

static int by_begin(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

static void merge(struct skeleton *skeleton)
{
	size_t n = 0;

	if (!skeleton->n_ranges)
		return;
	qsort(skeleton->ranges, skeleton->n_ranges, sizeof(*skeleton->ranges), by_begin);
	for (size_t i = 0; i < skeleton->n_ranges; i++) {
		struct range *last = n ? &skeleton->ranges[n - 1] : NULL;
		struct range next = skeleton->ranges[i];

		if (!last || next.begin > last->end)
			skeleton->ranges[n++] = next;
		else if (next.end > last->end)
			last->end = next.end;
	}
	skeleton->n_ranges = n;
}

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

/*
 * Whether a part of the program is kept: unwind tables; stubs, whose bytes show which symbol they
 * call; function descriptors; and the name of the interpreter.
 */
static bool is_kept_code(const char *name)
{
	return begins(name, ".eh_frame") || begins(name, ".plt") || !strcmp(name, ".opd") ||
	       !strcmp(name, ".interp");
}

static bool is_kept(const GElf_Shdr *shdr, const char *name)
{
	switch (shdr->sh_type) {
	case SHT_PROGBITS:
		if (shdr->sh_flags & SHF_ALLOC)
			return is_kept_code(name);
		return !begins(name, ".debug_") && !begins(name, ".zdebug_") &&
		       strcmp(name, ".gdb_index") != 0;
	case SHT_REL:
	case SHT_RELA:
		/* The relocations of stubs are kept, because they have the names of stubs. */
		return strstr(name, ".plt");
	default:
		return true;
	}
}

static int add_section(
	struct skeleton *skeleton, const GElf_Shdr *shdr, const char *name, uint64_t header)
{
	if (shdr->sh_type == SHT_NOBITS || shdr->sh_type == SHT_NULL || !shdr->sh_size)
		return 0;
	if (is_kept(shdr, name))
		return add_range(skeleton, shdr->sh_offset, shdr->sh_size);
	/* The first page is kept, because the cookie is computed from it. */
	if (header < PAGE)
		return -ENOEXEC;
	skeleton->types[skeleton->n_types++] = header + TYPE_AT;
	return 0;
}

static int plan(struct skeleton *skeleton, Elf *elf)
{
	Elf_Scn *section = NULL;
	const char *ident;
	size_t names, n_phdrs;
	GElf_Ehdr ehdr;
	int code;

	/* If e_shnum is 0, section 0 has the number of sections, which may be any number. */
	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &ehdr) || !ehdr.e_shnum ||
		ehdr.e_phnum == PN_XNUM || elf_getshdrstrndx(elf, &names) ||
		elf_getphdrnum(elf, &n_phdrs))
		return -ENOEXEC;
	ident = elf_getident(elf, NULL);
	skeleton->swap = ident[EI_DATA] !=
			 (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB);
	skeleton->types = calloc(ehdr.e_shnum, sizeof(*skeleton->types));
	if (!skeleton->types)
		return -ENOMEM;
	code = add_range(skeleton, 0, PAGE);
	if (!code)
		code = add_range(skeleton, ehdr.e_phoff, n_phdrs * (uint64_t)ehdr.e_phentsize);
	if (!code)
		code = add_range(skeleton, ehdr.e_shoff, ehdr.e_shnum * (uint64_t)ehdr.e_shentsize);
	while (!code && (section = elf_nextscn(elf, section))) {
		const char *name;
		GElf_Shdr shdr;

		if (!gelf_getshdr(section, &shdr) || elf_ndxscn(section) >= ehdr.e_shnum)
			return -ENOEXEC;
		name = elf_strptr(elf, names, shdr.sh_name);
		code = add_section(skeleton, &shdr, name ? name : "",
			ehdr.e_shoff + elf_ndxscn(section) * (uint64_t)ehdr.e_shentsize);
	}
	if (!code)
		merge(skeleton);
	return code;
}

int skeleton__new(struct skeleton **ret, int fd)
{
	struct skeleton *skeleton;
	struct stat st;
	int code;
	Elf *elf;

	*ret = NULL;
	if (elf_version(EV_CURRENT) == EV_NONE)
		return -ENOTSUP;
	if (fstat(fd, &st) < 0)
		return -errno;
	skeleton = calloc(1, sizeof(*skeleton));
	if (!skeleton)
		return -ENOMEM;
	skeleton->size = st.st_size;
	/* The file is read, not mapped, because it may shrink. */
	elf = elf_begin(fd, ELF_C_READ, NULL);
	code = elf ? plan(skeleton, elf) : -ENOEXEC;
	elf_end(elf);
	if (code) {
		skeleton__free(skeleton);
		return code;
	}
	*ret = skeleton;
	return 0;
}

void skeleton__free(struct skeleton *skeleton)
{
	if (!skeleton)
		return;
	free(skeleton->ranges);
	free(skeleton->types);
	free(skeleton);
}

uint64_t skeleton__bytes(const struct skeleton *skeleton)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < skeleton->n_ranges; i++)
		bytes += skeleton->ranges[i].end - skeleton->ranges[i].begin;
	return bytes;
}

static int leave_out(const struct skeleton *skeleton, int to)
{
	uint32_t type = skeleton->swap ? bswap_32(SHT_NOBITS) : SHT_NOBITS;

	for (size_t i = 0; i < skeleton->n_types; i++)
		if (pwrite(to, &type, sizeof(type), skeleton->types[i]) != sizeof(type))
			return -EIO;
	return 0;
}

int skeleton__write(const struct skeleton *skeleton, int from, int to)
{
	int code = ftruncate(to, skeleton->size) < 0 ? -errno : 0;

	for (size_t i = 0; !code && i < skeleton->n_ranges; i++) {
		const struct range *range = &skeleton->ranges[i];

		code = copy__range(from, to, range->begin, range->end);
		if (!code)
			code = copy__compare(from, to, range->begin, range->end);
	}
	return code ? code : leave_out(skeleton, to);
}

bool skeleton__is(int fd)
{
	Elf *elf = elf_version(EV_CURRENT) ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	Elf_Scn *section = NULL;
	bool is = false;
	GElf_Ehdr ehdr;
	GElf_Shdr shdr;

	if (elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &ehdr) && ehdr.e_shnum)
		while (!is && (section = elf_nextscn(elf, section)))
			/*
			 * A section that is also writable is filled at run time, and has no content
			 * in a complete file either.
			 */
			is = gelf_getshdr(section, &shdr) && shdr.sh_type == SHT_NOBITS &&
			     shdr.sh_size &&
			     (shdr.sh_flags & (SHF_EXECINSTR | SHF_WRITE)) == SHF_EXECINSTR;
	elf_end(elf);
	return is;
}
