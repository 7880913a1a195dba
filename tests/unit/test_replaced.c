// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who maps what was replaced: each row is a story of events and of looks at paths, what
 * is told while it goes on, and what stands at its end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/model/replaced/replaced.h"

#define LIB "/usr/lib/libc.so.6"
#define APP "/srv/app"
#define NS 100 /* the host's mount namespace */

enum what { MAP, FORK, THREAD, EXEC, EXIT, PATH, TRIM };

/* .id: the build-id's only byte, and 0 for none; .cookie the same. */
struct step {
	enum what what;
	uint64_t time_ns;
	uint32_t pid;
	const char *path;
	uint8_t id, cookie;
	uint32_t ns;
	uint64_t ino;
	uint16_t flags;
	uint32_t parent;
	bool gone;
	uint8_t reason;
	uint64_t addr; /* 0 stands for 0x1000 */
};

/* An inode of 0 stands for one by the build-id, a namespace of 0 for NS. */
#define M(t, p, file, i, ...)                                                                      \
	{                                                                                          \
		.what = MAP, .time_ns = (t), .pid = (p), .path = (file), .id = (i), __VA_ARGS__    \
	}
#define LOOK(t, file, i, ...)                                                                      \
	{                                                                                          \
		.what = PATH, .time_ns = (t), .path = (file), .id = (i), __VA_ARGS__               \
	}
#define IS(k, t, p, ...)                                                                           \
	{                                                                                          \
		.what = (k), .time_ns = (t), .pid = (p), __VA_ARGS__                               \
	}

/* "KIND PATH OLD->NEW since T: N processes, N threads", in the order of telling. */
struct story {
	const char *what;
	struct step steps[12]; /* up to one without a time */
	const char *told, *stands;
};

