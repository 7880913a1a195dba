// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recording of perf with each executable mapping in the form that a later kernel may give
 * it: mmap_form FORM IN OUT. FORM is
 *   trailer  MMAP2 as it is, with a bit of misc that has no meaning yet, and behind the
 *            name a size, flags and an id of 32 bytes
 *   type     the same as a record of a type that has no meaning yet
 * Knows nothing of who reads it.
 */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_NEW 23
#define MISC_NEW (1 << 11)
#define MMAP2_NAME 72 /* where the name begins */

/* Of perf's file: tools/perf/util/header.h. */
struct section {
	uint64_t offset, size;
};

struct file_header {
	uint64_t magic, size, attr_size;
	struct section attrs, data, event_types;
	uint64_t features[4];
};

struct trailer {
	uint16_t size, flags;
	uint32_t reason;
	uint32_t maj, min;
	uint64_t ino, ino_generation, file_size;
	uint16_t id_type, id_size;
	uint32_t reserved;
	uint8_t id[32];
};

static uint8_t *read_all(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	uint8_t *bytes;

	if (!file || fseek(file, 0, SEEK_END) ||
		(*size = (size_t)ftell(file)) < sizeof(struct file_header))
		return NULL;
	rewind(file);
	bytes = malloc(*size);
	if (bytes && fread(bytes, 1, *size, file) != *size) {
		free(bytes);
		bytes = NULL;
	}
	fclose(file);
	return bytes;
}

/* Writes the record, and returns by how much it has grown. */
static size_t put(FILE *out, const uint8_t *record, int is_type)
{
	struct perf_event_header header;
	struct trailer trailer = {.size = sizeof(trailer),
		.flags = 3,
		.maj = 8,
		.min = 1,
		.ino = 42,
		.id_type = 1,
		.id_size = 32};
	size_t before;

	memcpy(&header, record, sizeof(header));
	if (header.type != PERF_RECORD_MMAP2 || header.misc & PERF_RECORD_MISC_MMAP_DATA) {
		fwrite(record, 1, header.size, out);
		return 0;
	}
	memset(trailer.id, 0xee, sizeof(trailer.id));
	before = MMAP2_NAME + (strlen((const char *)record + MMAP2_NAME) + 8) / 8 * 8;
	header.size += sizeof(trailer);
	header.misc |= MISC_NEW;
	if (is_type)
		header.type = RECORD_NEW;
	fwrite(&header, 1, sizeof(header), out);
	fwrite(record + sizeof(header), 1, before - sizeof(header), out);
	fwrite(&trailer, 1, sizeof(trailer), out);
	fwrite(record + before, 1, header.size - sizeof(trailer) - before, out);
	return sizeof(trailer);
}

int main(int argc, char **argv)
{
	struct file_header *header;
	struct section *feature;
	size_t size, end, grown = 0, n = 0;
	uint8_t *in;
	FILE *out;

	if (argc != 4 || !(in = read_all(argv[2], &size)) || !(out = fopen(argv[3], "w"))) {
		fputs("Usage: mmap_form trailer|type IN OUT\n", stderr);
		return 2;
	}
	header = (struct file_header *)in;
	end = header->data.offset + header->data.size;
	for (int word = 0; word < 4; word++)
		n += (size_t)__builtin_popcountll(header->features[word]);
	if (end + n * sizeof(*feature) > size)
		return 1;
	fwrite(in, 1, header->data.offset, out);
	for (size_t at = header->data.offset; at < end;) {
		const struct perf_event_header *record = (const void *)(in + at);

		grown += put(out, (const uint8_t *)record, !strcmp(argv[1], "type"));
		at += record->size;
	}
	header->data.size += grown;
	feature = (struct section *)(in + end);
	for (size_t i = 0; i < n; i++)
		feature[i].offset += grown;
	fwrite(in + end, 1, size - end, out);
	rewind(out);
	fwrite(in, 1, sizeof(*header), out);
	free(in);
	return fclose(out) ? 1 : 0;
}
