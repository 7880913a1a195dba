// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on the parsers of what the kernel and ELF files say: the input's
 * first byte chooses one, the rest is its bytes or text.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "user/parse/code/code.h"
#include "user/parse/event/cpu_list.h"
#include "user/parse/elf/build_id.h"
#include "user/parse/elf/note.h"
#include "user/parse/event/name.h"
#include "user/parse/kernel/kallsyms.h"
#include "user/parse/elf/line_md5.h"
#include "user/parse/maps.h"
#include "user/parse/kernel/modules.h"
#include "user/parse/event/record_scan.h"
#include "user/parse/stat.h"

static volatile size_t touched;

static void parse_notes(const uint8_t *bytes, size_t size)
{
	uint8_t id[ELF_BUILD_ID_MAX];
	unsigned int align = size ? bytes[0] & 1 ? 8 : 4 : 0;
	bool swap = size && bytes[0] & 2;
	struct elf_notes notes;
	struct elf_note note;
	int ret = elf_notes__build_id(bytes, size, align, swap, id);

	if (ret > ELF_BUILD_ID_MAX)
		abort();
	elf_notes__init(&notes, bytes, size, align, swap);
	while (elf_notes__next(&notes, &note) > 0)
		for (uint32_t i = 0; i < note.name_size + note.desc_size; i++)
			touched += i < note.name_size
					   ? (uint8_t)note.name[i]
					   : ((const uint8_t *)note.desc)[i - note.name_size];
}

static void parse_elf(const uint8_t *bytes, size_t size)
{
	uint8_t id[ELF_BUILD_ID_MAX];

	if (elf_build_id__of(bytes, size, id) > ELF_BUILD_ID_MAX)
		abort();
}

static void parse_line_table(const uint8_t *bytes, size_t size)
{
	uint8_t md5[LINE_MD5_SIZE];

	for (uint64_t index = 0; index < 3; index++)
		if (!line_md5__find(bytes, size, size & 1, 0, index, md5))
			touched += md5[0];
}

static void parse_maps(const char *text, size_t size)
{
	const char *at = text;
	struct map_line line;
	int ret;

	while ((ret = map_line__next(&at, text + size, &line)) != 0 && ret != -EAGAIN) {
		if (ret > 0)
			touched += strlen(line.path);
		if (ret < 0 && ret != -EBADMSG)
			break;
	}
}

static void parse_modules(const char *text)
{
	const char *at = text, *path;
	struct module_line line;
	size_t path_size;
	int ret;

	while ((ret = module_line__next(&at, &line)) != 0)
		touched += ret > 0 ? strlen(line.name) : 0;
	at = text;
	while ((ret = modules_dep__next(&at, &path, &path_size)) != 0)
		if (ret > 0 && module_name__from_path(line.name, path, path_size))
			touched += strlen(line.name);
}

static int take_symbol(void *ctx, const struct kallsyms_symbol *symbol)
{
	touched += strlen(symbol->name) + (symbol->module ? strlen(symbol->module) : 0);
	return kallsyms_kernel__add(ctx, symbol);
}

static void parse_kallsyms(const char *text, size_t size)
{
	struct kallsyms_kernel kernel = {};
	struct kallsyms kallsyms;

	kallsyms__init(&kallsyms);
	if (!kallsyms__feed(&kallsyms, text, size / 2, take_symbol, &kernel))
		kallsyms__feed(&kallsyms, text + size / 2, size - size / 2, take_symbol, &kernel);
}

static void parse_stat(const char *text, size_t size)
{
	struct task_stat stat;
	uint64_t number;

	if (!task_stat__parse(&stat, text, size))
		touched += strlen(stat.comm);
	task_status__number(&number, text, "Tgid");
}

static void parse_event_names(const char *text)
{
	struct event_names names;
	struct event_name name;

	event_names__init(&names, text);
	while (event_names__next(&names, &name, NULL) > 0)
		touched += strlen(name.text);
}

static void scan_records(const uint8_t *bytes, size_t size)
{
	struct record_counts counts = {};
	struct record_list list = {};
	struct record_ksymbol symbol;
	struct record_layout layout;
	uint64_t type = 0;
	void *records;

	if (size < sizeof(type))
		return;
	memcpy(&type, bytes, sizeof(type));
	size -= sizeof(type);
	records = malloc(size ? size : 1); /* aligned, as rings are */
	if (records)
		memcpy(records, bytes + sizeof(type), size);
	layout = record_layout__of(type);
	if (records)
		record_list__read(&list, &counts, UINT64_MAX, &layout, records, size);
	for (size_t i = 0; i < list.n; i++)
		if (record_ksymbol__read(&symbol, &list.v[i]) && symbol.name)
			touched += strlen(symbol.name);
	record_list__free(&list);
	free(records);
}

static void touch_detail(const struct code_detail *detail)
{
	const char *file = NULL;
	struct code_line line;
	struct cursor in;

	cursor__init(&in, detail->lines, detail->lines_size, detail->swap);
	while (detail->lines && code_lines__next(&in, &file, &line))
		touched += strlen(line.file) + line.line;
	if (detail->unwind_hdr_size > detail->unwind_size)
		abort();
	for (size_t i = 0; i < detail->unwind_size; i++)
		touched += detail->unwind[i];
}

static int take_code(void *ctx, const struct code_name *name)
{
	(void)ctx;
	if (!name->size || name->addr + name->size < name->addr)
		abort();
	if (name->name && strlen(name->name) >= CODE_NAME_MAX)
		abort();
	touched += name->name ? strlen(name->name) : 0;
	if (name->detail)
		touch_detail(name->detail);
	return 0;
}

/* In pieces, with a gap where the first byte says so. */
static void parse_code(const uint8_t *bytes, size_t size)
{
	size_t piece = size ? 1 + bytes[0] / 2 : 1;
	struct code_stream stream;

	if (!size)
		return;
	for (int dump = 0; dump < 2; dump++) {
		code_stream__init(&stream, dump);
		for (size_t at = 1; at < size; at += piece) {
			size_t n = size - at < piece ? size - at : piece;

			if (code_stream__feed(&stream, bytes + at, n, take_code, NULL))
				break;
			if (bytes[0] & 1 && at > size / 2) {
				code_stream__gap(&stream);
				break;
			}
		}
		code_stream__free(&stream);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct cpu_list cpus;
	char *text;

	if (!size)
		return 0;
	text = fuzz__text(bytes, size);
	if (!text)
		return 0;
	switch (bytes[0] % 10) {
	case 0:
		parse_notes(bytes + 1, size - 1);
		break;
	case 1:
		parse_maps(text, size - 1);
		break;
	case 2:
		parse_modules(text);
		break;
	case 3:
		parse_kallsyms(text, size - 1);
		break;
	case 4:
		parse_stat(text, size - 1);
		break;
	case 5:
		if (!cpu_list__parse(&cpus, text, NULL))
			cpu_list__free(&cpus);
		break;
	case 6:
		parse_event_names(text);
		break;
	case 7:
		scan_records(bytes + 1, size - 1);
		break;
	case 9:
		parse_code(bytes + 1, size - 1);
		break;
	case 8:
		parse_elf((const uint8_t *)text, size - 1);
		parse_line_table((const uint8_t *)text, size - 1);
		break;
	}
	free(text);
	return 0;
}