static const struct story STORIES[] = {
	{"a new build is mapped while the old one runs", {M(10, 1, LIB, 0xaa), M(20, 2, LIB, 0xbb)},
		"content " LIB " aa->bb since 20: 1/1;", "content " LIB " aa->bb since 20: 1/1;"},
	{"the old one's process ends", {M(10, 1, LIB, 0xaa), M(20, 2, LIB, 0xbb), IS(EXIT, 30, 1)},
		"content " LIB " aa->bb since 20: 1/1;", ""},
	{"the old one's process restarts itself",
		{M(10, 1, LIB, 0xaa), M(20, 2, LIB, 0xbb), IS(EXEC, 30, 1), M(31, 1, LIB, 0xbb)},
		"content " LIB " aa->bb since 20: 1/1;", ""},
	{"children and threads count",
		{M(10, 1, LIB, 0xaa), IS(FORK, 11, 2, .parent = 1), IS(THREAD, 12, 2),
			M(20, 3, LIB, 0xbb)},
		"content " LIB " aa->bb since 20: 2/3;", "content " LIB " aa->bb since 20: 2/3;"},
	{"another file of equal content", {M(10, 1, LIB, 0xaa), M(20, 2, LIB, 0xaa, .ino = 7)}, "",
		""},
	{"another content at another path", {M(10, 1, LIB, 0xaa), M(20, 2, APP, 0xbb)}, "", ""},
	{"another content at the path, in another container",
		{M(10, 1, LIB, 0xaa), M(20, 2, LIB, 0xbb, .ns = 200)}, "", ""},
	{"written in place: the mapping shows it, too",
		{M(10, 1, LIB, 0xaa, .ino = 7), M(20, 2, LIB, 0xbb, .ino = 7)}, "", ""},
	{"replaced, and put back", {M(10, 1, LIB, 0xaa), M(20, 2, LIB, 0xbb), M(30, 3, LIB, 0xaa)},
		"content " LIB " aa->bb since 20: 1/1;content " LIB " bb->aa since 30: 1/1;",
		"content " LIB " bb->aa since 30: 1/1;"},
	{"replaced twice", {M(10, 1, LIB, 0xaa), M(20, 2, LIB, 0xbb), M(30, 3, LIB, 0xcc)},
		"content " LIB " aa->bb since 20: 1/1;content " LIB " aa->cc since 30: 1/1;"
		"content " LIB " bb->cc since 30: 1/1;",
		"content " LIB " aa->cc since 30: 1/1;content " LIB " bb->cc since 30: 1/1;"},
	{"told once, however often the new one is mapped",
		{M(10, 1, LIB, 0xaa), M(20, 2, LIB, 0xbb), M(30, 3, LIB, 0xbb)},
		"content " LIB " aa->bb since 20: 1/1;", "content " LIB " aa->bb since 20: 1/1;"},
	{"of two in a snapshot nobody knows which one is old",
		{M(1, 1, LIB, 0xaa, .flags = PERFSTAMP_MAP_SNAPSHOT),
			M(1, 2, LIB, 0xbb, .flags = PERFSTAMP_MAP_SNAPSHOT)},
		"", ""},
	{"the next map tells which one",
		{M(1, 1, LIB, 0xaa, .flags = PERFSTAMP_MAP_SNAPSHOT),
			M(1, 2, LIB, 0xbb, .flags = PERFSTAMP_MAP_SNAPSHOT), M(20, 3, LIB, 0xbb)},
		"content " LIB " aa->bb since 20: 1/1;", "content " LIB " aa->bb since 20: 1/1;"},
	{"what the snapshot found first is still mapped",
		{M(1, 1, LIB, 0xaa, .flags = PERFSTAMP_MAP_SNAPSHOT),
			M(1, 2, LIB, 0xbb, .flags = PERFSTAMP_MAP_SNAPSHOT), M(20, 3, LIB, 0xaa)},
		"content " LIB " bb->aa since 1: 1/1;", "content " LIB " bb->aa since 1: 1/1;"},
	{"a snapshot after a loss tells of an old mapping, not of the path",
		{M(10, 1, LIB, 0xbb), M(20, 2, LIB, 0xaa, .flags = PERFSTAMP_MAP_SNAPSHOT)}, "",
		"content " LIB " aa->bb since 10: 1/1;"},
	{"unlinked before it was watched",
		{M(1, 1, LIB, 0xaa, .flags = PERFSTAMP_MAP_SNAPSHOT | PERFSTAMP_MAP_DELETED)},
		"unlinked " LIB " aa->- since 1: 1/1;", "unlinked " LIB " aa->- since 1: 1/1;"},
	{"unlinked, and then the path's content is mapped",
		{M(1, 1, LIB, 0xaa, .flags = PERFSTAMP_MAP_SNAPSHOT | PERFSTAMP_MAP_DELETED),
			M(20, 2, LIB, 0xbb)},
		"unlinked " LIB " aa->- since 1: 1/1;content " LIB " aa->bb since 20: 1/1;",
		"content " LIB " aa->bb since 20: 1/1;"},
	{"unlinked, and made again with equal content",
		{M(1, 1, LIB, 0xaa, .flags = PERFSTAMP_MAP_SNAPSHOT | PERFSTAMP_MAP_DELETED),
			LOOK(20, LIB, 0xaa, .ino = 9)},
		"unlinked " LIB " aa->- since 1: 1/1;", ""},
	{"a look finds other content before anybody maps it",
		{M(10, 1, LIB, 0xaa), LOOK(20, LIB, 0xbb), M(30, 2, LIB, 0xbb)},
		"content " LIB " aa->bb since 20: 1/1;", "content " LIB " aa->bb since 20: 1/1;"},
	{"a mapping is heard of only after a look found something newer",
		{M(10, 1, LIB, 0xaa), LOOK(20, LIB, 0xcc), M(15, 2, LIB, 0xbb), M(16, 3, LIB, 0xbb),
			M(17, 4, LIB, 0xcc), M(18, 5, LIB, 0xaa)},
		"content " LIB " aa->cc since 20: 1/1;content " LIB " bb->cc since 20: 1/1;",
		"content " LIB " aa->cc since 20: 2/2;content " LIB " bb->cc since 20: 2/2;"},
	{"a mapping is heard of only after a look found nothing",
		{M(10, 1, LIB, 0xaa), LOOK(20, LIB, 0, .gone = true), M(15, 2, LIB, 0xbb)},
		"gone " LIB " aa->- since 20: 1/1;gone " LIB " bb->- since 20: 1/1;",
		"gone " LIB " aa->- since 20: 1/1;gone " LIB " bb->- since 20: 1/1;"},
	{"a look finds nothing, and later the old content",
		{M(10, 1, LIB, 0xaa), LOOK(20, LIB, 0, .gone = true), LOOK(30, LIB, 0xaa)},
		"gone " LIB " aa->- since 20: 1/1;", ""},
	{"gone stays gone when it is looked at again",
		{M(10, 1, LIB, 0xaa), LOOK(20, LIB, 0, .gone = true),
			LOOK(30, LIB, 0, .gone = true)},
		"gone " LIB " aa->- since 20: 1/1;", "gone " LIB " aa->- since 20: 1/1;"},
	{"what could not be read proves nothing",
		{M(10, 1, LIB, 0xaa), M(20, 2, LIB, 0), LOOK(30, LIB, 0)}, "", ""},
	{"a file that is not ELF is no build",
		{M(10, 1, APP, 0, .cookie = 1, .reason = PERFSTAMP_REASON_NOT_ELF),
			M(20, 2, APP, 0xbb)},
		"", ""},
	{"memory that has a name only",
		{M(10, 1, "/memfd:jit", 0xaa, .flags = PERFSTAMP_MAP_DELETED),
			M(20, 2, "/memfd:jit", 0xbb, .flags = PERFSTAMP_MAP_DELETED)},
		"", ""},
	{"without build-ids cookies tell",
		{M(10, 1, APP, 0, .cookie = 1, .ino = 1, .reason = PERFSTAMP_REASON_NO_NOTE),
			M(20, 2, APP, 0, .cookie = 2, .ino = 2,
				.reason = PERFSTAMP_REASON_NO_NOTE)},
		"content " APP " -->- since 20: 1/1;", "content " APP " -->- since 20: 1/1;"},
	{"one build-id of two contents is told as such",
		{M(10, 1, APP, 0xaa, .cookie = 1, .ino = 1),
			M(20, 2, APP, 0xaa, .cookie = 2, .ino = 2)},
		"content " APP " aa->aa one build-id since 20: 1/1;",
		"content " APP " aa->aa one build-id since 20: 1/1;"},
	{"trimming keeps what is mapped",
		{M(10, 1, LIB, 0xaa), LOOK(20, LIB, 0xbb), IS(TRIM, 30, 0)},
		"content " LIB " aa->bb since 20: 1/1;", "content " LIB " aa->bb since 20: 1/1;"},
	{"trimming forgets what is not",
		{M(10, 1, LIB, 0xaa), LOOK(20, LIB, 0xbb), IS(EXIT, 25, 1), IS(TRIM, 30, 0),
			M(40, 2, LIB, 0xaa, .flags = PERFSTAMP_MAP_SNAPSHOT)},
		"content " LIB " aa->bb since 20: 1/1;", ""},
};

