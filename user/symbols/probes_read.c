// SPDX-License-Identifier: GPL-2.0-only
/* See probes_read.h. */
#include "user/symbols/probes_read.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/base/text.h"
#include "user/helper/confined.h"
#include "user/parse/elf/sdt.h"
#include "user/symbols/elf/elf.h"

#define SECONDS 20       /* of CPU time */
#define SILENCE_MS 60000 /* a disk may be slow */
#define MEMORY (1ull << 30)

/* What the child sends before the text. */
struct verdict {
	int code;
	unsigned int left_out;
	uint64_t size; /* bytes of the text */
	struct error error;
};

/* Two lines in .out, each including its newline. */
struct marker {
	size_t at;
	size_t spec_len;
	size_t len;
	size_t first; /* position of the first marker with this name */
};

struct reading {
	Elf *elf;
	const char *path;
	GElf_Ehdr ehdr;
	struct buffer out;
	struct marker *markers;
	size_t n_markers, room;
	struct verdict verdict;
};

static int fail(struct reading *reading, int code, const char *what, const char *name)
{
	reading->verdict.code = code;
	return error__set(&reading->verdict.error, code, "%s: %s%s", reading->path, what, name);
}

/* Finds the offset in the file of the byte that is loaded at @addr. */
static bool offset_of(Elf *elf, uint64_t addr, uint64_t *ret)
{
	size_t n;
	GElf_Phdr phdr;

	if (elf_getphdrnum(elf, &n))
		return false;
	for (size_t i = 0; i < n && gelf_getphdr(elf, (int)i, &phdr); i++)
		if (phdr.p_type == PT_LOAD && addr >= phdr.p_vaddr &&
			addr - phdr.p_vaddr < phdr.p_filesz) {
			*ret = addr - phdr.p_vaddr + phdr.p_offset;
			return true;
		}
	return false;
}

/* ---- Markers ---- */

/*
 * Makes a name for tracefs of @text: characters other than letters and digits become "_". Returns
 * false if that is not possible.
 */
static bool take_name(char *ret, size_t size, const char *prefix, const char *text)
{
	int n = snprintf(ret, size, "%s%s", prefix, text);

	if (n < 1 || (size_t)n >= size || !*text || (*ret >= '0' && *ret <= '9'))
		return false;
	for (char *c = ret; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *c))
			*c = '_';
	return true;
}

static void note_marker(struct reading *reading, size_t at, size_t spec_len)
{
	size_t n = reading->n_markers;

	if (array__reserve(&reading->markers, &reading->room, n + 1, sizeof(*reading->markers))) {
		fail(reading, -ENOMEM, "out of memory", "");
		return;
	}
	reading->markers[n] = (struct marker){
		.at = at, .spec_len = spec_len, .len = reading->out.size - at};
	reading->n_markers = n + 1;
}

static int compare_lines(const uint8_t *x, size_t x_len, const uint8_t *y, size_t y_len)
{
	/* No line is a prefix of another one, because each includes its newline. */
	return memcmp(x, y, x_len < y_len ? x_len : y_len);
}

static int compare_markers(const void *a, const void *b, void *ctx)
{
	const struct marker *x = a, *y = b;
	const uint8_t *text = ctx;
	int order;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	order = compare_lines(text + x->at, x->spec_len, text + y->at, y->spec_len);
	return order ? order
		     : compare_lines(text + x->at + x->spec_len, x->len - x->spec_len,
			       text + y->at + y->spec_len, y->len - y->spec_len);
}

/* Joins markers of one name as perf does: one definition, with a command for each place. */
static void join_markers(struct reading *reading)
{
	struct marker *v = reading->markers;
	size_t n = reading->n_markers;
	struct buffer out;

	if (!n || reading->out.error)
		return;
	qsort_r(v, n, sizeof(*v), compare_markers, reading->out.data);
	for (size_t i = 0, from = 0, end; i < n; i = from = end) {
		size_t first = v[i].at;

		for (end = i; end < n && v[end].spec_len == v[i].spec_len &&
			      !memcmp(reading->out.data + v[end].at, reading->out.data + v[i].at,
				      v[i].spec_len);
			end++)
			first = v[end].at < first ? v[end].at : first;
		while (from < end)
			v[from++].first = first;
	}
	qsort_r(v, n, sizeof(*v), compare_markers, reading->out.data);
	buffer__init(&out, PROBES_MAX);
	for (size_t i = 0; i < n; i++) {
		const uint8_t *text = reading->out.data + v[i].at;

		if (!i || v[i].first != v[i - 1].first)
			buffer__append(&out, text, v[i].spec_len);
		else if (!compare_markers(&v[i], &v[i - 1], reading->out.data))
			continue;
		buffer__append(&out, text + v[i].spec_len, v[i].len - v[i].spec_len);
	}
	buffer__free(&reading->out);
	reading->out = out;
}

