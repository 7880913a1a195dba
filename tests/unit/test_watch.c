// SPDX-License-Identifier: GPL-2.0-only
/*
 * What watch tells: of which events, in which words and fields, how many a second, and
 * never so that a name could forge a line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/rate.h"
#include "user/model/replaced/observer.h"
#include "user/view/format/journal.h"
#include "user/view/watch.h"

#define HOSTILE "/tmp/\x1b[2J\n\xff"
#define AA "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define SHORT "aaaaaaaaaaaa"

struct seen {
	struct observer observer;
	FILE *out;
	char *text;
	size_t size;
	void (*write)(struct seen *seen, const struct watch_line *line);
	struct watch_filter filter;
};

static void write_text(struct seen *seen, const struct watch_line *line)
{
	watch_view__sentence(seen->out, line);
	fputc('\n', seen->out);
}

static void write_json(struct seen *seen, const struct watch_line *line)
{
	struct fields fields = {.ops = &FIELDS_JSON, .out = seen->out};

	watch_view__fields(&fields, line);
}

static int on_observation(void *ctx, const struct observation *what)
{
	struct seen *seen = ctx;
	const struct watch_line line = {
		.what = what,
		.realtime_ns = what->time_ns ? what->time_ns + 1000 : 0,
		.cgroup = what->cgroup_id ? "/a.slice/b.service" : NULL,
	};

	if (watch_filter__wants(&seen->filter, &line))
		seen->write(seen, &line);
	return 0;
}

static struct seen *begin(void)
{
	static struct seen seen;

	memset(&seen, 0, sizeof(seen));
	assert_int_equal(model__new(&seen.observer.model), 0);
	assert_int_equal(replaced__new(&seen.observer.replaced, seen.observer.model), 0);
	seen.observer.fn = on_observation;
	seen.observer.ctx = &seen;
	seen.write = write_text;
	seen.out = open_memstream(&seen.text, &seen.size);
	assert_int_equal(watch_filter__kinds(&seen.filter, "dso,clash,module,lost"), 0);
	return &seen;
}

/* What was written up to now must be @expected. */
static void end(struct seen *seen, const char *expected)
{
	fclose(seen->out);
	assert_string_equal(seen->text, expected);
	free(seen->text);
	replaced__free(seen->observer.replaced);
	model__free(seen->observer.model);
}

static void apply(struct seen *seen, struct event event)
{
	assert_int_equal(observer__apply(&seen->observer, &event), 0);
}

static void map(struct seen *seen, uint64_t time_ns, uint32_t pid, const char *path, uint8_t id,
	uint8_t cookie)
{
	struct event event = {
		.kind = EVENT_MAP,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.map = {.addr = 0x1000 * (uint64_t)(id + cookie),
			.len = 0x1000,
			.executable = true,
			.path = path,
			.identity = {.cgroup_id = 7, .mnt_ns = 9}},
	};
	struct perfstamp_identity *identity = &event.map.identity;

	if (!time_ns)
		event.map.flags = PERFSTAMP_MAP_SNAPSHOT;
	if (id) {
		identity->build_id_size = PERFSTAMP_BUILD_ID_MAX;
		memset(identity->build_id, id, sizeof(identity->build_id));
		identity->source = PERFSTAMP_SOURCE_PAGE_CACHE;
	} else {
		identity->reason = cookie ? PERFSTAMP_REASON_NO_NOTE
					  : PERFSTAMP_REASON_NOT_RESIDENT;
	}
	if (cookie) {
		identity->cookie_size = 2;
		memset(identity->cookie, cookie, 2);
	}
	apply(seen, event);
}

static void comm(struct seen *seen, uint32_t pid, const char *name)
{
	apply(seen, (struct event){.kind = EVENT_COMM,
			    .time_ns = 1,
			    .pid = pid,
			    .tid = pid,
			    .comm = {.comm = name}});
}

static void test_each_content_once(void **state)
{
	struct seen *seen = begin();

	(void)state;
	comm(seen, 5, "one");
	comm(seen, 6, "two");
	map(seen, 10, 5, "/bin/x", 0xaa, 1);
	map(seen, 20, 6, "/bin/x", 0xaa, 1);
	map(seen, 30, 6, "/bin/x", 0, 2);
	map(seen, 40, 6, "/bin/y", 0, 0);
	end(seen, "/bin/x " SHORT " in 5 (one) of /a.slice/b.service\n"
		  "/bin/x cookie:0202 in 6 (two) of /a.slice/b.service\n"
		  "/bin/y no identity (not-resident) in 6 (two) of /a.slice/b.service\n");
}