struct telling {
	const struct model *model;
	FILE *out;
};

static void write_id(FILE *out, const struct perfstamp_identity *identity)
{
	if (identity->build_id_size)
		fprintf(out, "%02x", identity->build_id[0]);
	else
		fputc('-', out);
}

static int tell(void *ctx, const struct replacement *replacement)
{
	static const char *const KINDS[] = {"content", "gone", "unlinked"};
	struct telling *telling = ctx;

	fprintf(telling->out, "%s %s ", KINDS[replacement->kind], replacement->path);
	write_id(telling->out, &model__sighting_so_far(telling->model, replacement->old)->identity);
	fputs("->", telling->out);
	write_id(telling->out, &replacement->now);
	if (replacement->same_build_id)
		fputs(" one build-id", telling->out);
	fprintf(telling->out, " since %d: %zu/%zu;", (int)replacement->since_ns,
		replacement->n_processes, replacement->n_threads);
	assert_int_equal(replacement->n_pids, replacement->n_processes);
	return 0;
}

static struct perfstamp_identity identity_of(const struct step *step)
{
	struct perfstamp_identity identity = {
		.build_id_size = step->id != 0,
		.build_id = {step->id},
		.cookie_size = step->cookie != 0,
		.cookie = {step->cookie},
		.ino = step->ino ? step->ino : step->id,
		.mnt_ns = step->ns ? step->ns : NS,
		.reason = step->reason ? step->reason
			  : step->id   ? PERFSTAMP_REASON_NONE
				       : PERFSTAMP_REASON_NOT_RESIDENT,
	};

	return identity;
}

static void take(struct model *model, struct replaced *replaced, const struct step *step,
	struct telling *telling)
{
	static const enum event_kind KINDS[] = {
		EVENT_MAP, EVENT_FORK, EVENT_FORK, EVENT_COMM, EVENT_EXIT};
	struct perfstamp_identity identity = identity_of(step);
	struct event event = {.time_ns = step->time_ns, .pid = step->pid, .tid = step->pid};

	if (step->what == PATH) {
		assert_int_equal(
			replaced__path(replaced, identity.mnt_ns, step->path,
				step->gone ? NULL : &identity, step->time_ns, tell, telling),
			0);
		return;
	}
	if (step->what == TRIM) {
		assert_int_equal(replaced__trim(replaced), 0);
		return;
	}
	event.kind = KINDS[step->what];
	if (step->what == MAP)
		event.map = (struct event_map){.addr = step->addr ? step->addr : 0x1000,
			.len = 0x1000,
			.executable = true,
			.stamped = true,
			.path = step->path,
			.flags = step->flags,
			.identity = identity};
	else if (step->what == FORK)
		event.fork.ppid = step->parent;
	else if (step->what == EXEC)
		event.comm = (struct event_comm){"x", true};
	if (step->what == THREAD) {
		event.fork.ppid = step->pid;
		event.tid = step->pid + 1000;
	}
	assert_int_equal(model__apply(model, &event), 0);
	assert_int_equal(replaced__apply(replaced, &event, tell, telling), 0);
}

