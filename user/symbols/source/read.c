// SPDX-License-Identifier: GPL-2.0-only
/*
 * See read.h. A file whose MD5 is in the debug information is the compiled one, and a file with
 * another MD5 is not, whatever their paths. Without an MD5, the file is requested from a server by
 * the DSO's build-id. In that case the file at the path is not even opened, unless --force is
 * given: whoever built the DSO chose the path, perhaps in a container. It may be any file of the
 * host, whose lines would then be in the report.
 */
#include "user/symbols/source/read.h"

#include <elfutils/debuginfod.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <nettle/md5.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/io/whole.h"
#include "user/store/files/copy.h"
#include "user/symbols/debuginfod.h"
#include "user/symbols/progress.h"

_Static_assert(MD5_DIGEST_SIZE == SYMBOL_MD5_SIZE, "one MD5");

struct reading {
	FILE *out;
	const struct symbols_options *options;
	const struct symbols_dso *dso;
	struct debuginfod *client; /* NULL: no server is asked */
	struct source_outcome outcome;
};

struct content {
	char *bytes;
	size_t size;
};

static enum source_lack lack_of(int err)
{
	switch (err) {
	case -EACCES:
	case -EPERM:
		return SOURCE_LACKS_PERMISSION;
	case -EFBIG:
		return SOURCE_LACKS_SIZE;
	case -ENOMEM:
	case -EIO:
	case -ETIMEDOUT:
		return SOURCE_LACKS_READER;
	default:
		return SOURCE_LACKS_FILE;
	}
}

/* Reads as many bytes as the file's size. Files in /proc have size 0, but are not source files. */
static int read_all(int fd, struct content *ret)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOENT;
	if (st.st_size > SOURCE_FILE_MAX)
		return -EFBIG;
	ret->bytes = malloc(st.st_size + 1);
	if (!ret->bytes)
		return -ENOMEM;
	n = whole__pread(fd, ret->bytes, st.st_size, 0);
	if (n < 0)
		return n;
	ret->size = n;
	return 0;
}

static void forget(struct content *content)
{
	free(content->bytes);
	*content = (struct content){0};
}

static bool is_same(const struct content *content, const struct symbol_source *source)
{
	uint8_t md5[MD5_DIGEST_SIZE];
	struct md5_ctx ctx;

	md5_init(&ctx);
	md5_update(&ctx, content->size, (const uint8_t *)content->bytes);
	md5_digest(&ctx, sizeof(md5), md5);
	return !memcmp(md5, source->md5, sizeof(md5));
}

/* Returns the last line that has samples. */
static uint32_t last_sampled(const struct source_file *file)
{
	for (size_t i = file->n_lines; i > 0; i--)
		if (file->lines[i - 1].n)
			return file->lines[i - 1].number;
	return 0;
}

static uint64_t count_lines(const struct content *content)
{
	const char *at = content->bytes, *end = at + content->size;
	uint64_t n = 0;

	for (; at < end; n++) {
		const char *newline = memchr(at, '\n', end - at);

		at = newline ? newline + 1 : end;
	}
	return n;
}

/*
 * Returns NOTHING if the file can be shown. If it has too few lines, it is not the compiled file.
 */
static enum source_lack check(const struct content *content, const struct source_want *want)
{
	if (want->source->has_md5 && !is_same(content, want->source))
		return SOURCE_LACKS_SAME_FILE;
	if (memchr(content->bytes, '\0', content->size))
		return SOURCE_LACKS_TEXT;
	if (count_lines(content) < last_sampled(want->file))
		return SOURCE_LACKS_SAME_FILE;
	return SOURCE_LACKS_NOTHING;
}

/* Reads the file at @path, if it can be shown. */
static enum source_lack take(struct content *ret, const char *path, const struct source_want *want)
{
	enum source_lack lack = SOURCE_LACKS_NOTHING;
	struct stat st;
	int fd, err;

	*ret = (struct content){0};
	/* A relative path without the compiler's directory could be any file here. */
	if (*path != '/')
		return SOURCE_LACKS_FILE;
	/* A device is not opened, because opening it may have effects. */
	if (stat(path, &st) < 0)
		return lack_of(-errno);
	if (!S_ISREG(st.st_mode))
		return SOURCE_LACKS_FILE;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return lack_of(-errno);
	err = read_all(fd, ret);
	close(fd);
	lack = err || !ret->bytes ? lack_of(err) : check(ret, want);
	if (lack)
		forget(ret);
	return lack;
}

/* After a server failed, it is not asked again, because each request would take as long. */
static enum source_lack fetch(
	struct reading *reading, struct content *ret, const struct source_want *want)
{
	const struct perfstamp_identity *identity = reading->dso->identity;
	enum source_lack lack = SOURCE_LACKS_FILE;
	struct error err = {0};
	char *path;
	int failed;

