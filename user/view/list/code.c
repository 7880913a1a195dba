// SPDX-License-Identifier: GPL-2.0-only
/*
 * See code.h. The next file of a recording may repeat a run-time file from its beginning; repeated
 * bytes count once.
 */
#include "user/view/list/code.h"

#include <errno.h>
#include <inttypes.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/base/hash.h"
#include "user/view/format/escaped.h"
#include "user/view/format/json.h"
#include "user/view/list/code_paths.h"
#include "user/view/list/list.h"

#define COMM_SIZE 64
#define ID_HEX 32 /* digits of a digest in text: the column has 40 characters */

struct code_file {
	UT_hash_handle hh;
	uint32_t stream;
	uint32_t pid;
	uint8_t kind;
	bool other_clock;
	uint64_t bytes;   /* bytes in the recording */
	uint64_t missing; /* missing bytes before the last one */
	uint64_t end;     /* offset behind its last byte */
	uint64_t first_ns, last_ns;
	struct sha256_ctx sha;
	char comm[COMM_SIZE]; /* name of its process; "" if not known */
};

struct code_list {
	struct code_file *files;
	struct by_number *names; /* see code_paths.h */
};

int code_list__new(struct code_list **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void code_list__free(struct code_list *list)
{
	if (!list)
		return;
	hash__free(list->files);
	by_number__free(&list->names);
	free(list);
}

static struct code_file *get_file(struct code_list *list, const struct event_code *code)
{
	struct code_file *file;
	int64_t before;

	HASH_FIND(hh, list->files, &code->stream, sizeof(code->stream), file);
	if (file)
		return file;
	if (code_paths__add(&list->names, code, &before) < 0)
		return NULL;
	file = calloc(1, sizeof(*file));
	if (!file)
		return NULL;
	file->stream = code->stream;
	file->pid = code->pid;
	file->kind = code->kind;
	file->other_clock = code->flags & PERFSTAMP_CODE_OTHER_CLOCK;
	file->first_ns = code->seen_ns;
	sha256_init(&file->sha);
	HASH_ADD(hh, list->files, stream, sizeof(file->stream), file);
	if (hash__added(file))
		return file;
	free(file);
	return NULL;
}

int code_list__take(struct code_list *list, const struct model *model, const struct event *event)
{
	const struct event_code *code = &event->code;
	struct model_process process;
	struct code_file *file;

	if (event->kind != EVENT_CODE)
		return 0;
	file = get_file(list, code);
	if (!file)
		return -ENOMEM;
	if (model__process(model, code->pid, &process) && process.comm)
		snprintf(file->comm, sizeof(file->comm), "%s", process.comm);
	if (code->offset < file->end)
		return 0;
	file->missing += code->offset - file->end;
	file->bytes += code->size;
	file->end = code->offset + code->size;
	file->last_ns = code->seen_ns;
	sha256_update(&file->sha, code->size, code->bytes);
	return 0;
}

static void digest_of(const struct code_file *file, uint8_t ret[SHA256_DIGEST_SIZE])
{
	struct sha256_ctx sha = file->sha; /* a copy, because more bytes may follow */

	sha256_digest(&sha, SHA256_DIGEST_SIZE, ret);
}

static void write_text(FILE *out, const struct code_file *file, const char *name, bool verbose)
{
	char hex[2 * SHA256_DIGEST_SIZE + 1];
	uint8_t digest[SHA256_DIGEST_SIZE];

	digest_of(file, digest);
	text__hex(hex, sizeof(hex), digest, sizeof(digest));
	if (!verbose) {
		fprintf(out, "sha256:%-33.*s %s", ID_HEX, hex, name);
		if (file->missing)
			fprintf(out, " (%" PRIu64 " bytes are missing)", file->missing);
		fputc('\n', out);
		return;
	}
	fprintf(out, "sha256:%-33.*s %-20s", ID_HEX, hex, name);
	list__write_time(out, file->first_ns);
	list__write_time(out, file->last_ns);
	fprintf(out, " %10" PRIu64 " %10" PRIu64 " ", file->bytes, file->missing);
	escaped__write(out, *file->comm ? file->comm : "-");
	fputc('\n', out);
}

static void write_json(FILE *out, const struct code_file *file, const char *name)
{
	struct json_object *object = json_object_new_object();
	uint8_t digest[SHA256_DIGEST_SIZE];

	digest_of(file, digest);
	json__add_text(object, "file", name);
	json__add_text(
		object, "kind", file->kind == PERFSTAMP_CODE_JITDUMP ? "jitdump" : "perf-map");
	json__add_bytes(object, "sha256", digest, sizeof(digest));
	json__add_number(object, "pid", file->pid);
	json__add_text(object, "comm", *file->comm ? file->comm : NULL);
	json__add_number(object, "bytes", file->bytes);
	json__add_number(object, "missing", file->missing);
	json__add_number(object, "first_ns", file->first_ns);
	json__add_number(object, "last_ns", file->last_ns);
	json__add_bool(object, "other_clock", file->other_clock);
	json__write_line(object, out);
}

void code_list__write(const struct code_list *list, FILE *out, bool verbose, bool json)
{
	const struct code_file *file;
	char name[CODE_PATH_SIZE];

	if (verbose && !json && list->files)
		fprintf(out, "%-40s %-20s %17s %17s %10s %10s %s\n", "IDENTITY", "FILE", "FIRST",
			"LAST", "BYTES", "MISSING", "PROCESS");
	for (file = list->files; file && !ferror(out); file = file->hh.next) {
		code_paths__get(list->names, file->pid, file->kind, file->stream, name);
		if (json)
			write_json(out, file, name);
		else
			write_text(out, file, name, verbose);
	}
}