static void stories_end_as_they_must(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(STORIES) / sizeof(*STORIES); i++) {
		const struct story *story = &STORIES[i];
		struct telling telling = {0};
		struct replaced *replaced;
		struct model *model;
		char *text;
		size_t size;

		print_message("# %s\n", story->what);
		assert_int_equal(model__new(&model), 0);
		assert_int_equal(replaced__new(&replaced, model), 0);
		telling.model = model;
		telling.out = open_memstream(&text, &size);
		for (size_t j = 0; j < 12 && story->steps[j].time_ns; j++)
			take(model, replaced, &story->steps[j], &telling);
		assert_int_equal(fclose(telling.out), 0);
		assert_string_equal(text, story->told);
		free(text);
		telling.out = open_memstream(&text, &size);
		assert_int_equal(replaced__for_each(replaced, tell, &telling), 0);
		assert_int_equal(fclose(telling.out), 0);
		assert_string_equal(text, story->stands);
		free(text);
		replaced__free(replaced);
		model__free(model);
	}
}

/* Of four processes two map old builds, one of them two. */
static void what_is_replaced_is_counted(void **state)
{
	static const struct step STEPS[] = {
		M(10, 1, LIB, 0xaa),
		M(11, 1, APP, 0xa1, .addr = 0x5000),
		M(12, 2, LIB, 0xaa),
		M(13, 4, LIB, 0xaa, .ns = 200),
		M(20, 3, LIB, 0xbb),
		LOOK(30, APP, 0, .gone = true),
	};
	struct telling telling = {.out = fopen("/dev/null", "w")};
	struct replaced_counts counts;
	struct replaced *replaced;
	struct model *model;

	(void)state;
	assert_non_null(telling.out);
	assert_int_equal(model__new(&model), 0);
	assert_int_equal(replaced__new(&replaced, model), 0);
	telling.model = model;
	for (size_t i = 0; i < sizeof(STEPS) / sizeof(*STEPS); i++) {
		take(model, replaced, &STEPS[i], &telling);
		assert_int_equal(replaced__count(replaced, model, &counts), 0);
		assert_int_equal(counts.dsos[REPLACED_CONTENT], i >= 4);
		assert_int_equal(counts.dsos[REPLACED_GONE], i == 5);
		assert_int_equal(counts.dsos[REPLACED_UNLINKED], 0);
		assert_int_equal(counts.processes, i < 4 ? 0 : 2);
	}
	fclose(telling.out);
	replaced__free(replaced);
	model__free(model);
}

static bool is_not(void *ctx, const struct model_mapping *mapping)
{
	return mapping->pid != *(const uint32_t *)ctx;
}

/* Of two processes with the old build one has ended, of which the model has not heard. */
static void what_has_ended_is_not_reported(void **state)
{
	static const struct step STEPS[] = {
		M(10, 1, LIB, 0xaa),
		M(12, 2, LIB, 0xaa),
		M(13, 3, APP, 0xa1),
		LOOK(20, LIB, 0, .gone = true),
		LOOK(30, APP, 0, .gone = true),
	};
	struct telling telling = {0};
	uint32_t ended = 1;
	struct replaced *replaced;
	struct model *model;
	char *text;
	size_t size;

	(void)state;
	assert_int_equal(model__new(&model), 0);
	assert_int_equal(replaced__new(&replaced, model), 0);
	replaced__check_by(replaced, is_not, &ended);
	telling.model = model;
	for (size_t i = 0; i < sizeof(STEPS) / sizeof(*STEPS); i++) {
		telling.out = open_memstream(&text, &size);
		ended = i == 4 ? 3 : 1;
		take(model, replaced, &STEPS[i], &telling);
		assert_int_equal(fclose(telling.out), 0);
		print_message("# %zu: %s\n", i, text);
		/* Once, of the one that goes on; and nothing where nobody does. */
		assert_int_equal(strlen(text) > 0, i == 3);
		if (i == 3)
			assert_non_null(strstr(text, ": 1/1;"));
		free(text);
	}
	replaced__free(replaced);
	model__free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stories_end_as_they_must),
		cmocka_unit_test(what_is_replaced_is_counted),
		cmocka_unit_test(what_has_ended_is_not_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
