// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recording with branch records, where no machine makes them: branches IN OUT
 * FUNCTION_BEGIN:FUNCTION_END:FROM:TO... IN is a file of perfstamp record -e cpu-clock without
 * other fields, in this machine's byte order. A sample gets records of the branch of the function
 * that it is in: DEPTH times the same, as a loop makes them. The numbers are offsets in the
 * file of the mapped build, with its build-id in front: BUILD_ID:BEGIN:END:FROM:TO, all in
 * hexadecimal. Prints how many samples got records.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/event/order.h"
#include "user/model/model.h"
#include "user/perfdata/layout.h"
#include "user/perfdata/read/reader.h"

#define DEPTH 4
#define STACK_SIZE (8 + 24 * DEPTH)
#define FUNCTIONS_MAX 64

struct function {
	uint8_t build_id[20];
	uint64_t begin, end, from, to;
};

static struct function functions[FUNCTIONS_MAX];
static size_t n_functions;
static struct model *model;
/* For each sample, by its number in the file: from and to, or 0. */
static uint64_t (*branches)[2];
static uint64_t n_samples, n_with;

static void die(const char *what)
{
	fprintf(stderr, "branches: %s\n", what);
	exit(1);
}

static void take_function(const char *text)
{
	struct function *function = &functions[n_functions++];
	char id[41];

	if (n_functions > FUNCTIONS_MAX ||
		sscanf(text, "%40[0-9a-f]:%" SCNx64 ":%" SCNx64 ":%" SCNx64 ":%" SCNx64, id,
			&function->begin, &function->end, &function->from, &function->to) != 5 ||
		text__parse_hex(function->build_id, sizeof(function->build_id), id) != 20)
		die("arguments");
}

static int take(void *ctx, const struct event *event)
{
	struct model_place place;

	(void)ctx;
	if (model__apply(model, event))
		die("out of memory");
	if (event->kind != EVENT_SAMPLE)
		return 0;
	model__locate(model, event->pid, event->misc, event->sample.ip, &place);
	for (size_t i = 0; i < n_functions && place.sighting != UINT32_MAX; i++) {
		const struct function *function = &functions[i];

		if (place.text != MODEL_TEXT_USER || place.offset < function->begin ||
			place.offset >= function->end ||
			memcmp(model__sighting_so_far(model, place.sighting)->identity.build_id,
				function->build_id, sizeof(function->build_id)) != 0)
			continue;
		branches[event->offset][0] = event->sample.ip - place.offset + function->from;
		branches[event->offset][1] = event->sample.ip - place.offset + function->to;
		n_with++;
	}
	return 0;
}

static void read_samples(const char *path)
{
	struct perfdata_reader *reader = NULL;
	struct order *order = NULL;
	struct event event;
	struct error err;

	if (model__new(&model) || order__new(&order, take, NULL, 0) ||
		perfdata_reader__open(&reader, path, &err))
		die("cannot read");
	branches = calloc(1 << 20, sizeof(*branches));
	while (perfdata_reader__next(reader, &event, &err) > 0) {
		event.offset = event.kind == EVENT_SAMPLE ? n_samples++ : 0;
		if (n_samples >= 1 << 20 || order__push(order, &event))
			die("too many samples");
	}
	order__flush(order);
	order__free(order);
	perfdata_reader__free(reader);
	model__free(model);
}

static void write_samples(FILE *out, const uint8_t *data, size_t size)
{
	struct perf_event_header header;
	uint64_t n = 0, count;

	for (size_t at = 0; at < size; at += header.size) {
		uint16_t old;

		memcpy(&header, data + at, sizeof(header));
		old = header.size;
		if (header.type != PERF_RECORD_SAMPLE) {
			fwrite(data + at, 1, old, out);
			continue;
		}
		count = branches[n][0] ? DEPTH : 0;
		header.size = old + 8 + 24 * count;
		fwrite(&header, 1, sizeof(header), out);
		fwrite(data + at + sizeof(header), 1, old - sizeof(header), out);
		fwrite(&count, 1, sizeof(count), out);
		for (uint64_t i = 0; i < count; i++) {
			uint64_t entry[3] = {branches[n][0], branches[n][1], 2}; /* predicted */

			fwrite(entry, 1, sizeof(entry), out);
		}
		n++;
		header.size = old;
	}
}

/* The attributes, and where the features are, which move. */
static void write_file(const char *path, uint8_t *bytes, size_t size)
{
	uint64_t end, grown, features = 0;
	struct perfdata_header header;
	FILE *out = fopen(path, "w");

	memcpy(&header, bytes, sizeof(header));
	for (uint64_t at = header.attrs.offset; at < header.attrs.offset + header.attrs.size;
		at += header.attr_size) {
		struct perf_event_attr *attr = (void *)(bytes + at);

		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER;
	}
	end = header.data.offset + header.data.size;
	if (!out || end > size)
		die("cannot write");
	fwrite(bytes, 1, header.data.offset, out);
	write_samples(out, bytes + header.data.offset, header.data.size);
	grown = (uint64_t)ftell(out) - end;
	for (size_t i = 0; i < 4; i++)
		features += __builtin_popcountll(header.features[i]);
	for (uint64_t i = 0; i < features; i++)
		*(uint64_t *)(bytes + end + 16 * i) += grown;
	fwrite(bytes + end, 1, size - end, out);
	header.data.size += grown;
	rewind(out);
	fwrite(&header, 1, sizeof(header), out);
	if (fclose(out))
		die("cannot write");
}

int main(int argc, char **argv)
{
	size_t size, room = 64 << 20;
	uint8_t *bytes = malloc(room);
	FILE *in;

	if (argc < 4 || !bytes)
		die("usage: branches IN OUT BUILD_ID:BEGIN:END:FROM:TO...");
	for (int i = 3; i < argc; i++)
		take_function(argv[i]);
	read_samples(argv[1]);
	in = fopen(argv[1], "r");
	if (!in)
		die("cannot read");
	size = fread(bytes, 1, room, in);
	fclose(in);
	write_file(argv[2], bytes, size);
	printf("%" PRIu64 "\n", n_with);
	free(branches);
	free(bytes);
	return 0;
}
