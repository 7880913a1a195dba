// SPDX-License-Identifier: GPL-2.0-only
/* See sdt.h. */
#include "user/parse/elf/sdt.h"

#include <byteswap.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SDT_OWNER "stapsdt"
#define SDT_TYPE 3

static uint64_t address(const uint8_t *at, bool is64, bool swap)
{
	uint64_t wide;
	uint32_t narrow;

	if (is64) {
		memcpy(&wide, at, sizeof(wide));
		return swap ? bswap_64(wide) : wide;
	}
	memcpy(&narrow, at, sizeof(narrow));
	return swap ? bswap_32(narrow) : narrow;
}

bool sdt__take(const struct elf_note *note, bool is64, bool swap, struct sdt *ret)
{
	size_t size = is64 ? 8 : 4;
	const uint8_t *desc = note->desc;
	const char *texts[3], *at, *end;

	if (note->type != SDT_TYPE || note->name_size != sizeof(SDT_OWNER) ||
		memcmp(note->name, SDT_OWNER, sizeof(SDT_OWNER)) != 0 || note->desc_size < 3 * size)
		return false;
	at = (const char *)desc + 3 * size;
	end = (const char *)desc + note->desc_size;
	for (int i = 0; i < 3; i++) {
		const char *nul = memchr(at, '\0', end - at);

		if (!nul)
			return false;
		texts[i] = at;
		at = nul + 1;
	}
	*ret = (struct sdt){
		.pc = address(desc, is64, swap),
		.base = address(desc + size, is64, swap),
		.semaphore = address(desc + 2 * size, is64, swap),
		.provider = texts[0],
		.name = texts[1],
		.args = texts[2],
	};
	return true;
}

/* tracefs' name of an x86 register (regs_query_register_offset of Linux), or NULL. */
static const char *register_of(const char *name, size_t len)
{
	static const struct {
		const char *names;
		const char *ret;
	} REGISTERS[] = {
		{" rax eax ax al ", "ax"},
		{" rbx ebx bx bl ", "bx"},
		{" rcx ecx cx cl ", "cx"},
		{" rdx edx dx dl ", "dx"},
		{" rsi esi si sil ", "si"},
		{" rdi edi di dil ", "di"},
		{" rbp ebp bp bpl ", "bp"},
		{" rsp esp sp spl ", "sp"},
		{" r8 r8d r8w r8b ", "r8"},
		{" r9 r9d r9w r9b ", "r9"},
		{" r10 r10d r10w r10b ", "r10"},
		{" r11 r11d r11w r11b ", "r11"},
		{" r12 r12d r12w r12b ", "r12"},
		{" r13 r13d r13w r13b ", "r13"},
		{" r14 r14d r14w r14b ", "r14"},
		{" r15 r15d r15w r15b ", "r15"},
	};
	char word[8];

	if (!len || len > 4)
		return NULL;
	snprintf(word, sizeof(word), " %.*s ", (int)len, name);
	for (size_t i = 0; i < sizeof(REGISTERS) / sizeof(*REGISTERS); i++)
		if (strstr(REGISTERS[i].names, word))
			return REGISTERS[i].ret;
	return NULL;
}

/*
 * Appends an OPERAND of @len characters in the assembler's syntax. Returns false if tracefs cannot
 * express it.
 */
static bool append_operand(struct buffer *out, const char *operand, size_t len)
{
	const char *reg, *open = memchr(operand, '(', len);
	long long offset = 0;
	char *end = (char *)operand;

	if (*operand == '%') {
		reg = register_of(operand + 1, len - 1);
		return reg && !buffer__printf(out, "%%%s", reg);
	}
	if (*operand == '$') {
		offset = strtoll(operand + 1, &end, 0);
		return len > 1 && end == operand + len && !buffer__printf(out, "\\%lld", offset);
	}
	/* [OFFSET](%REG) */
	if (!open || operand[len - 1] != ')' || open[1] != '%')
		return false;
	if (open != operand)
		offset = strtoll(operand, &end, 0);
	reg = register_of(open + 2, operand + len - 1 - (open + 2));
	return end == open && reg && !buffer__printf(out, "%+lld(%%%s)", offset, reg);
}

unsigned int sdt__append_args(struct buffer *out, const char *args)
{
	unsigned int number = 0, left_out = 0;

	while (*(args += strspn(args, " "))) {
		size_t len = strcspn(args, " "), start = out->size;
		char *at;
		long size = strtol(args, &at, 10), bytes = size == LONG_MIN ? 0 : labs(size);
		bool told;

		buffer__printf(out, " arg%u=", ++number);
		told = (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) && *at == '@' &&
		       args + len > at + 1 && append_operand(out, at + 1, args + len - at - 1) &&
		       !buffer__printf(out, ":%c%ld", size < 0 ? 's' : 'u', 8 * bytes);
		if (!told && !out->error) {
			buffer__truncate(out, start);
			left_out++;
		}
		args += len;
	}
	return left_out;
}