	*ret = (struct content){0};
	if (!reading->client || *want->source->path != '/')
		return lack;
	failed = debuginfod__find_source(reading->client, identity->build_id,
		identity->build_id_size, want->source->path, &path, &err);
	if (!failed) {
		lack = take(ret, path, want);
		free(path);
		if (lack == SOURCE_LACKS_SAME_FILE && !*reading->outcome.said)
			snprintf(reading->outcome.said, sizeof(reading->outcome.said),
				"debuginfod: it sent a source file that differs from the compiled "
				"one");
		return lack;
	}
	if (failed == -ENOENT || failed == -EFBIG)
		return lack_of(failed);
	if (!*reading->outcome.said)
		snprintf(reading->outcome.said, sizeof(reading->outcome.said), "%.255s", err.text);
	debuginfod__free(reading->client);
	reading->client = NULL;
	reading->outcome.server_failed = true;
	return SOURCE_LACKS_READER;
}

/* Finds line @number. *@at is the start of line *@n; both are advanced. */
static struct source_text find_line(const struct content *content, const char **at, uint64_t *n,
	uint32_t number, const char **ret)
{
	const char *end = content->bytes + content->size, *newline = NULL;
	struct source_text text = {0};
	size_t len;

	for (; *at < end; *at = newline, ++*n) {
		newline = memchr(*at, '\n', end - *at);
		newline = newline ? newline + 1 : end;
		if (*n == number)
			break;
	}
	if (*at == end)
		return text;
	len = newline - *at;
	if (len && (*at)[len - 1] == '\n')
		len--;
	if (len && (*at)[len - 1] == '\r')
		len--;
	text.there = 1;
	text.cut = len > SOURCE_TEXT_MAX;
	if (text.cut) {
		len = SOURCE_TEXT_MAX;
		while (len && ((*at)[len] & 0xc0) == 0x80) /* do not cut within a character */
			len--;
	}
	text.len = len;
	*ret = *at;
	return text;
}

static void answer(const struct reading *reading, const struct source_want *want,
	const struct content *content, enum source_origin origin, enum source_lack lack)
{
	struct source_answer answer = {origin, lack};
	const char *at = content->bytes, *bytes = NULL;
	uint64_t n = 1;

	fputc(SOURCE_ONE, reading->out);
	fwrite(&answer, sizeof(answer), 1, reading->out);
	for (size_t i = 0; origin && i < want->file->n_lines; i++) {
		struct source_text text = find_line(
			content, &at, &n, want->file->lines[i].number, &bytes);

		fwrite(&text, sizeof(text), 1, reading->out);
		fwrite(text.len ? bytes : "", 1, text.len, reading->out);
	}
}

static void read_one(struct reading *reading, const struct source_want *want)
{
	const struct symbol_source *source = want->source;
	enum source_origin origin = SOURCE_VERIFIED;
	struct content content = {0}, sent = {0};
	enum source_lack here, there;

	here = SOURCE_LACKS_PROOF;
	if (source->has_md5 || reading->options->force)
		here = take(&content, source->path, want);
	if (here || !source->has_md5) {
		origin = here ? SOURCE_NONE : SOURCE_UNPROVEN;
		there = fetch(reading, &sent, want);
		if (!there)
			origin = SOURCE_DEBUGINFOD;
		else if (here == SOURCE_LACKS_FILE)
			here = there; /* the more specific of two reasons */
	}
	answer(reading, want, origin == SOURCE_DEBUGINFOD ? &sent : &content, origin,
		origin ? SOURCE_LACKS_NOTHING : here);
	forget(&content);
	forget(&sent);
}

/* Asks no server if the build-id is shared, because its file may be the wrong one. */
static void begin(struct reading *reading)
{
	const struct symbols_options *options = reading->options;
	char max[32];
	struct error err;

	if (!options->debuginfod || reading->dso->shared ||
		reading->dso->identity->build_id_size < 2)
		return;
	snprintf(max, sizeof(max), "%u", SOURCE_FILE_MAX);
	setenv(DEBUGINFOD_MAXSIZE_ENV_VAR, max, 0);
	if (debuginfod__new(&reading->client, progress__report, reading->out, &err))
		snprintf(reading->outcome.said, sizeof(reading->outcome.said), "%.255s", err.text);
}

void source_read(FILE *out, const struct symbols_options *options, const struct symbols_dso *dso,
	const struct source_want *wants, size_t n)
{
	struct reading reading = {.out = out, .options = options, .dso = dso};

	begin(&reading);
	for (size_t i = 0; i < n; i++)
		read_one(&reading, &wants[i]);
	debuginfod__free(reading.client);
	fputc(SOURCE_END, out);
	fwrite(&reading.outcome, sizeof(reading.outcome), 1, out);
	fflush(out);
}
