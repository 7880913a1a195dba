// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file header, see file_header.h and perf_file_header__read() in
 * tools/perf/util/header.c of Linux.
 */
#include "user/perfdata/file_header.h"

#include <byteswap.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "user/base/cursor.h"

#define WORDS (PERFDATA_FEATURE_BITS / 64)
#define HEADER_SIZE_MAX 4096 /* far more than any version has; a larger one is damaged */

static int bad(struct error *err, const char *what)
{
	return error__set(err, -EBADMSG, "offset 0: %s", what);
}

bool file_header__has_feature(const struct file_header *header, unsigned int id)
{
	return id < PERFDATA_FEATURE_BITS && header->header.features[id / 64] >> id % 64 & 1;
}

size_t file_header__section_index(const struct file_header *header, unsigned int id)
{
	size_t n = 0;

	for (unsigned int i = 0; i < id; i++)
		n += file_header__has_feature(header, i);
	return n;
}

/*
 * The bits are an array of the recording machine's unsigned long. If that machine had 32 bits,
 * swapping 64-bit words exchanges the halves. Every recorder sets HOSTNAME, which shows whether
 * this happened.
 */
static void fix_feature_words(struct file_header *header)
{
	uint64_t *words = header->header.features;

	if (!header->swap || file_header__has_feature(header, HEADER_HOSTNAME))
		return;
	for (size_t i = 0; i < WORDS; i++)
		words[i] = words[i] >> 32 | words[i] << 32;
	if (file_header__has_feature(header, HEADER_HOSTNAME))
		return;
	for (size_t i = 0; i < WORDS; i++)
		words[i] = words[i] >> 32 | words[i] << 32;
}

static struct perfdata_section read_section(struct cursor *in)
{
	uint64_t offset = cursor__u64(in);

	return (struct perfdata_section){offset, cursor__u64(in)};
}

static bool is_within(const struct perfdata_section *section, uint64_t file_size)
{
	return section->offset <= file_size && section->size <= file_size - section->offset;
}

static int check_attrs(const struct perfdata_header *header, uint64_t file_size, struct error *err)
{
	uint64_t entry = header->attr_size;

	if (entry < PERF_ATTR_SIZE_VER0 + sizeof(struct perfdata_section) ||
		entry > HEADER_SIZE_MAX)
		return error__set(
			err, -EBADMSG, "offset 16: an attribute of %" PRIu64 " bytes", entry);
	if (!is_within(&header->attrs, file_size))
		return error__set(
			err, -EBADMSG, "offset 24: the attributes lie beyond the end of the file");
	if (header->attrs.size < entry)
		return error__set(err, -EBADMSG, "offset 32: there is no attribute");
	return 0;
}

/* Determines the places of the data and the features, as far as the file has them. */
static int place_data(struct file_header *ret, uint64_t file_size, struct error *err)
{
	struct perfdata_header *header = &ret->header;
	const struct perfdata_section *data = &header->data;
	bool any = header->features[0] || header->features[1] || header->features[2] ||
		   header->features[3];
	uint64_t n;

	if (data->offset > file_size)
		return error__set(err, -EBADMSG,
			"offset 40: the data lie beyond the end of the file; it was cut off");
	ret->no_size = !data->size;
	ret->cut = !is_within(data, file_size);
	ret->data_end = ret->no_size || ret->cut ? file_size : data->offset + data->size;
	/* perf sets the bits when it begins: they are valid only if the size is set as well. */
	if (any && !ret->no_size && !ret->cut) {
		n = file_header__section_index(ret, PERFDATA_FEATURE_BITS);
		if (n * sizeof(struct perfdata_section) <= file_size - ret->data_end)
			ret->sections = ret->data_end;
		else
			ret->cut = true;
	}
	if (!ret->sections)
		memset(header->features, 0, sizeof(header->features));
	return 0;
}

int file_header__parse(struct file_header *ret, const void *bytes, size_t size, uint64_t file_size,
	struct error *err)
{
	struct perfdata_header *header = &ret->header;
	struct cursor in;
	int code;

	*ret = (struct file_header){};
	cursor__init(&in, bytes, size, false);
	header->magic = cursor__u64(&in);
	if (in.failed || (header->magic != PERFDATA_MAGIC && header->magic != PERFDATA_MAGIC_V1 &&
				 header->magic != PERFDATA_MAGIC_SWAPPED))
		return bad(err, "this is not a perf.data file");
	if (header->magic == PERFDATA_MAGIC_V1)
		return bad(err, "a perf.data file of Linux before 3.6 cannot be read");
	ret->swap = in.swap = header->magic == PERFDATA_MAGIC_SWAPPED;
	header->size = cursor__u64(&in);
	if (in.failed)
		return bad(err, "the file ends inside its header");
	if (header->size == sizeof(struct perfdata_pipe_header)) {
		ret->pipe = true;
		ret->data_end = file_size;
		return 0;
	}
	if (header->size != PERFDATA_HEADER_SIZE_MIN &&
		(header->size < sizeof(*header) || header->size > HEADER_SIZE_MAX))
		return error__set(
			err, -EBADMSG, "offset 8: a header of %" PRIu64 " bytes", header->size);
	if (file_size == UINT64_MAX)
		return error__set(err, -ESPIPE, "a perf.data file needs random access");
	header->attr_size = cursor__u64(&in);
	header->attrs = read_section(&in);
	header->data = read_section(&in);
	header->event_types = read_section(&in);
	for (size_t i = 0; i < WORDS && header->size >= sizeof(*header); i++)
		header->features[i] = cursor__u64(&in);
	if (in.failed)
		return bad(err, "the file ends inside its header");
	fix_feature_words(ret);
	code = check_attrs(header, file_size, err);
	return code ? code : place_data(ret, file_size, err);
}