static void add_marker(struct reading *reading, const struct sdt *sdt, uint64_t base)
{
	/* Prelinking moves the code, and does not update the note. */
	uint64_t moved = base ? base - sdt->base : 0, offset, counter;
	char group[PROBE_NAME_MAX], event[PROBE_NAME_MAX];
	struct buffer *out = &reading->out;
	size_t start = out->size, spec_len;

	if (!take_name(group, sizeof(group), "sdt_", sdt->provider) ||
		!take_name(event, sizeof(event), "", sdt->name) ||
		!offset_of(reading->elf, sdt->pc + moved, &offset))
		return;
	buffer__printf(out, "%%%s:%s=%s\n", group, event, event);
	spec_len = out->size - start;
	buffer__printf(out, "p:%s/%s %s:0x%" PRIx64, group, event, reading->path, offset);
	if (sdt->semaphore && offset_of(reading->elf, sdt->semaphore + moved, &counter))
		buffer__printf(out, "(0x%" PRIx64 ")", counter);
	if (reading->ehdr.e_machine == EM_X86_64)
		reading->verdict.left_out += sdt__append_args(out, sdt->args);
	if (!buffer__u8(out, '\n'))
		note_marker(reading, start, spec_len);
}

static void add_markers(struct reading *reading)
{
	bool is64 = gelf_getclass(reading->elf) == ELFCLASS64;
	Elf_Scn *scn = NULL;
	uint64_t base = 0;
	size_t names;
	GElf_Shdr shdr;

	if (elf_getshdrstrndx(reading->elf, &names))
		return;
	for (int pass = 0; pass < 2; pass++) {
		while ((scn = elf_nextscn(reading->elf, scn)) && gelf_getshdr(scn, &shdr)) {
			const char *name = elf_strptr(reading->elf, names, shdr.sh_name);
			struct elf_notes notes;
			struct elf_note note;
			Elf_Data *data;
			struct sdt sdt;

			if (!pass && name && !strcmp(name, ".stapsdt.base"))
				base = shdr.sh_addr;
			if (!pass || shdr.sh_type != SHT_NOTE)
				continue;
			/*
			 * The raw bytes of the file are used, because sdt__take() converts the byte
			 * order.
			 */
			data = elf_rawdata(scn, NULL);
			if (!data || !data->d_buf)
				continue;
			elf_notes__init(&notes, data->d_buf, data->d_size, 4,
				reading->ehdr.e_ident[EI_DATA] !=
					(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB
										   : ELFDATA2MSB));
			while (elf_notes__next(&notes, &note) > 0)
				if (sdt__take(&note, is64, notes.swap, &sdt))
					add_marker(reading, &sdt, base);
		}
		scn = NULL;
	}
	join_markers(reading);
}

/* ---- Functions ---- */

/* Finds the function with this name; of several, one that is not local. */
static const struct table_symbol *find_function(
	const struct symbols_table *table, const char *name, bool *ret_several)
{
	const struct table_symbol *found = NULL;

	*ret_several = false;
	for (size_t i = 0; i < table->n; i++) {
		const struct table_symbol *symbol = &table->v[i];

		if (strcmp(symbol->name, name) != 0 || (found && found->start == symbol->start))
			continue;
		if (found && (symbol->binding == STB_LOCAL) == (found->binding == STB_LOCAL))
			*ret_several = true;
		if (!found || (found->binding == STB_LOCAL && symbol->binding != STB_LOCAL)) {
			*ret_several = *ret_several && !found;
			found = symbol;
		}
	}
	return found;
}

static int add_function(
	struct reading *reading, const struct symbols_table *table, const struct probe_wish *wish)
{
	char place[PATH_MAX + 32];
	const struct table_symbol *symbol;
	uint64_t offset;
	bool several;

	symbol = find_function(table, wish->function, &several);
	if (!symbol)
		return fail(reading, -ENOENT, "no such function: ", wish->function);
	if (several)
		return fail(reading, -EINVAL, "several functions have this name: ", wish->function);
	if (symbol->end > symbol->start && wish->offset >= symbol->end - symbol->start)
		return fail(reading, -EINVAL, "the offset is beyond the end of ", wish->function);
	if (!offset_of(reading->elf, symbol->start + wish->offset, &offset))
		return fail(reading, -EINVAL, "no segment has the code of ", wish->function);
	snprintf(place, sizeof(place), "%s:0x%" PRIx64, reading->path, offset);
	return probe_wish__append(&reading->out, wish, place);
}

