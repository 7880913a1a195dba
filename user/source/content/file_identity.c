// SPDX-License-Identifier: GPL-2.0-only
/* See file_identity.h. ELF is read by libelf, without mapping the file: it may shrink. */
#include "user/source/content/file_identity.h"

#include <elf.h>
#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/io/whole.h"

#include "perfstamp/cookie.h"

/* The limit of the bytes that are read from all PT_NOTE segments of a file. */
#define NOTES_SIZE_MAX (16u << 20)
/* The limit of the sections, and of the program headers, that libelf may read. */
#define HEADERS_MAX (1u << 18)
#define TRIES_MAX 10 /* tries to read content that does not change meanwhile */

/* The bytes from which the cookie is computed. */
struct head {
	uint64_t words[PERFSTAMP_COOKIE_WORDS];
	size_t size; /* bytes; if the file is shorter, zeros follow */
};

/* Searches the notes of one segment for the build-id. Returns true if the search is over. */
static bool search_notes(Elf_Data *data, struct perfstamp_identity *identity)
{
	size_t at = 0, name, desc;
	GElf_Nhdr note;

	while ((at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof("GNU") ||
			note.n_descsz == 0 ||
			memcmp((char *)data->d_buf + name, "GNU", sizeof("GNU")) != 0)
			continue;
		if (note.n_descsz > PERFSTAMP_BUILD_ID_MAX) {
			identity->reason = PERFSTAMP_REASON_TOO_LONG;
			return true;
		}
		memcpy(identity->build_id, (char *)data->d_buf + desc, note.n_descsz);
		identity->build_id_size = note.n_descsz;
		identity->reason = PERFSTAMP_REASON_NONE;
		return true;
	}
	return false;
}

void file_identity__read_elf(Elf *elf, uint64_t size, struct perfstamp_identity *identity)
{
	Elf_Data *data;
	size_t n, i, left = NOTES_SIZE_MAX;
	GElf_Phdr phdr;

	identity->build_id_size = 0;
	memset(identity->build_id, 0, sizeof(identity->build_id));
	if (elf_kind(elf) != ELF_K_ELF) {
		identity->reason = PERFSTAMP_REASON_NOT_ELF;
		return;
	}
	identity->reason = PERFSTAMP_REASON_NO_NOTE;
	if (elf_getphdrnum(elf, &n)) {
		identity->reason = PERFSTAMP_REASON_MALFORMED;
		return;
	}
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, &phdr)) {
			identity->reason = PERFSTAMP_REASON_MALFORMED;
			return;
		}
		if (phdr.p_type != PT_NOTE)
			continue;
		/*
		 * Anyone can map a file with many large segments, and libelf keeps all of them
		 * in memory. The search ends here, because the first id counts, and it may be
		 * in the part that is not read. A segment beyond the file's end has no notes.
		 */
		if (phdr.p_filesz > left && phdr.p_filesz <= size) {
			identity->reason = PERFSTAMP_REASON_LIMIT;
			return;
		}
		left -= phdr.p_filesz <= left ? phdr.p_filesz : 0;
		data = elf_getdata_rawchunk(elf, phdr.p_offset, phdr.p_filesz,
			phdr.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
		if (!data)
			identity->reason = PERFSTAMP_REASON_MALFORMED;
		else if (search_notes(data, identity))
			return;
	}
}

/*
 * Whether section 0 claims very many sections or program headers, more than e_shnum and e_phnum can
 * hold. libelf allocates memory for all that a file claims to have, and a sparse file can claim
 * millions.
 */
static bool claims_too_much(int fd)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf32_Ehdr ehdr32;
		Elf64_Ehdr ehdr64;
	} head;
	Elf32_Shdr shdr32;
	Elf64_Shdr shdr64;
	uint64_t at, sections;
	uint32_t phdrs;
	bool swap;

	memset(&head, 0, sizeof(head));
	if (pread(fd, &head, sizeof(head), 0) < (ssize_t)sizeof(head.ehdr32))
		return false;
	swap = head.ident[EI_DATA] !=
	       (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB);
	if (head.ident[EI_CLASS] == ELFCLASS64) {
		at = swap ? __builtin_bswap64(head.ehdr64.e_shoff) : head.ehdr64.e_shoff;
		if (!at || pread(fd, &shdr64, sizeof(shdr64), at) != sizeof(shdr64))
			return false;
		sections = swap ? __builtin_bswap64(shdr64.sh_size) : shdr64.sh_size;
		phdrs = swap ? __builtin_bswap32(shdr64.sh_info) : shdr64.sh_info;
		return (!head.ehdr64.e_shnum && sections > HEADERS_MAX) ||
		       (head.ehdr64.e_phnum == PN_XNUM && phdrs > HEADERS_MAX);
	}
	at = swap ? __builtin_bswap32(head.ehdr32.e_shoff) : head.ehdr32.e_shoff;
	if (!at || pread(fd, &shdr32, sizeof(shdr32), at) != sizeof(shdr32))
		return false;
	sections = swap ? __builtin_bswap32(shdr32.sh_size) : shdr32.sh_size;
	phdrs = swap ? __builtin_bswap32(shdr32.sh_info) : shdr32.sh_info;
	return (!head.ehdr32.e_shnum && sections > HEADERS_MAX) ||
	       (head.ehdr32.e_phnum == PN_XNUM && phdrs > HEADERS_MAX);
}