/* As where a process was gone before user space could complete what the kernel told. */
static void test_without_a_cookie(void **state)
{
	struct seen *seen = begin();

	(void)state;
	map(seen, 10, 5, "/bin/x", 0xaa, 0);
	map(seen, 20, 5, "/bin/x", 0xaa, 1);
	map(seen, 30, 5, "/bin/y", 0xaa, 1);
	map(seen, 40, 5, "/bin/y", 0xaa, 0);
	end(seen, "/bin/x " SHORT " in 5 () of /a.slice/b.service\n"
		  "/bin/y " SHORT " in 5 () of /a.slice/b.service\n");
}

static void test_clash(void **state)
{
	struct seen *seen = begin();

	(void)state;
	comm(seen, 5, "one");
	map(seen, 10, 5, "/bin/x", 0xaa, 1);
	map(seen, 20, 5, "/bin/y", 0xaa, 2);
	/* The same content at another path is known. */
	map(seen, 30, 5, "/bin/z", 0xaa, 2);
	assert_int_equal(watch_filter__kinds(&seen->filter, "dso"), 0);
	map(seen, 40, 5, "/bin/q", 0xaa, 3);
	end(seen, "/bin/x " SHORT " in 5 (one) of /a.slice/b.service\n"
		  "/bin/y " SHORT " in 5 (one) of /a.slice/b.service\n"
		  "/bin/y has the build-id of another content: " SHORT
		  " (content 2) in 5 (one) of /a.slice/b.service\n"
		  "/bin/z " SHORT " in 5 (one) of /a.slice/b.service\n"
		  "/bin/q " SHORT " in 5 (one) of /a.slice/b.service\n");
}

static void test_replaced(void **state)
{
	struct seen *seen = begin();

	(void)state;
	assert_int_equal(watch_filter__kinds(&seen->filter, "replaced"), 0);
	comm(seen, 5, "one");
	comm(seen, 6, "two");
	map(seen, 10, 5, "/bin/x", 0xaa, 1);
	/* The same content again, and another path. */
	map(seen, 20, 6, "/bin/x", 0xaa, 1);
	map(seen, 30, 6, "/bin/y", 0xbb, 2);
	/* Other content: told once. */
	map(seen, 40, 7, "/bin/x", 0xbb, 2);
	map(seen, 50, 8, "/bin/x", 0xbb, 2);
	seen->write = write_json;
	map(seen, 60, 6, "/bin/y", 0xaa, 1);
	end(seen, "/bin/x " SHORT " is replaced by bbbbbbbbbbbb, and still "
		  "in 2 processes: 5 (one) of /a.slice/b.service\n"
		  "{\"type\":\"replaced\",\"time_ns\":60,\"realtime_ns\":1060,"
		  "\"path\":\"/bin/y\",\"kind\":\"build-id\","
		  "\"build_id\":\"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\",\"cookie\":\"0202\","
		  "\"source\":\"page-cache\",\"now\":\"content\",\"now_build_id\":\"" AA "\","
		  "\"now_cookie\":\"0101\",\"now_mapped\":true,\"processes\":1,\"threads\":1,"
		  "\"pid\":6,\"comm\":\"two\",\"cgroup_id\":7,\"cgroup\":\"/a.slice/b.service\","
		  "\"mnt_ns\":9}\n");
}

static void test_homes(void **state)
{
	const struct perfstamp_identity identity = {.build_id_size = 1, .build_id = {0xab}};
	const struct observation what = {
		.kind = OBSERVED_DSO, .pid = 5, .comm = "x", .path = "/a", .identity = &identity};
	const struct container_facts container = {
		.is = {.runtime = CONTAINER_PODMAN, .id = "0123", .unit = "pod.scope"},
		.name = "web"};
	struct watch_line line = {.what = &what, .cgroup = "/c", .unit = "nginx.service"};
	struct watch_filter filter = {.unit_glob = "nginx*"};
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	filter.kinds[OBSERVED_DSO] = true;
	watch_view__sentence(out, &line);
	fputc('\n', out);
	assert_true(watch_filter__wants(&filter, &line));
	filter.container_glob = "web";
	assert_false(watch_filter__wants(&filter, &line));
	line.container = &container;
	assert_true(watch_filter__wants(&filter, &line));
	filter.unit_glob = "ssh*";
	assert_false(watch_filter__wants(&filter, &line));
	watch_view__sentence(out, &line);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, "/a ab in 5 (x) of nginx.service\n/a ab in 5 (x) of podman:web");
	free(text);
}

