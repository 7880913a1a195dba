// SPDX-License-Identifier: GPL-2.0-only
/* The recording's data about itself, and the progress of reading: see reader.h. */
#include "user/perfdata/layout.h"
#include "user/perfdata/read/private.h"
#include "user/perfdata/read/reader.h"

size_t perfdata_reader__n_attrs(const struct perfdata_reader *reader)
{
	return reader->attrs.n;
}

const struct perfdata_attr *perfdata_reader__attr(const struct perfdata_reader *reader, size_t i)
{
	return i < reader->attrs.n ? reader->attrs.attrs[i] : NULL;
}

bool perfdata_reader__is_pipe(const struct perfdata_reader *reader)
{
	return reader->header.pipe;
}

bool perfdata_reader__is_foreign_order(const struct perfdata_reader *reader)
{
	return reader->header.swap;
}

bool perfdata_reader__is_unfinished(const struct perfdata_reader *reader)
{
	const struct file_header *header = &reader->header;
	size_t early = file_header__has_feature(header, HEADER_TRACING_DATA) +
		       file_header__has_feature(header, HEADER_COMPRESSED);

	/* perfstamp sets these two bits when it begins a file, and all others at the end. */
	return !header->pipe && (!header->sections || file_header__section_index(header,
							      PERFDATA_FEATURE_BITS) == early);
}

enum perfdata_extent perfdata_reader__extent(const struct perfdata_reader *reader)
{
	const struct file_header *header = &reader->header;
	const struct perfdata_section *data = &header->header.data;

	if (header->pipe)
		return PERFDATA_WHOLE;
	if (header->no_size)
		return PERFDATA_NO_SIZE;
	if (data->size > header->data_end - data->offset)
		return PERFDATA_CUT_DATA;
	return header->cut ? PERFDATA_CUT_FEATURES : PERFDATA_WHOLE;
}

const void *perfdata_reader__feature(
	const struct perfdata_reader *reader, unsigned int id, size_t *ret_size)
{
	/* This reads at an offset, and does not change the window. */
	return feature_store__get(
		reader->features, &reader__main_file(reader)->in, &reader->header, id, ret_size);
}

bool perfdata_reader__feature_section(const struct perfdata_reader *reader, unsigned int id,
	uint64_t *ret_offset, uint64_t *ret_size)
{
	struct perfdata_section section;

	if (!feature_store__section(&reader__main_file(reader)->in, &reader->header, id, &section))
		return false;
	*ret_offset = section.offset;
	*ret_size = section.size;
	return true;
}

size_t perfdata_reader__n_cut_features(const struct perfdata_reader *reader)
{
	uint64_t offset, size, end = reader__main_file(reader)->in.file_size;
	size_t n = 0;

	for (unsigned int id = 0; !reader->header.pipe && id < PERFDATA_FEATURE_BITS; id++)
		if (perfdata_reader__feature_section(reader, id, &offset, &size) &&
			(offset > end || size > end - offset))
			n++;
	return n;
}

bool perfdata_reader__is_directory(const struct perfdata_reader *reader)
{
	return reader->is_directory;
}

const char *perfdata_reader__missing_file(const struct perfdata_reader *reader)
{
	return reader->files.missing;
}

const char *perfdata_reader__file_name(const struct perfdata_reader *reader)
{
	return reader__current(reader)->name;
}

uint64_t perfdata_reader__offset(const struct perfdata_reader *reader)
{
	return walk__offset(reader__current(reader));
}

void perfdata_reader__progress(
	const struct perfdata_reader *reader, uint64_t *ret_done, uint64_t *ret_total)
{
	bool known = true;

	*ret_done = *ret_total = 0;
	for (size_t i = 0; i < reader->files.n; i++) {
		const struct input *in = &reader->files.files[i].in;

		known &= in->seekable;
		*ret_done += in->offset;
		*ret_total += in->end < in->file_size ? in->end : in->file_size;
	}
	if (!known)
		*ret_total = 0;
}

uint64_t perfdata_reader__data_start(const struct perfdata_reader *reader)
{
	return reader->header.pipe ? sizeof(struct perfdata_pipe_header)
				   : reader->header.header.data.offset;
}

uint64_t perfdata_reader__data_end(const struct perfdata_reader *reader)
{
	return reader->header.pipe ? 0 : reader->header.data_end;
}
