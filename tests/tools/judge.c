// SPDX-License-Identifier: GPL-2.0-only
/*
 * Judges the identities in a recording of a file that was being rewritten with two
 * contents by turns (rewrite.c): each must be of a content that the file had at some
 * moment, which is one of the two, one up to where it was cut or not yet written, or a
 * page of which a part is written; and while a content stayed, it must be that one.
 * Reads what `perfstamp dump --json' prints.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfstamp/cookie.h"

#define HEAD PERFSTAMP_COOKIE_CONTENT
#define SIZE_MAX_FILE (1 << 20)
#define HEX_MAX (2 * PERFSTAMP_COOKIE_MAX + 1)

static const char USAGE[] =
	"Usage: judge [-w] CONTENT-A ID-A CONTENT-B ID-B PATH LOG <DUMP\n"
	"Prints each identity of PATH that the contents do not explain, given what rewrite put\n"
	"into LOG, and counts; fails if there is one. With -w, only whole contents count.\n";

#define STAYS_MAX 4096
/* What is mapped at the end of a stay may be read when it is over. */
#define LATE_NS 20000000

struct stay {
	int content;
	uint64_t begin, end; /* ns */
	uint64_t ino;
};

struct content {
	union {
		uint8_t bytes[SIZE_MAX_FILE];
		__u64 words[SIZE_MAX_FILE / 8];
	};
	size_t size;
	const char *id;
	size_t id_at; /* where its bytes are */
};

static struct content contents[2];
static bool only_whole;
static struct stay stays[STAYS_MAX];
static size_t n_stays;

/* Cookies of heads of which the first bytes are of one content, the others of the other. */
static char mixed[2][HEAD + 1][HEX_MAX];

static void to_hex(const uint8_t *bytes, size_t n, char *ret)
{
	size_t i;

	for (i = 0; i < n; i++)
		sprintf(ret + 2 * i, "%02x", bytes[i]);
}

static void cookie_of(const __u64 *head, uint64_t size, char ret[HEX_MAX])
{
	uint8_t cookie[PERFSTAMP_COOKIE_MAX];

	perfstamp_cookie(head, size, cookie);
	to_hex(cookie, PERFSTAMP_COOKIE_V1_SIZE, ret);
}

static void read_content(struct content *content, const char *path, const char *id)
{
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, content->bytes, sizeof(content->bytes));
	char hex[HEX_MAX];

	if (n < HEAD) {
		fprintf(stderr, "judge: %s\n", path);
		exit(2);
	}
	close(fd);
	content->size = n;
	content->id = id;
	for (content->id_at = 0; content->id_at + PERFSTAMP_BUILD_ID_MAX <= HEAD;
		content->id_at++) {
		to_hex(content->bytes + content->id_at, PERFSTAMP_BUILD_ID_MAX, hex);
		if (!strcmp(hex, id))
			return;
	}
	fprintf(stderr, "judge: %s is not in the first page of %s\n", id, path);
	exit(2);
}

static void mix(void)
{
	__u64 head[HEAD / 8];
	size_t at;
	int i;

	for (i = 0; i < 2; i++) {
		memcpy(head, contents[!i].bytes, HEAD);
		for (at = 0; at <= HEAD; at++) {
			if (at)
				((uint8_t *)head)[at - 1] = contents[i].bytes[at - 1];
			cookie_of(head, contents[i].size, mixed[i][at]);
		}
	}
}

/* Whether it is content @i, of which the first @size bytes are there. */
static bool is_whole(int i, uint64_t size, const char *id, const char *cookie)
{
	const struct content *content = &contents[i];
	__u64 head[HEAD / 8] = {0};
	char wanted[HEX_MAX];

	if (size > content->size || (only_whole && size != content->size))
		return false;
	memcpy(head, content->bytes, size < HEAD ? size : HEAD);
	cookie_of(head, size, wanted);
	if (strcmp(cookie, wanted))
		return false;
	/* The id is in the first page: where all of it is there, so must the id. */
	return size < HEAD ? !*id : !strcmp(id, content->id);
}

