// SPDX-License-Identifier: GPL-2.0-only
/*
 * See reader.h. reader_about.c has the file's data about itself. The reader consists of these
 * parts: walk, directory, file_header, disk_attr, attr_section, attr_list, the store of features,
 * and event/decode.
 */
#include "user/perfdata/read/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/cursor.h"
#include "user/event/decode.h"
#include "user/perfdata/read/attr_list.h"
#include "user/perfdata/read/attr_section.h"
#include "user/perfdata/read/directory.h"
#include "user/perfdata/disk_attr.h"
#include "user/perfdata/features/store.h"
#include "user/perfdata/file_header.h"
#include "user/perfdata/input.h"
#include "user/perfdata/read/private.h"
#include "user/perfdata/read/resync.h"

/* Bytes that are read from one file of a directory before another file's turn. */
#define TURN_BYTES (16u << 10)

static int out_of_memory(struct error *err)
{
	return error__set(err, -ENOMEM, "out of memory");
}

static int add_attr(void *ctx, const struct perf_event_attr *attr, const void *ids, size_t size)
{
	struct perfdata_reader *reader = ctx;
	int err = attr_list__add(&reader->attrs, attr, ids, size, reader->header.swap);
	const struct perfdata_attr *added;

	if (err)
		return err;
	added = reader->attrs.attrs[reader->attrs.n - 1];
	return event_decoder__add_attr(reader->decoder, attr, added->ids, added->n_ids);
}

static int read_attrs(struct perfdata_reader *reader, struct error *err)
{
	uint64_t offset;
	int ret = attr_section__read(
		&reader__main_file(reader)->in, &reader->header, add_attr, reader, &offset);

	if (!ret)
		return 0;
	if (ret == -ENOMEM)
		return out_of_memory(err);
	return error__set(err, -EBADMSG,
		"%s: offset %" PRIu64 ": the attribute of an event contradicts itself",
		reader__main_file(reader)->name, offset);
}

static int read_names(struct perfdata_reader *reader)
{
	size_t size;
	const void *desc = feature_store__get(reader->features, &reader__main_file(reader)->in,
		&reader->header, HEADER_EVENT_DESC, &size);

	return desc ? attr_list__set_names(&reader->attrs, desc, size, reader->header.swap) : 0;
}

/* A directory of another layout may have its records elsewhere. */
static int check_layout(struct perfdata_reader *reader, struct error *err)
{
	size_t size;
	const void *bytes = feature_store__get(reader->features, &reader__main_file(reader)->in,
		&reader->header, HEADER_DIR_FORMAT, &size);
	struct cursor in;
	uint64_t version;

	if (reader->header.pipe)
		return error__set(err, -EBADMSG, "%s: a pipe's recording, in a directory",
			reader__main_file(reader)->name);
	/* A recorder that was killed did not write the version. */
	if (!bytes)
		return 0;
	cursor__init(&in, bytes, size, reader->header.swap);
	version = cursor__u64(&in);
	if (!in.failed && version == PERFDATA_DIRECTORY_VERSION)
		return 0;
	return error__set(err, -EBADMSG,
		"%s: a directory of version %" PRIu64
		", only version %d is supported: use the perf that recorded it",
		reader__main_file(reader)->name, version, PERFDATA_DIRECTORY_VERSION);
}

/* Returns -ESPIPE if it is a file that arrives through a pipe (`cat perf.data |'). */
static int parse_header(
	struct perfdata_reader *reader, const void *bytes, size_t size, struct error *cause)
{
	const struct input *in = &reader__main_file(reader)->in;

	return file_header__parse(
		&reader->header, bytes, size, in->seekable ? in->file_size : UINT64_MAX, cause);
}

