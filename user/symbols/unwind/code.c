// SPDX-License-Identifier: GPL-2.0-only
/* See code.h. */
#include "user/symbols/unwind/code.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/buffer.h"
#include "user/base/hash.h"
#include "user/store/cache/symbol_elf.h"

/* Limit for all images in bytes: the process chose the sizes of its functions. */
#define IMAGES_MAX (512ull << 20)

struct image {
	UT_hash_handle hh;
	uint32_t number; /* index of the entry in .names */
	struct unwind_image image;
	struct buffer bytes; /* of its ELF */
};

struct unwind_code {
	const struct code_names *names;
	struct image *by_number;
	uint64_t bytes; /* bytes of all images */
};

struct unwind_code *unwind_code__new(const struct code_names *names)
{
	struct unwind_code *code = calloc(1, sizeof(*code));

	if (code)
		code->names = names;
	return code;
}

static Elf *make_elf(struct buffer *ret, struct unwind_code *code, uint16_t machine, uint64_t size,
	const struct code_unwind *unwind)
{
	const struct text_symbols text = {
		.shared = true,
		.start = UNWIND_CODE_START,
		.size = size,
		.unwind = unwind->bytes,
		.unwind_size = unwind->size,
		.unwind_hdr_size = unwind->hdr_size,
	};

	if (size > IMAGES_MAX - code->bytes)
		return NULL;
	if (symbol_elf__build(ret, NULL, 0, &text))
		return NULL;
	code->bytes += size;
	memcpy(ret->data + offsetof(Elf64_Ehdr, e_machine), &machine, sizeof(machine));
	return elf_memory((char *)ret->data, ret->size);
}

static void free_image(struct image *image)
{
	elf_end(image->image.elf);
	buffer__free(&image->bytes);
	free(image->image.owner);
	free(image);
}

static struct image *add(struct unwind_code *code, uint16_t machine, uint32_t number)
{
	const struct code_entry entry = code_names__at(code->names, number);
	struct image *image = calloc(1, sizeof(*image));
	struct code_unwind unwind;

	if (!image)
		return NULL;
	image->number = number;
	image->image.addr = entry.addr;
	image->image.size = entry.size;
	buffer__init(&image->bytes, 0);
	if (code_details__unwind(code_names__details(code->names), entry.detail, &unwind))
		image->image.elf = make_elf(&image->bytes, code, machine, entry.size, &unwind);
	HASH_ADD(hh, code->by_number, number, sizeof(image->number), image);
	if (hash__added(image))
		return image;
	free_image(image);
	return NULL;
}

struct unwind_image *unwind_code__find(
	struct unwind_code *code, uint16_t machine, uint32_t pid, uint64_t addr, uint64_t time_ns)
{
	struct image *image;
	uint32_t number;

	if (!code->names ||
		code_names__find(code->names, pid, addr, time_ns, &number) != CODE_NAMED)
		return NULL;
	HASH_FIND(hh, code->by_number, &number, sizeof(number), image);
	if (!image)
		image = add(code, machine, number);
	return image && image->image.elf ? &image->image : NULL;
}

void unwind_code__free(struct unwind_code *code)
{
	struct image *image, *next;

	if (!code)
		return;
	HASH_ITER (hh, code->by_number, image, next) {
		HASH_DEL(code->by_number, image);
		free_image(image);
	}
	free(code);
}