static void test_what_was_there(void **state)
{
	struct seen *seen = begin();

	(void)state;
	map(seen, 0, 5, "/bin/before", 0xaa, 1);
	seen->filter.existing = true;
	map(seen, 0, 5, "/bin/asked", 0xaa, 1);
	end(seen, "/bin/asked " SHORT " in 5 () of /a.slice/b.service\n");
}

static void test_no_file(void **state)
{
	struct seen *seen = begin();

	(void)state;
	map(seen, 10, 5, "//anon", 0, 0);
	map(seen, 10, 5, "[vdso]", 0xbb, 0);
	end(seen, "");
}

static void test_filters(void **state)
{
	struct seen *seen = begin();
	struct watch_filter *filter = &seen->filter;

	(void)state;
	assert_int_equal(watch_filter__kinds(filter, "dso,nothing"), -22);
	assert_int_equal(watch_filter__kinds(filter, ""), -22);
	assert_int_equal(watch_filter__kinds(filter, "dso"), 0);
	filter->path_glob = "/bin/*";
	map(seen, 10, 5, "/bin/a/b", 0xaa, 1);
	map(seen, 10, 5, "/sbin/a", 0xaa, 1);
	filter->path_glob = NULL;
	filter->cgroup = "/a.slice/";
	map(seen, 10, 5, "/bin/below", 0xaa, 1);
	filter->cgroup = "/a.slice/b.service";
	map(seen, 10, 5, "/bin/at", 0xaa, 1);
	filter->cgroup = "/a.slice/b.serv";
	map(seen, 10, 5, "/bin/beside", 0xaa, 1);
	filter->cgroup = "/";
	map(seen, 10, 5, "/bin/root", 0xaa, 1);
	end(seen, "/bin/a/b " SHORT " in 5 () of /a.slice/b.service\n"
		  "/bin/below " SHORT " in 5 () of /a.slice/b.service\n"
		  "/bin/at " SHORT " in 5 () of /a.slice/b.service\n"
		  "/bin/root " SHORT " in 5 () of /a.slice/b.service\n");
}

static void module(struct seen *seen, enum perfstamp_module_event what, uint16_t flags, int result)
{
	struct event event = {
		.kind = EVENT_MODULE,
		.type = PERF_RECORD_MMAP2,
		.misc = PERF_RECORD_MISC_KERNEL,
		.time_ns = 10,
		.pid = UINT32_MAX,
		.module = {.flags = flags,
			.state = {.event = what,
				.text_addr = 0x1000,
				.text_size = 0x1000,
				.init_result = result,
				.build_id_size = PERFSTAMP_BUILD_ID_MAX,
				.name = "loop"},
			.path = "/lib/loop.ko"},
	};

	memset(event.module.state.build_id, 0xaa, PERFSTAMP_BUILD_ID_MAX);
	apply(seen, event);
}

static void test_modules(void **state)
{
	struct seen *seen = begin();

	(void)state;
	module(seen, PERFSTAMP_MODULE_LOAD, PERFSTAMP_MODULE_SNAPSHOT, 0);
	module(seen, PERFSTAMP_MODULE_UNLOAD, PERFSTAMP_MODULE_INFERRED, 0);
	module(seen, PERFSTAMP_MODULE_LOAD, 0, 0);
	module(seen, PERFSTAMP_MODULE_INIT, PERFSTAMP_MODULE_INIT_FAILED, -19);
	module(seen, PERFSTAMP_MODULE_INIT, 0, 0);
	end(seen, "unloaded /lib/loop.ko " SHORT " (not observed, found out later)\n"
		  "loaded /lib/loop.ko " SHORT "\n"
		  "refused to load /lib/loop.ko " SHORT ": No such device\n");
}

static void test_losses_are_always_told(void **state)
{
	struct seen *seen = begin();

	(void)state;
	assert_int_equal(watch_filter__kinds(&seen->filter, "dso"), 0);
	seen->filter.path_glob = "/none";
	apply(seen, (struct event){.kind = EVENT_LOST, .time_ns = 1, .lost = {.lost = 12}});
	end(seen,
		"12 events were missed (use a larger --map-ring-size); the existing state is read "
		"again\n");
}