static int begin(struct perfdata_reader *reader, struct error *err)
{
	struct walk *file = reader__main_file(reader);
	struct error cause;
	const void *bytes;
	ssize_t size;
	int ret;

	/*
	 * At this moment a pipe may have only its 16 bytes, and the reader must not wait for more.
	 */
	size = input__peek(&file->in, sizeof(struct perfdata_pipe_header), &bytes);
	if (size >= 0 && file->in.seekable)
		size = input__peek(&file->in, PERFDATA_HEADER_READ, &bytes);
	if (size < 0)
		return error__errno(err, size, "%s: cannot read", file->name);
	ret = parse_header(reader, bytes, size, &cause);
	if (ret == -ESPIPE) {
		ret = input__make_seekable(&file->in);
		if (ret)
			return error__errno(err, ret, "%s: a temporary copy", file->name);
		size = input__peek(&file->in, PERFDATA_HEADER_READ, &bytes);
		if (size < 0)
			return error__errno(err, size, "%s: cannot read", file->name);
		ret = parse_header(reader, bytes, size, &cause);
	}
	if (ret)
		return error__set(err, ret, "%s: %s", file->name, cause.text);
	if (event_decoder__new(&reader->decoder, reader->header.swap))
		return out_of_memory(err);
	for (size_t i = 0; i < reader->files.n; i++)
		reader->files.files[i].swap = reader->header.swap;
	ret = reader->is_directory ? check_layout(reader, err) : 0;
	if (ret)
		return ret;
	if (reader->header.pipe) {
		input__take(&file->in, sizeof(struct perfdata_pipe_header));
		return 0;
	}
	ret = read_attrs(reader, err);
	if (ret)
		return ret;
	if (read_names(reader))
		return out_of_memory(err);
	input__seek(&file->in, reader->header.header.data.offset, reader->header.data_end);
	return 0;
}

static struct perfdata_reader *new_reader(void)
{
	struct perfdata_reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		return NULL;
	reader->features = calloc(1, sizeof(*reader->features));
	if (reader->features)
		return reader;
	free(reader);
	return NULL;
}

/* Adds the only file of a recording that is not a directory. The caller opens it. */
static int add_file(struct perfdata_reader *reader, const char *name, struct error *err)
{
	reader->files.files = calloc(1, sizeof(*reader->files.files));
	if (!reader->files.files)
		return out_of_memory(err);
	reader->files.n = 1;
	walk__init(reader__main_file(reader));
	reader__main_file(reader)->name = strdup(name);
	return reader__main_file(reader)->name ? 0 : out_of_memory(err);
}

static int opened(
	struct perfdata_reader **ret, struct perfdata_reader *reader, int code, struct error *err)
{
	if (!code) {
		reader->turns = calloc(reader->files.n + 1, sizeof(*reader->turns));
		code = reader->turns ? begin(reader, err) : out_of_memory(err);
	}
	if (code)
		perfdata_reader__free(reader);
	else
		*ret = reader;
	return code;
}

