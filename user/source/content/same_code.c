// SPDX-License-Identifier: GPL-2.0-only
/* See same_code.h. Files are read in pieces, not mapped: they may shrink. */
#include "user/source/content/same_code.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/io/whole.h"

#define PIECE (256 << 10)
#define SEGMENTS_MAX 64 /* limit of executable segments; most files have one */

struct code {
	size_t n;
	struct {
		uint64_t offset;
		uint64_t size;
	} v[SEGMENTS_MAX];
};

/* Returns 1 if the bytes are equal, 0 if not, or -errno. */
static int same_bytes(int a, uint64_t offset_a, int b, uint64_t offset_b, uint64_t size)
{
	char *buffer = malloc(2 * (size_t)PIECE);
	int ret = buffer ? 1 : -ENOMEM;

	for (uint64_t at = 0; ret == 1 && at < size; at += PIECE) {
		size_t want = size - at < PIECE ? size - at : PIECE;
		ssize_t n = whole__pread(a, buffer, want, offset_a + at);
		ssize_t m = whole__pread(b, buffer + PIECE, want, offset_b + at);

		if (n < 0 || m < 0)
			ret = n < 0 ? (int)n : (int)m;
		else if (n != m || memcmp(buffer, buffer + PIECE, n) != 0)
			ret = 0;
		else if ((size_t)n < want)
			break; /* both files end here */
	}
	free(buffer);
	return ret;
}

static void add_segment(
	struct code *code, uint32_t type, uint32_t flags, uint64_t offset, uint64_t size)
{
	if (type == PT_LOAD && flags & PF_X && code->n < SEGMENTS_MAX) {
		code->v[code->n].offset = offset;
		code->v[code->n++].size = size;
	}
}

/*
 * Finds the executable segments of an ELF file of this machine's byte order. Returns false for
 * other files, which are compared as a whole.
 */
static bool find_code(int fd, struct code *ret)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf32_Ehdr e32;
		Elf64_Ehdr e64;
	} head;
	size_t n, size;
	bool is_64;

	memset(&head, 0, sizeof(head));
	ret->n = 0;
	if (whole__pread(fd, &head, sizeof(head), 0) < (ssize_t)sizeof(head.e32) ||
		memcmp(head.ident, ELFMAG, SELFMAG) != 0 ||
		head.ident[EI_DATA] !=
			(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB))
		return false;
	is_64 = head.ident[EI_CLASS] == ELFCLASS64;
	n = is_64 ? head.e64.e_phnum : head.e32.e_phnum;
	size = is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	for (size_t i = 0; i < n; i++) {
		uint64_t offset = (is_64 ? head.e64.e_phoff : head.e32.e_phoff) + i * size;
		union {
			Elf32_Phdr p32;
			Elf64_Phdr p64;
		} phdr;

		if (whole__pread(fd, &phdr, size, offset) != (ssize_t)size)
			return false;
		if (is_64)
			add_segment(ret, phdr.p64.p_type, phdr.p64.p_flags, phdr.p64.p_offset,
				phdr.p64.p_filesz);
		else
			add_segment(ret, phdr.p32.p_type, phdr.p32.p_flags, phdr.p32.p_offset,
				phdr.p32.p_filesz);
	}
	return ret->n > 0 && ret->n < SEGMENTS_MAX;
}

static int same_files(int a, int b)
{
	struct stat st_a, st_b;

	if (fstat(a, &st_a) || fstat(b, &st_b))
		return -errno;
	return st_a.st_size == st_b.st_size ? same_bytes(a, 0, b, 0, st_a.st_size) : 0;
}

/* If a segment contains the file's headers, it has more than code. */
static uint64_t headers_in(const struct code *code, size_t i)
{
	return code->v[i].offset ? 0 : 4096;
}

int same_code__files(int a, int b)
{
	struct code code_a, code_b;
	int ret = 1;

	if (!find_code(a, &code_a) || !find_code(b, &code_b))
		return same_files(a, b);
	if (code_a.n != code_b.n)
		return 0;
	for (size_t i = 0; ret == 1 && i < code_a.n; i++) {
		uint64_t skip = headers_in(&code_a, i);

		if (code_a.v[i].size != code_b.v[i].size ||
			!code_a.v[i].offset != !code_b.v[i].offset)
			return 0;
		if (code_a.v[i].size <= skip)
			return same_files(a, b);
		ret = same_bytes(a, code_a.v[i].offset + skip, b, code_b.v[i].offset + skip,
			code_a.v[i].size - skip);
	}
	return ret;
}

int same_code__memory(pid_t pid, uint64_t addr, uint64_t len, int file, uint64_t offset)
{
	char path[32];
	struct stat st;
	int mem, ret;

	if (fstat(file, &st))
		return -errno;
	if ((uint64_t)st.st_size <= offset)
		return 0;
	/* Behind the file's end, the page has zeros. */
	if (len > (uint64_t)st.st_size - offset)
		len = (uint64_t)st.st_size - offset;
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	mem = open(path, O_RDONLY | O_CLOEXEC);
	if (mem < 0)
		return -errno;
	ret = same_bytes(mem, addr, file, offset, len);
	close(mem);
	return ret;
}
