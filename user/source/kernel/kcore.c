// SPDX-License-Identifier: GPL-2.0-only
/* See kcore.h, and kcore_copy() in tools/perf/util/symbol-elf.c of Linux, which makes the same. */
#include "user/source/kernel/kcore.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/io/whole.h"

#define PAGE 4096
#define BLOCK (256u << 10)

struct kcore {
	int fd;
	Elf64_Ehdr head;
	Elf64_Phdr *segments;
};

static int read_segments(struct kcore *kcore)
{
	const Elf64_Ehdr *head = &kcore->head;
	int code = whole__read_exactly(&kcore->fd, 0, &kcore->head, sizeof(kcore->head));

	if (code)
		return code;
	if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
		head->e_phentsize != sizeof(*kcore->segments))
		return -EBADMSG;
	kcore->segments = calloc(head->e_phnum + 1, sizeof(*kcore->segments));
	if (!kcore->segments)
		return -ENOMEM;
	return whole__read_exactly(&kcore->fd, head->e_phoff, kcore->segments,
		head->e_phnum * sizeof(*kcore->segments));
}

/* Sets *@ret_offset to the range's offset in the file. Returns 0 or -ENODATA. */
static int find(const struct kcore *kcore, const struct kcore_range *range, uint64_t *ret_offset)
{
	for (size_t i = 0; i < kcore->head.e_phnum; i++) {
		const Elf64_Phdr *segment = &kcore->segments[i];
		uint64_t from = range->start - segment->p_vaddr;

		if (segment->p_type != PT_LOAD || from >= segment->p_memsz ||
			range->end - range->start > segment->p_memsz - from)
			continue;
		*ret_offset = segment->p_offset + from;
		return 0;
	}
	return -ENODATA;
}

static int copy(const struct kcore *kcore, int fd, uint64_t offset, uint64_t size)
{
	int code, from = kcore->fd;
	char *block = malloc(BLOCK);

	code = block ? 0 : -ENOMEM;
	while (!code && size) {
		size_t n = size < BLOCK ? size : BLOCK;

		code = whole__read_exactly(&from, offset, block, n);
		if (!code)
			code = whole__write(fd, block, n);
		offset += n;
		size -= n;
	}
	free(block);
	return code;
}

/* The heads, in the first page; the segments follow it. */
static int write_heads(
	const struct kcore *kcore, int fd, const struct kcore_range *ranges, size_t n)
{
	struct {
		Elf64_Ehdr head;
		Elf64_Phdr segments[KCORE_RANGES_MAX];
		char rest[PAGE - sizeof(Elf64_Ehdr) - KCORE_RANGES_MAX * sizeof(Elf64_Phdr)];
	} page = {.head = kcore->head};
	uint64_t offset = sizeof(page);

	page.head.e_type = ET_CORE;
	page.head.e_phoff = sizeof(page.head);
	page.head.e_phnum = n;
	page.head.e_shoff = 0;
	page.head.e_shnum = page.head.e_shstrndx = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t size = ranges[i].end - ranges[i].start;

		page.segments[i] = (Elf64_Phdr){
			.p_type = PT_LOAD,
			.p_flags = PF_R | PF_W | PF_X,
			.p_offset = offset,
			.p_vaddr = ranges[i].start,
			.p_filesz = size,
			.p_memsz = size,
			.p_align = PAGE,
		};
		offset += size;
	}
	return whole__write(fd, &page, sizeof(page));
}

int kcore__copy(int fd, const struct kcore_range *ranges, size_t n, struct error *err)
{
	struct kcore kcore = {.fd = open("/proc/kcore", O_RDONLY | O_CLOEXEC)};
	uint64_t offsets[KCORE_RANGES_MAX];
	int code;

	if (kcore.fd < 0) {
		code = -errno;
		return error__set(err, code, "/proc/kcore: %s%s", strerror(-code),
			code == -EPERM ? " (lockdown, or no CAP_SYS_RAWIO)" : "");
	}
	code = n <= KCORE_RANGES_MAX ? read_segments(&kcore) : -EINVAL;
	if (code)
		error__errno(err, code, "/proc/kcore");
	for (size_t i = 0; !code && i < n; i++) {
		code = find(&kcore, &ranges[i], &offsets[i]);
		if (code)
			error__set(err, code,
				"/proc/kcore has no memory from %#" PRIx64 " to %#" PRIx64,
				ranges[i].start, ranges[i].end);
	}
	if (!code) {
		code = write_heads(&kcore, fd, ranges, n);
		for (size_t i = 0; !code && i < n; i++)
			code = copy(&kcore, fd, offsets[i], ranges[i].end - ranges[i].start);
		if (code)
			error__errno(err, code, "a copy of /proc/kcore");
	}
	free(kcore.segments);
	close(kcore.fd);
	return code;
}