int perfdata_reader__open(struct perfdata_reader **ret, const char *path, struct error *err)
{
	int fd, code;

	if (!strcmp(path, "-"))
		return perfdata_reader__open_fd(ret, STDIN_FILENO, "standard input", err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error__errno(err, -errno, "%s: cannot open", path);
	code = perfdata_reader__open_fd(ret, fd, path, err);
	/* If it is a directory, its files have been opened. */
	if (code || (*ret)->is_directory)
		close(fd);
	else
		reader__main_file(*ret)->in.owns_fd = true;
	return code;
}

int perfdata_reader__open_fd(
	struct perfdata_reader **ret, int fd, const char *name, struct error *err)
{
	struct perfdata_reader *reader;
	struct stat st;
	int code;

	if (fstat(fd, &st))
		return error__errno(err, -errno, "%s: cannot open", name);
	reader = new_reader();
	if (!reader)
		return out_of_memory(err);
	reader->is_directory = S_ISDIR(st.st_mode);
	if (reader->is_directory)
		return opened(
			ret, reader, perfdata_directory__open(&reader->files, fd, name, err), err);
	code = add_file(reader, name, err);
	if (!code) {
		code = input__open_fd(&reader__main_file(reader)->in, fd);
		if (code)
			error__errno(err, code, "%s: cannot open", name);
	}
	return opened(ret, reader, code, err);
}

int perfdata_reader__open_memory(struct perfdata_reader **ret, const void *bytes, size_t size,
	const char *name, struct error *err)
{
	struct perfdata_reader *reader;
	int code;

	reader = new_reader();
	if (!reader)
		return out_of_memory(err);
	code = add_file(reader, name, err);
	if (!code)
		input__open_memory(&reader__main_file(reader)->in, bytes, size);
	return opened(ret, reader, code, err);
}

void perfdata_reader__free(struct perfdata_reader *reader)
{
	if (!reader)
		return;
	perfdata_directory__free(&reader->files);
	event_decoder__free(reader->decoder);
	attr_list__free(&reader->attrs);
	feature_store__free(reader->features);
	free(reader->features);
	free(reader->turns);
	free(reader);
}

/* Reads a HEADER_ATTR, which has what a file has in its attribute section. */
static int take_attr(struct perfdata_reader *reader, const void *body, size_t size)
{
	struct perf_event_attr attr;
	size_t attr_size;
	int err = disk_attr__read(&attr, body, size, reader->header.swap, &attr_size);

	if (err)
		return err;
	err = add_attr(reader, &attr, (const uint8_t *)body + attr_size, size - attr_size);
	return err == -E2BIG ? -EBADMSG : err;
}

static int take_update(struct perfdata_reader *reader, struct cursor in)
{
	uint64_t type = cursor__u64(&in), id = cursor__u64(&in);
	const char *name;

	if (type != PERF_EVENT_UPDATE__NAME)
		return 0;
	name = cursor__string(&in);
	return name ? attr_list__set_name(&reader->attrs, id, name) : -EBADMSG;
}

static int take_feature(struct perfdata_reader *reader, struct cursor in)
{
	uint64_t id = cursor__u64(&in);
	size_t size = cursor__remaining(&in);
	const void *bytes = cursor__bytes(&in, size);
	int err;

	if (in.failed)
		return -EBADMSG;
	/* perf ends the features with an empty one, whose id depends on the version. */
	if (!size)
		return 0;
	err = feature_store__put(reader->features, id < PERFDATA_FEATURE_BITS ? id : UINT32_MAX,
		bytes, size, reader->header.swap);
	return err || id != HEADER_EVENT_DESC ? err : read_names(reader);
}

/* Reads records that describe the input itself, or that bytes follow. */
static int take_user_record(struct perfdata_reader *reader, const struct event *event)
{
	struct cursor in;

	cursor__init(&in, event->raw, event->raw_size, reader->header.swap);
	cursor__skip(&in, sizeof(struct perf_event_header));
	switch (event->type) {
	case PERF_RECORD_AUXTRACE:
	case PERF_RECORD_HEADER_TRACING_DATA:
		if (reader__current(reader)->decompressing)
			return -EBADMSG;
		reader__current(reader)->payload = event->type == PERF_RECORD_AUXTRACE
							   ? cursor__u64(&in)
							   : cursor__u32(&in);
		return in.failed ? -EBADMSG : 0;
	case PERF_RECORD_COMPRESSED:
	case PERF_RECORD_COMPRESSED2: /* walk.c decompresses such records; this one is nested */
		return -EBADMSG;
	}
	if (!reader->header.pipe)
		return 0;
	switch (event->type) {
	case PERF_RECORD_HEADER_ATTR:
		return take_attr(reader, in.at, cursor__remaining(&in));
	case PERF_RECORD_EVENT_UPDATE:
		return take_update(reader, in);
	case PERF_RECORD_HEADER_FEATURE:
		return take_feature(reader, in);
	}
	return 0;
}

static int hand_out(struct perfdata_reader *reader, const void *record, size_t size,
	struct event *ret, struct error *err)
{
	struct walk *file = reader__current(reader);
	struct error cause;
	int code = event_decoder__decode(reader->decoder, record, size, ret, &cause);

	if (code)
		return walk__stick(file, code, cause.text, err);
	ret->offset = file->in.offset;
	if (ret->type >= PERF_RECORD_USER_TYPE_START)
		code = take_user_record(reader, ret);
	if (code == -ENOMEM)
		return walk__stick(file, code, "out of memory", err);
	if (code) {
		error__set(&cause, code, "a record of type %u contradicts itself", ret->type);
		return walk__stick(file, code, cause.text, err);
	}
	return 1;
}

/*
 * Chooses the file to read next. Each file is nearly in the order of time, and there are no rounds.
 * The file whose newest time is the earliest is next, so that records are out of order by one turn
 * at most. The main file is read first, up to its first time, because the other files cannot be
 * decoded without it. Returns false when all files have ended.
 */
static bool choose(struct perfdata_reader *reader)
{
	const struct perfdata_turn *turns = reader->turns;
	size_t oldest = reader->files.n;

	if (!turns[reader->at].ended &&
		(reader->files.n == 1 ||
			reader__current(reader)->in.offset - reader->turn_begin < TURN_BYTES))
		return true;
	for (size_t i = 0; i < reader->files.n; i++)
		if (!turns[i].ended &&
			(oldest == reader->files.n || turns[i].newest_ns < turns[oldest].newest_ns))
			oldest = i;
	if (oldest == reader->files.n)
		return false;
	reader->at = oldest;
	reader->turn_begin = reader__current(reader)->in.offset;
	return true;
}

int perfdata_reader__next(
	struct perfdata_reader *reader, struct event *ret_event, struct error *err)
{
	const void *record;
	size_t size;
	int ret = 0;

	while (!ret && choose(reader)) {
		struct perfdata_turn *turn = &reader->turns[reader->at];

		ret = walk__next(reader__current(reader), &record, &size, err);
		if (ret > 0)
			ret = hand_out(reader, record, size, ret_event, err);
		if (!ret)
			turn->ended = true;
		else if (ret > 0 && ret_event->time_ns != UINT64_MAX &&
			 ret_event->time_ns > turn->newest_ns)
			turn->newest_ns = ret_event->time_ns;
	}
	return ret;
}

static bool is_another_left(const struct perfdata_reader *reader)
{
	for (size_t i = 0; i < reader->files.n; i++)
		if (!reader->turns[i].ended)
			return true;
	return false;
}

bool perfdata_reader__skip_file(struct perfdata_reader *reader)
{
	if (!reader->is_directory || reader__current(reader)->stuck != -EBADMSG)
		return false;
	reader->turns[reader->at].ended = true;
	return is_another_left(reader);
}

int perfdata_reader__resync(struct perfdata_reader *reader, uint64_t *ret_from, uint64_t *ret_to)
{
	struct walk *file = reader__current(reader);
	int ret;

	*ret_from = *ret_to = file->in.offset;
	if (file->stuck && file->stuck != -EBADMSG)
		return file->stuck;
	if (walk__recover(file))
		return 1;
	ret = resync__find(&file->in, reader->decoder, reader->header.swap, reader->header.pipe,
		reader->at ? 0 : perfdata_reader__data_start(reader));
	*ret_to = file->in.offset;
	if (ret || !reader->is_directory)
		return ret;
	reader->turns[reader->at].ended = true;
	return is_another_left(reader);
}

int perfdata_reader__payload(struct perfdata_reader *reader, void **ret, size_t *ret_size)
{
	return walk__payload(reader__current(reader), ret, ret_size);
}

int perfdata_reader__check_id(struct perfdata_reader *reader, const struct event *event)
{
	return event_decoder__check_id(reader->decoder, event);
}

int perfdata_reader__knows(struct perfdata_reader *reader, uint64_t id)
{
	return event_decoder__knows(reader->decoder, id);
}

int perfdata_reader__decode_again(struct perfdata_reader *reader, struct event *event)
{
	uint64_t offset = event->offset;
	int err = event_decoder__decode(reader->decoder, event->raw, event->raw_size, event, NULL);

	event->offset = offset;
	return err;
}