static void test_hostile_names(void **state)
{
	struct seen *seen = begin();

	(void)state;
	comm(seen, 5, "\x1b[31m\n");
	map(seen, 10, 5, HOSTILE, 0xaa, 0);
	end(seen, "/tmp/\\x1b[2J\\n\\xff " SHORT " in 5 (\\x1b[31m\\n) of /a.slice/b.service\n");
}

static void test_json(void **state)
{
	struct seen *seen = begin();

	(void)state;
	seen->write = write_json;
	comm(seen, 5, "\x1b[31m");
	map(seen, 10, 5, HOSTILE, 0xaa, 2);
	end(seen,
		"{\"type\":\"dso\",\"time_ns\":10,\"realtime_ns\":1010,"
		"\"path\":\"/tmp/\\\\x1b[2J\\\\n\\\\xff\",\"path_hex\":\"2f746d702f1b5b324a0aff\","
		"\"kind\":\"build-id\",\"build_id\":\"" AA "\",\"cookie\":\"0202\","
		"\"source\":\"page-cache\",\"pid\":5,\"comm\":\"\\u001b[31m\",\"cgroup_id\":7,"
		"\"cgroup\":\"/a.slice/b.service\",\"mnt_ns\":9}\n");
}

/* Values are exact: libsystemd frames them. */
static void test_journal(void **state)
{
	const struct perfstamp_identity identity = {
		.reason = PERFSTAMP_REASON_NO_NOTE, .cookie_size = 2, .cookie = {1, 2}};
	const struct observation what = {.kind = OBSERVED_DSO,
		.time_ns = 3,
		.pid = 5,
		.comm = "x",
		.path = "/a\nPERFSTAMP_PID=1",
		.identity = &identity};
	const struct watch_line line = {.what = &what};
	static const char EXPECTED[] =
		"PERFSTAMP_TYPE=dso\0PERFSTAMP_TIME_NS=3\0PERFSTAMP_PATH=/a\nPERFSTAMP_PID=1\0"
		"PERFSTAMP_KIND=cookie\0PERFSTAMP_REASON=no-note\0PERFSTAMP_COOKIE=0102\0"
		"PERFSTAMP_PID=5\0PERFSTAMP_COMM=x";
	struct fields fields = {.ops = &FIELDS_JOURNAL};
	size_t size;
	char *text;

	(void)state;
	fields.out = open_memstream(&text, &size);
	watch_view__fields(&fields, &line);
	fclose(fields.out);
	assert_int_equal(size, sizeof(EXPECTED));
	assert_memory_equal(text, EXPECTED, size);
	free(text);
}

static void test_left_out(void **state)
{
	struct watch_left_out left_out = {.n = {[OBSERVED_DSO] = 3, [OBSERVED_MODULE] = 1}};
	struct fields fields = {.ops = &FIELDS_JSON};
	size_t size;
	char *text;

	(void)state;
	fields.out = open_memstream(&text, &size);
	watch_left_out__sentence(fields.out, &left_out);
	watch_left_out__fields(&fields, &left_out, 8);
	fclose(fields.out);
	assert_string_equal(text, "suppressed by --rate: 3 dso, 1 module"
				  "{\"type\":\"left-out\",\"realtime_ns\":8,\"dso\":3,"
				  "\"module\":1}\n");
	free(text);
}

static unsigned int take_all(struct rate *rate, uint64_t now_ns)
{
	unsigned int n = 0;

	while (n < 1000 && rate__take(rate, now_ns))
		n++;
	return n;
}

static void test_rate(void **state)
{
	struct rate rate;

	(void)state;
	rate__init(&rate, 10);
	assert_int_equal(take_all(&rate, 5000000000), 10);
	assert_int_equal(take_all(&rate, 5000000000), 0);
	assert_int_equal(take_all(&rate, 5100000000), 1);
	assert_int_equal(take_all(&rate, 5000000000), 0); /* back in time */
	assert_int_equal(take_all(&rate, 5600000000), 5);
	assert_int_equal(take_all(&rate, 99000000000), 10);
	rate__init(&rate, 0);
	assert_int_equal(take_all(&rate, 1), 1000);
	rate__init(&rate, UINT64_MAX);
	assert_true(rate__take(&rate, 1));
	assert_true(rate__take(&rate, UINT64_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_content_once),
		cmocka_unit_test(test_without_a_cookie),
		cmocka_unit_test(test_clash),
		cmocka_unit_test(test_replaced),
		cmocka_unit_test(test_homes),
		cmocka_unit_test(test_what_was_there),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_losses_are_always_told),
		cmocka_unit_test(test_hostile_names),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_journal),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
