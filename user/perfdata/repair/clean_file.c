// SPDX-License-Identifier: GPL-2.0-only
/*
 * See clean_file.h. The order in the file is: header, ids, attributes, data, the features' table,
 * features.
 */
#include "user/perfdata/repair/clean_file.h"

#include <byteswap.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "user/perfdata/disk_attr.h"

#define SAMPLE_TYPES_KNOWN ((1ull << 25) - 1) /* up to PERF_SAMPLE_WEIGHT_STRUCT */

int clean_file__init(struct clean_file *file, int fd, const char *name, bool swap)
{
	*file = (struct clean_file){.swap = swap};
	for (size_t i = 0; i < PERFDATA_FEATURE_BITS; i++)
		buffer__init(&file->features[i], 0);
	return output__init(&file->out, fd, name);
}

void clean_file__free(struct clean_file *file)
{
	for (size_t i = 0; i < PERFDATA_FEATURE_BITS; i++)
		buffer__free(&file->features[i]);
	output__free(&file->out);
}

static uint64_t ordered(const struct clean_file *file, uint64_t value)
{
	return file->swap ? bswap_64(value) : value;
}

static void put_word(struct clean_file *file, uint64_t value)
{
	buffer__u64(&file->out.pending, ordered(file, value));
}

/* The header consists of words only. */
static struct perfdata_header header_on_disk(const struct clean_file *file)
{
	uint64_t words[sizeof(struct perfdata_header) / sizeof(uint64_t)];
	struct perfdata_header header;

	memcpy(words, &file->header, sizeof(words));
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		words[i] = ordered(file, words[i]);
	memcpy(&header, words, sizeof(header));
	return header;
}

struct perf_event_attr clean_file__attr(const struct perf_event_attr *attr)
{
	struct perf_event_attr known = *attr;

	known.size = PERFDATA_ATTR_SIZE;
	known.sample_type &= SAMPLE_TYPES_KNOWN;
	known.__reserved_1 = 0;
	known.__reserved_2 = 0;
	known.__reserved_3 = 0;
	return known;
}

static void put_attr(struct clean_file *file, const struct perfdata_attr *attr, uint64_t ids_at)
{
	const struct perf_event_attr known = clean_file__attr(&attr->attr);
	uint8_t bytes[PERFDATA_ATTR_SIZE];

	disk_attr__write(bytes, &known, file->swap);
	buffer__append(&file->out.pending, bytes, sizeof(bytes));
	put_word(file, ids_at);
	put_word(file, attr->n_ids * sizeof(uint64_t));
}

int clean_file__begin(
	struct clean_file *file, const struct perfdata_attr *attrs, size_t n, struct error *err)
{
	struct perfdata_header on_disk, *header = &file->header;
	uint64_t ids_at = sizeof(*header);

	*header = (struct perfdata_header){.magic = PERFDATA_MAGIC,
		.size = sizeof(*header),
		.attr_size = PERFDATA_ATTR_SIZE + sizeof(struct perfdata_section)};
	header->attrs.offset = sizeof(*header);
	for (size_t i = 0; i < n; i++)
		header->attrs.offset += attrs[i].n_ids * sizeof(uint64_t);
	header->attrs.size = n * header->attr_size;
	header->data.offset = header->attrs.offset + header->attrs.size;
	on_disk = header_on_disk(file);
	buffer__append(&file->out.pending, &on_disk, sizeof(on_disk));
	for (size_t i = 0; i < n; i++) {
		const struct perfdata_attr *attr = &attrs[i];

		for (size_t j = 0; j < attr->n_ids; j++)
			put_word(file, attr->ids[j]);
	}
	for (size_t i = 0; i < n; i++) {
		put_attr(file, &attrs[i], ids_at);
		ids_at += attrs[i].n_ids * sizeof(uint64_t);
	}
	return output__flush(&file->out, err);
}

int clean_file__record(struct clean_file *file, const void *bytes, size_t size, struct error *err)
{
	buffer__append(&file->out.pending, bytes, size);
	return output__flush_if_full(&file->out, err);
}

int clean_file__feature(struct clean_file *file, unsigned int id, const void *bytes, size_t size)
{
	file->header.features[id / 64] |= 1ull << id % 64;
	return size ? buffer__append(&file->features[id], bytes, size) : 0;
}

int clean_file__finish(struct clean_file *file, struct error *err)
{
	const struct perf_event_header mark = {
		.type = file->swap ? bswap_32(PERF_RECORD_FINISHED_ROUND)
				   : PERF_RECORD_FINISHED_ROUND,
		.size = file->swap ? bswap_16(sizeof(mark)) : sizeof(mark),
	};
	struct perfdata_header on_disk;
	uint64_t end, at;
	int ret;

	/* A data.size of 0 means "truncated" to every reader, so at least one record is written. */
	buffer__append(&file->out.pending, &mark, sizeof(mark));
	end = at = output__position(&file->out);
	file->header.data.size = end - file->header.data.offset;
	for (size_t i = 0; i < PERFDATA_FEATURE_BITS; i++)
		at += file->header.features[i / 64] >> i % 64 & 1 ? sizeof(struct perfdata_section)
								  : 0;
	for (size_t i = 0; i < PERFDATA_FEATURE_BITS; i++) {
		if (!(file->header.features[i / 64] >> i % 64 & 1))
			continue;
		put_word(file, at);
		put_word(file, file->features[i].size);
		at += file->features[i].size;
	}
	for (size_t i = 0; i < PERFDATA_FEATURE_BITS; i++)
		if (file->features[i].size)
			buffer__append(
				&file->out.pending, file->features[i].data, file->features[i].size);
	ret = output__flush(&file->out, err);
	on_disk = header_on_disk(file);
	return ret ? ret : output__rewrite(&file->out, 0, &on_disk, sizeof(on_disk), err);
}