/* Whether it is content @i up to some place, and the other one behind it. */
static bool is_mixed(int i, uint64_t size, const char *id, const char *cookie)
{
	uint8_t bytes[PERFSTAMP_BUILD_ID_MAX];
	char wanted[HEX_MAX];
	size_t at, j;

	if (only_whole || size != contents[i].size)
		return false;
	for (at = 0; at <= HEAD; at++) {
		if (strcmp(cookie, mixed[i][at]))
			continue;
		for (j = 0; j < sizeof(bytes); j++)
			bytes[j] = contents[contents[i].id_at + j < at ? i : !i]
					   .bytes[contents[i].id_at + j];
		to_hex(bytes, sizeof(bytes), wanted);
		if (!strcmp(id, wanted))
			return true;
	}
	return false;
}

static void read_stays(const char *path)
{
	FILE *log = fopen(path, "r");
	struct stay *stay;

	for (stay = stays; log && n_stays < STAYS_MAX; stay++, n_stays++)
		if (fscanf(log, "%d %" SCNu64 " %" SCNu64 " %" SCNu64, &stay->content, &stay->begin,
			    &stay->end, &stay->ino) != 4)
			break;
	if (!n_stays) {
		fprintf(stderr, "judge: nothing in %s\n", path);
		exit(2);
	}
	fclose(log);
}

/* The content that @ino had at @time, or -1. */
static int stayed(uint64_t time, uint64_t ino)
{
	size_t i;

	for (i = 0; i < n_stays; i++)
		if (stays[i].ino == ino && stays[i].begin <= time && time + LATE_NS < stays[i].end)
			return stays[i].content;
	return -1;
}

static uint64_t number_of(struct json_object *record, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(record, key, &value) ? json_object_get_uint64(value) : 0;
}

static const char *text_of(struct json_object *record, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(record, key, &value) ? json_object_get_string(value) : "";
}

int main(int argc, char **argv)
{
	unsigned long maps = 0, first = 0, second = 0, parts = 0, none = 0, stashed = 0, timed = 0;
	unsigned long wrong = 0;
	static char line[1 << 16];
	int at = 1;

	if (argc > 1 && !strcmp(argv[1], "-w")) {
		only_whole = true;
		at++;
	}
	if (argc != at + 6) {
		fputs(USAGE, stderr);
		return 2;
	}
	read_content(&contents[0], argv[at], argv[at + 1]);
	read_content(&contents[1], argv[at + 2], argv[at + 3]);
	if (contents[0].size != contents[1].size || contents[0].id_at != contents[1].id_at) {
		fputs("judge: the contents differ in more than the id\n", stderr);
		return 2;
	}
	read_stays(argv[at + 5]);
	mix();
	while (fgets(line, sizeof(line), stdin)) {
		struct json_object *record = json_tokener_parse(line);
		const char *id, *cookie;
		uint64_t size;
		int now;

		if (!record || strcmp(text_of(record, "type"), "MMAP2") ||
			strcmp(text_of(record, "path"), argv[at + 4])) {
			json_object_put(record);
			continue;
		}
		id = text_of(record, "build_id");
		cookie = text_of(record, "cookie");
		size = number_of(record, "file_size");
		now = stayed(number_of(record, "time_ns"), number_of(record, "ino"));
		maps++;
		timed += now >= 0;
		stashed += !strcmp(text_of(record, "source"), "stash");
		if (!*id && !*cookie) {
			none++;
		} else if (now >= 0 &&
			   (size != contents[now].size || !is_whole(now, size, id, cookie))) {
			wrong++;
			printf("not %c by then: %s", 'A' + now, line);
		} else if (is_whole(0, size, id, cookie)) {
			first++;
		} else if (is_whole(1, size, id, cookie)) {
			second++;
		} else if (is_mixed(0, size, id, cookie) || is_mixed(1, size, id, cookie)) {
			parts++;
		} else {
			wrong++;
			fputs(line, stdout);
		}
		json_object_put(record);
	}
	printf("maps=%lu first=%lu second=%lu parts=%lu none=%lu stashed=%lu timed=%lu wrong=%lu\n",
		maps, first, second, parts, none, stashed, timed, wrong);
	return wrong != 0;
}