static int read_head(int fd, uint64_t size, struct head *ret)
{
	size_t want = size < sizeof(ret->words) ? size : sizeof(ret->words);
	ssize_t n;

	memset(ret, 0, sizeof(*ret));
	n = whole__pread(fd, ret->words, want, 0);
	if (n < 0)
		return n;
	ret->size = n;
	if (ret->size < want)
		return -ENODATA; /* the file shrank */
	return 0;
}

static void put_cookie(const struct head *head, struct perfstamp_identity *identity)
{
	perfstamp_cookie((const __u64 *)head->words, identity->file_size, identity->cookie);
	identity->cookie_size = PERFSTAMP_COOKIE_V1_SIZE;
}

/* Whether section 0 has the number of sections, or of program headers. */
static bool counts_in_section_0(const struct head *head)
{
	const unsigned char *ident = (const unsigned char *)head->words;
	const Elf32_Ehdr *ehdr32 = (const Elf32_Ehdr *)head->words;
	const Elf64_Ehdr *ehdr64 = (const Elf64_Ehdr *)head->words;

	/* Works in both byte orders. */
	return ident[EI_CLASS] == ELFCLASS64
		       ? (ehdr64->e_shoff && !ehdr64->e_shnum) || ehdr64->e_phnum == PN_XNUM
		       : (ehdr32->e_shoff && !ehdr32->e_shnum) || ehdr32->e_phnum == PN_XNUM;
}

/*
 * Whether program headers and notes are all in the first @size bytes of the file, from which @elf
 * was made.
 */
static bool has_notes_within(Elf *elf, uint64_t size)
{
	GElf_Ehdr ehdr;
	GElf_Phdr phdr;
	size_t i;

	if (!gelf_getehdr(elf, &ehdr) || ehdr.e_phoff > size ||
		(uint64_t)ehdr.e_phnum * ehdr.e_phentsize > size - ehdr.e_phoff)
		return false;
	for (i = 0; i < ehdr.e_phnum; i++)
		if (!gelf_getphdr(elf, i, &phdr) ||
			(phdr.p_type == PT_NOTE &&
				(phdr.p_offset > size || phdr.p_filesz > size - phdr.p_offset)))
			return false;
	return true;
}

/*
 * Uses only the head, which was read at one moment. Returns false if the head does not contain
 * everything that is needed.
 */
static bool read_from_head(struct head *head, struct perfstamp_identity *identity)
{
	bool within;
	Elf *elf;

	if (head->size < sizeof(Elf64_Ehdr) || counts_in_section_0(head))
		return false;
	elf = elf_memory((char *)head->words, head->size);
	if (!elf)
		return false;
	within = elf_kind(elf) != ELF_K_ELF || has_notes_within(elf, head->size);
	if (within)
		file_identity__read_elf(elf, identity->file_size, identity);
	elf_end(elf);
	return within;
}

static int read_from_file(int fd, struct perfstamp_identity *identity)
{
	Elf *elf;

	if (claims_too_much(fd)) {
		identity->reason = PERFSTAMP_REASON_LIMIT;
		return 0;
	}
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf)
		return -EIO;
	file_identity__read_elf(elf, identity->file_size, identity);
	elf_end(elf);
	return 0;
}

/*
 * Reads the build-id, or the reason why there is none, and the head, which did not change during
 * the reading.
 */
static int read_content(int fd, struct head *head, struct perfstamp_identity *identity)
{
	struct head before;
	int code, tries;

	code = read_head(fd, identity->file_size, head);
	if (code || read_from_head(head, identity))
		return code;
	for (tries = 0; tries < TRIES_MAX; tries++) {
		before = *head;
		code = read_from_file(fd, identity);
		if (!code)
			code = read_head(fd, identity->file_size, head);
		if (code || !memcmp(&before, head, sizeof(before)))
			return code;
	}
	return -ESTALE;
}

static int read_fd(int fd, enum perfstamp_source source, struct head *head,
	struct perfstamp_identity *identity)
{
	struct stat st;
	int code;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return -ENOTSUP;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	identity->file_size = st.st_size;
	code = read_content(fd, head, identity);
	if (!code)
		identity->source = source;
	return code;
}

int file_identity__read(int fd, enum perfstamp_source source, struct perfstamp_identity *identity)
{
	struct head head = {0};
	int code = read_fd(fd, source, &head, identity);

	if (!code && !identity->build_id_size)
		put_cookie(&head, identity);
	return code;
}

int file_identity__read_with_cookie(
	int fd, enum perfstamp_source source, struct perfstamp_identity *identity)
{
	struct head head = {0};
	int code = read_fd(fd, source, &head, identity);

	if (!code)
		put_cookie(&head, identity);
	return code;
}
