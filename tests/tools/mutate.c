// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes damaged copies of an ELF file: mutate SEED COUNT FILE DIR makes
 * DIR/0 … DIR/COUNT-1. The damage is where a reader of build-ids looks: the ELF
 * header, the program headers, the notes, and the end of the file. The same
 * seed makes the same files.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/tool.h"

#define FILE_MAX (1u << 20) /* bytes */

struct random {
	uint64_t state;
};

/* splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t random__next(struct random *random, uint64_t below)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (z ^ (z >> 31)) % below;
}

/* Where the damage goes: mostly into what a reader of build-ids reads. */
static size_t choose_place(struct random *random, const uint8_t *bytes, size_t size)
{
	const Elf64_Ehdr *ehdr = (const void *)bytes;
	const uint8_t *note;
	size_t at;

	switch (random__next(random, 4)) {
	case 0:
		return random__next(random, sizeof(*ehdr));
	case 1:
		at = ehdr->e_phoff + random__next(random, sizeof(Elf64_Phdr) * ehdr->e_phnum + 1);
		break;
	case 2:
		note = memmem(bytes, size, "GNU", 4);
		at = note ? note - bytes - 12 + random__next(random, 40) : 0;
		break;
	default:
		at = random__next(random, size);
	}
	return at < size ? at : random__next(random, size);
}

static void damage(struct random *random, uint8_t *bytes, size_t size)
{
	static const uint64_t EXTREMES[] = {0, 1, 3, 4, 8, 20, 21, 4095, 4096, 0x7fffffff,
		0x80000000, 0xffffffff, 0xfffffffffffff000, UINT64_MAX};
	size_t at = choose_place(random, bytes, size), width;
	uint64_t value;

	if (random__next(random, 2)) {
		bytes[at] ^= 1u << random__next(random, 8);
		return;
	}
	value = EXTREMES[random__next(random, sizeof(EXTREMES) / sizeof(*EXTREMES))];
	width = 1u << random__next(random, 4);
	at &= ~(width - 1);
	if (at + width <= size)
		memcpy(bytes + at, &value, width);
}

/*
 * The section headers stay as they were: nobody maps them, but libelf gives up a
 * file whose section headers are wrong, and then has no answer to compare with.
 */
static void restore_sections(uint8_t *bytes, const uint8_t *original)
{
	static const struct {
		size_t at, size;
	} FIELDS[2][2] = {
		{{offsetof(Elf32_Ehdr, e_shoff), 4}, {offsetof(Elf32_Ehdr, e_shentsize), 6}},
		{{offsetof(Elf64_Ehdr, e_shoff), 8}, {offsetof(Elf64_Ehdr, e_shentsize), 6}},
	};
	int is_64 = original[EI_CLASS] == ELFCLASS64, i;

	for (i = 0; i < 2; i++)
		memcpy(bytes + FIELDS[is_64][i].at, original + FIELDS[is_64][i].at,
			FIELDS[is_64][i].size);
}

static void write_mutant(const char *dir, uint64_t number, const uint8_t *bytes, size_t size)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%" PRIu64, dir, number);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || close(fd))
		fail(path);
}

int main(int argc, char **argv)
{
	static uint8_t original[FILE_MAX], copy[FILE_MAX];
	struct random random;
	uint64_t count, i, n;
	size_t cut;
	ssize_t size;
	int fd;

	if (argc != 5) {
		fprintf(stderr, "Usage: mutate SEED COUNT FILE DIR\n");
		return 2;
	}
	random.state = strtoull(argv[1], NULL, 0);
	count = strtoull(argv[2], NULL, 0);
	fd = open(argv[3], O_RDONLY | O_CLOEXEC);
	size = fd < 0 ? -1 : read(fd, original, sizeof(original));
	if (size < (ssize_t)sizeof(Elf64_Ehdr))
		fail(argv[3]);
	for (i = 0; i < count; i++) {
		memcpy(copy, original, size);
		for (n = 1 + random__next(&random, 6); n; n--)
			damage(&random, copy, size);
		restore_sections(copy, original);
		cut = random__next(&random, 8) ? (size_t)size : 1 + random__next(&random, size);
		write_mutant(argv[4], i, copy, cut);
	}
	return 0;
}