static void add_functions(struct reading *reading, const struct probe_wish *wishes, size_t n)
{
	struct symbols_table table = {0};

	symbols_elf__add(&table, reading->elf, SHT_SYMTAB, SYMBOL_SYMTAB);
	if (!table.n) {
		symbols_elf__add_minidebug(&table, reading->elf);
		symbols_elf__add(&table, reading->elf, SHT_DYNSYM, SYMBOL_DYNSYM);
	}
	if (symbols_table__sort(&table)) {
		fail(reading, -ENOMEM, "out of memory", "");
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (add_function(reading, &table, &wishes[i]))
			return;
}

/* ---- The child, and this side of it ---- */

static void read_elf(struct reading *reading, int fd, const struct probe_wish *wishes, size_t n)
{
	elf_version(EV_CURRENT);
	reading->elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf_kind(reading->elf) != ELF_K_ELF || !gelf_getehdr(reading->elf, &reading->ehdr))
		fail(reading, -EINVAL, "not an ELF file", "");
	else if (reading->ehdr.e_type == ET_REL)
		fail(reading, -EINVAL,
			"a relocatable file: uprobes need an executable or a library", "");
	else if (n)
		add_functions(reading, wishes, n);
	else
		add_markers(reading);
}

struct request {
	int fd;
	const char *path;
	const struct probe_wish *wishes;
	size_t n;
};

static void be_child(void *ctx, int to)
{
	const struct request *request = ctx;
	struct reading *reading = calloc(1, sizeof(*reading));
	FILE *out = fdopen(to, "w");

	if (!reading || !out)
		return;
	reading->path = request->path;
	buffer__init(&reading->out, PROBES_MAX);
	read_elf(reading, request->fd, request->wishes, request->n);
	if (!reading->verdict.code && reading->out.error)
		fail(reading, reading->out.error, "too many probes", "");
	reading->verdict.size = reading->out.size;
	fwrite(&reading->verdict, sizeof(reading->verdict), 1, out);
	fwrite(reading->out.data, 1, reading->out.size, out);
	fflush(out);
}

/* Reads the child's answer. False if it is incomplete. */
static bool take(struct confined *child, struct verdict *ret_verdict, struct buffer *ret)
{
	void *text;

	if (!confined__take(child, ret_verdict, sizeof(*ret_verdict)) ||
		ret_verdict->size > PROBES_MAX)
		return false;
	if (!ret_verdict->size)
		return true;
	text = buffer__extend(ret, ret_verdict->size);
	return text && confined__take(child, text, ret_verdict->size);
}

static int judge(struct probes_found *ret, struct verdict *verdict, struct error *err)
{
	verdict->error.text[sizeof(verdict->error.text) - 1] = '\0';
	if (verdict->code > 0)
		verdict->code = -EBADMSG;
	ret->left_out = verdict->left_out;
	if (verdict->code)
		return error__set(err, verdict->code, "%s", verdict->error.text);
	/* The answer is checked, because the input may have compromised the child. */
	return probes__for_each((const char *)ret->text.data, ret->text.size, NULL, NULL, err);
}

int probes_read(int fd, const char *path, const struct probe_wish *wishes, size_t n,
	struct probes_found *ret, struct error *err)
{
	struct request request = {fd, path, wishes, n};
	const struct confined_options options = {
		.what = "reading probes",
		.seconds = SECONDS,
		.memory = MEMORY,
		.silence_ms = SILENCE_MS,
		.kept_fd = fd,
		.run = be_child,
		.ctx = &request,
	};
	struct confined *child;
	struct verdict verdict;
	bool whole;
	int code;

	if (!probe__takes_path(path))
		return error__set(err, -EINVAL, "%s: " PROBES_PATH, path);
	child = calloc(1, sizeof(*child));
	if (!child)
		return error__set(err, -ENOMEM, "out of memory");
	code = confined__start(child, &options, err);
	if (code) {
		free(child);
		return code;
	}
	memset(ret, 0, sizeof(*ret));
	buffer__init(&ret->text, PROBES_MAX);
	whole = take(child, &verdict, &ret->text);
	confined__end(child, !whole);
	free(child);
	code = whole ? judge(ret, &verdict, err)
		     : error__set(err, -EBADMSG,
			       "%s: it could not be read in %d seconds and %llu MiB: it is no "
			       "whole ELF file",
			       path, SECONDS, (unsigned long long)MEMORY >> 20);
	if (code)
		buffer__free(&ret->text);
	return code;
}
