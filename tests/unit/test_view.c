// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the views write, to the letter: text, JSON, hostile paths, the verdict.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/perfdata/layout.h"
#include "user/view/check/check.h"
#include "user/view/dump/dump.h"
#include "user/view/findings.h"
#include "user/view/format/json.h"
#include "user/view/list/list.h"

#define ID40 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define HOSTILE "/tmp/\x1b[2J\n\xff\xe2\x80\xae"

/* What was written through .file is .text after finish(). */
struct output {
	FILE *file;
	char *text;
	size_t size;
};

static struct model *model;
static struct output out;

static int set_up(void **state)
{
	(void)state;
	out.file = open_memstream(&out.text, &out.size);
	return out.file ? model__new(&model) : -1;
}

static int tear_down(void **state)
{
	(void)state;
	free(out.text);
	model__free(model);
	return 0;
}

static const char *finish(void)
{
	assert_int_equal(fclose(out.file), 0);
	return out.text;
}

static void apply(struct event event)
{
	assert_int_equal(model__apply(model, &event), 0);
}

static struct perfstamp_identity build_id(void)
{
	struct perfstamp_identity identity = {.build_id_size = PERFSTAMP_BUILD_ID_MAX,
		.source = PERFSTAMP_SOURCE_PAGE_CACHE,
		.dev_major = 8,
		.dev_minor = 1,
		.ino = 77,
		.ino_generation = 5,
		.file_size = 4096,
		.cgroup_id = 42};

	memset(identity.build_id, 0xaa, sizeof(identity.build_id));
	return identity;
}

static void map(uint64_t time_ns, uint32_t pid, uint64_t addr, const char *path,
	struct perfstamp_identity identity)
{
	apply((struct event){.kind = EVENT_MAP,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.map = {.addr = addr,
			.len = 0x1000,
			.executable = true,
			.path = path,
			.identity = identity}});
}

static void map_one_of_each(void)
{
	map(1000000001, 1, 0x1000, "/usr/lib/libc.so.6", build_id());
	map(2000000002, 1, 0x3000, "/srv/app",
		(struct perfstamp_identity){.cookie_size = 3,
			.cookie = {1, 2, 0xff},
			.source = PERFSTAMP_SOURCE_USER,
			.reason = PERFSTAMP_REASON_NO_NOTE});
	map(0, 1, 0x5000, "/srv/gone",
		(struct perfstamp_identity){.reason = PERFSTAMP_REASON_LOOKUP_FAILED});
}

static void list_begins_with_the_columns_of_buildid_list(void **state)
{
	(void)state;
	map_one_of_each();
	assert_int_equal(list__write(out.file, model, NULL, &(struct list_options){0}), 3);
	assert_string_equal(finish(),
		"cookie:0102ff                            /srv/app\n"
		"-                                        /srv/gone (lookup-failed)\n" ID40
		" /usr/lib/libc.so.6\n");
}

static void list_verbose_has_a_heading_and_all_columns(void **state)
{
	(void)state;
	map_one_of_each();
	list__write(out.file, model, NULL, &(struct list_options){.verbose = true});
	assert_string_equal(finish(),
		"IDENTITY                                 PATH               KIND     SOURCE/REASON"
		"             FIRST              LAST STATE MAPPINGS PROCESSES CONTAINERS  "
		"SAMPLES IN\n"
		"cookie:0102ff                            /srv/app           cookie   no-note      "
		"       2.000000002       2.000000002 alive        1         1          0        "
		"0\n"
		"-                                        /srv/gone          none     lookup-failed"
		"                 -       2.000000002 alive        1         1          0        "
		"0\n" ID40 " /usr/lib/libc.so.6 build-id page-cache   "
		"       1.000000001       2.000000002 alive        1         1          0        "
		"0\n");
}

static void list_json_has_the_documented_keys_in_order(void **state)
{
	(void)state;
	map(1000000001, 1, 0x1000, "/usr/lib/libc.so.6", build_id());
	apply((struct event){.kind = EVENT_CGROUP, .cgroup = {.id = 42, .path = "/a.slice"}});
	list__write(out.file, model, NULL, &(struct list_options){.json = true});
	assert_string_equal(finish(),
		"{\"path\":\"/usr/lib/libc.so.6\",\"build_id\":\"" ID40
		"\",\"cookie\":null,\"tag\":null,\"kind\":\"build-id\",\"source\":\"page-cache\","
		"\"reason\":"
		"null,\"contents\":0,\"content\":0,"
		"\"first_ns\":1000000001,\"last_ns\":1000000001,\"mappings\":1,\"processes\":1,"
		"\"containers\":[],\"samples\":0,\"alive\":true,\"kernel\":false,\"read_late\":"
		"false,"
		"\"dev_major\":8,\"dev_minor\":1,\"ino\":77,\"ino_generation\":5,\"file_size\":"
		"4096,"
		"\"cgroups\":[{\"id\":42,\"path\":\"/a.slice\",\"unit\":\"a.slice\"}],"
		"\"mount_namespaces\":[]}\n");
}

#define ID64 "2f5a1e9d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1"

static void cgroup(uint64_t id, const char *path, const char *about)
{
	apply((struct event){.kind = EVENT_CGROUP,
		.cgroup = {.id = id,
			.path = path,
			.about = about,
			.about_size = about ? strlen(about) : 0}});
}

/* Four containers with five cgroups, and the host, map one file; the first alone maps another. */
static void map_in_containers(void)
{
	struct perfstamp_identity identity = build_id();

	for (identity.cgroup_id = 1; identity.cgroup_id <= 6; identity.cgroup_id++)
		map(1000000001, identity.cgroup_id, 0x1000, "/usr/lib/libc.so.6", identity);
	cgroup(1, "/docker/" ID64, "name=web\nimage=nginx:1\n");
	cgroup(2, "/docker/" ID64 "/init.scope", NULL);
	cgroup(3, "/lxc.payload.mail", NULL);
	cgroup(4, "/kubepods/besteffort/pod0d5f0b3c4e6a79881726354453627180/" ID64,
		"name=app\nnamespace=prod\npod=shop-0\n");
	cgroup(5, "/machine.slice/machine-db.scope", NULL);
	cgroup(6, "/system.slice/cron.service", NULL);
	identity.cgroup_id = 2;
	map(1000000001, 2, 0x8000, "/srv/app", identity);
}

static void list_names_containers_each_once(void **state)
{
	(void)state;
	map_in_containers();
	list__write(out.file, model, NULL,
		&(struct list_options){.verbose = true, .path_glob = "*libc*"});
	assert_non_null(strstr(finish(), "        6          4        0 "
					 "docker:web,lxc:mail,kubernetes:prod/shop-0/app,...\n"));
}

static void list_json_has_containers_with_names(void **state)
{
	(void)state;
	map_in_containers();
	list__write(
		out.file, model, NULL, &(struct list_options){.json = true, .path_glob = "/srv/*"});
	assert_non_null(
		strstr(finish(), "\"containers\":[{\"runtime\":\"docker\",\"id\":\"" ID64
				 "\",\"name\":null,\"image\":null,\"namespace\":null,\"pod\":null,"
				 "\"pod_uid\":null,\"qos\":null}]"));
}

static void list_filters_by_container(void **state)
{
	static const struct {
		const char *glob;
		int lines;
	} GLOBS[] = {{"web", 2}, {"docker:*", 2}, {"nginx:1", 2}, {"2f5a1e9d3c4b", 2}, {"mail", 1},
		{"shop-0", 1}, {"*prod/*", 1}, {"0d5f*", 1}, {"db", 1}, {"host*", 0}, {"", 0},
		{"nothing", 0}};

	(void)state;
	map_in_containers();
	for (size_t i = 0; i < sizeof(GLOBS) / sizeof(*GLOBS); i++)
		assert_int_equal(list__write(out.file, model, NULL,
					 &(struct list_options){.container_glob = GLOBS[i].glob}),
			GLOBS[i].lines);
	finish();
}

static void list_escapes_hostile_paths(void **state)
{
	(void)state;
	map(1, 1, 0x1000, HOSTILE, build_id());
	list__write(out.file, model, NULL, &(struct list_options){0});
	assert_string_equal(finish(), ID40 " /tmp/\\x1b[2J\\n\\xff\\xe2\\x80\\xae\n");
}

static void list_and_check_mark_a_build_id_of_several_contents(void **state)
{
	struct check_facts facts = {.name = "perf.data", .ledger = model__ledger(model)};
	struct perfstamp_identity one = build_id(), two = build_id();

	(void)state;
	map(1, 1, 0x1000, "/bazel/c", one);
	one.cookie_size = two.cookie_size = 2;
	one.cookie[1] = 1;
	two.cookie[1] = 2;
	map(1, 1, 0x2000, "/bazel/a", one);
	list__write(out.file, model, NULL, &(struct list_options){0});
	map(1, 1, 0x3000, "/bazel/b", two);
	list__write(out.file, model, NULL, &(struct list_options){0});
	/* Nothing is wrong with the recording. */
	assert_int_equal(check__write(out.file, &facts, false), 0);
	finish();
	assert_memory_equal(out.text,
		ID40 " /bazel/a\n" ID40 " /bazel/c\n" ID40 " /bazel/a (content 1 of 2)\n" ID40
		     " /bazel/b (content 2 of 2)\n" ID40 " /bazel/c (one of 2 contents)\n",
		strchr(out.text, ':') - out.text - strlen("perf.data"));
	assert_non_null(strstr(out.text, "\nnote: build-ids that more than one content has "
					 "(perfstamp list shows them): 1\nno problems found\n"));
}

static void list_filters_by_path_id_and_space(void **state)
{
	struct list_options path = {.path_glob = "/srv/*"};
	struct list_options id = {.build_id = {0xaa, 0xaa}, .build_id_size = 2};
	struct list_options other_id = {.build_id = {0xaa, 0xab}, .build_id_size = 2};
	struct list_options kernel = {.kernel_only = true}, user = {.user_only = true};

	(void)state;
	map_one_of_each();
	assert_int_equal(list__write(out.file, model, NULL, &path), 2);
	assert_int_equal(list__write(out.file, model, NULL, &id), 1);
	assert_int_equal(list__write(out.file, model, NULL, &other_id), 0);
	assert_int_equal(list__write(out.file, model, NULL, &kernel), 0);
	assert_int_equal(list__write(out.file, model, NULL, &user), 3);
	finish();
}

struct table_entry {
	struct perfdata_build_id id;
	char path[36];
};

static struct table_entry table_entry(uint8_t id, const char *path)
{
	struct table_entry entry = {.id.header = {.size = sizeof(entry)}};

	memset(entry.id.build_id, id, sizeof(entry.id.build_id));
	strcpy(entry.path, path);
	return entry;
}

static void list_marks_what_perf_read_late(void **state)
{
	struct table_entry table[] = {table_entry(0xaa, "/srv/gone"), table_entry(0xaa, "/only"),
		table_entry(0xaa, "/twice"), table_entry(0xbb, "/twice")};
	struct header_ids ids = {0};

	(void)state;
	map_one_of_each();
	map(1, 2, 0x1000, "/twice", (struct perfstamp_identity){0});
	assert_int_equal(header_ids__add(&ids, table, sizeof(table), false), 0);
	header_ids__sort(&ids);
	assert_int_equal(list__write(out.file, model, &ids, &(struct list_options){0}), 7);
	list__write(
		out.file, model, &ids, &(struct list_options){.path_glob = "/only", .json = true});
	header_ids__free(&ids);
	assert_string_equal(finish(), ID40
		" /only\n"
		"cookie:0102ff                            /srv/app\n" ID40 " /srv/gone\n"
		"-                                        /twice (unknown)\n" ID40 " /twice\n"
		"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb /twice\n" ID40 " /usr/lib/libc.so.6\n"
		"{\"path\":\"/only\",\"build_id\":\"" ID40
		"\",\"cookie\":null,\"tag\":null,\"kind\":\"build-id\",\"source\":\"header\","
		"\"reason\":null,"
		"\"contents\":0,\"content\":0,\"first_ns\":0,\"last_ns\":0,\"mappings\":0,"
		"\"processes\":0,\"containers\":[],"
		"\"samples\":0,\"alive\":false,\"kernel\":false,\"read_late\":true,\"dev_major\":0,"
		"\"dev_minor\":0,\"ino\":0,\"ino_generation\":0,\"file_size\":0,\"cgroups\":[],"
		"\"mount_namespaces\":[]}\n");
}

static void a_build_id_table_that_is_cut_is_refused(void **state)
{
	struct table_entry entry = table_entry(0xaa, "/a");
	struct header_ids ids = {0};

	(void)state;
	for (size_t size = 1; size < sizeof(entry); size++) {
		struct table_entry *copy = malloc(size); /* exactly, for ASan */

		memcpy(copy, &entry, size);
		assert_true(header_ids__add(&ids, copy, size, false) < 0);
		free(copy);
	}
	assert_int_equal(ids.n, 0);
	header_ids__free(&ids);
	finish();
}

static void json_texts_are_exact_valid_and_harmless(void **state)
{
	struct json_object *object = json_object_new_object();

	(void)state;
	json__add_text(object, "a", "\"\\\n/");
	json__add_text(object, "b", "\x1b\x7f\xc2\x9b\xe2\x80\xae\xc3\xa4");
	json__add_text(object, "c", "\\\xff");
	json__add_text(object, "d", "\xed\xa0\x80"); /* a surrogate is no UTF-8 */
	json__add_text(object, "e", NULL);
	json__write_line(object, out.file);
	assert_string_equal(finish(), "{\"a\":\"\\\"\\\\\\n/\","
				      "\"b\":\"\\u001b\\u007f\\u009b\\u202e\xc3\xa4\","
				      "\"c\":\"\\\\\\\\\\\\xff\",\"c_hex\":\"5cff\","
				      "\"d\":\"\\\\xed\\\\xa0\\\\x80\",\"d_hex\":\"eda080\","
				      "\"e\":null}\n");
}

/* Every byte but NUL and the slash, over and over: as hostile as a path can be. */
static void make_long_path(char path[4096])
{
	for (size_t i = 0; i < 4095; i++)
		path[i] = (char)(i % 255 + 1 == '/' ? 'a' : i % 255 + 1);
	path[0] = '/';
	path[4095] = '\0';
}

/* One line, of nothing that a terminal would act on. */
static void assert_harmless(const char *text, size_t lines)
{
	size_t newlines = 0;

	for (const uint8_t *at = (const uint8_t *)text; *at; at++) {
		newlines += *at == '\n';
		if (*at != '\n')
			assert_true(*at >= ' ' && *at < 0x7f);
	}
	assert_int_equal(newlines, lines);
}

static void a_path_of_all_bytes_is_harmless_everywhere(void **state)
{
	struct fields text = {.ops = &FIELDS_TEXT, .out = out.file};
	struct fields json = {.ops = &FIELDS_JSON, .out = out.file};
	struct check_facts facts = {.ledger = model__ledger(model)};
	char path[4096];
	struct event event = {.kind = EVENT_MAP,
		.type = PERF_RECORD_MMAP2,
		.cpu = UINT32_MAX,
		.map = {.path = path}};

	(void)state;
	make_long_path(path);
	facts.name = facts.damage = path;
	map(1, 1, 0x1000, path, build_id());
	list__write(out.file, model, NULL, &(struct list_options){0});
	list__write(out.file, model, NULL, &(struct list_options){.verbose = true});
	list__write(out.file, model, NULL, &(struct list_options){.json = true});
	dump__event(&text, &event, NULL, false);
	dump__event(&json, &event, NULL, false);
	event.kind = EVENT_COMM;
	event.comm.comm = path;
	dump__event(&text, &event, NULL, false);
	check__write(out.file, &facts, true);
	assert_harmless(finish(), 8);
}

static void a_path_of_all_bytes_comes_back_from_json(void **state)
{
	struct json_object *line, *path_hex;
	char path[4096];
	uint8_t bytes[4096];

	(void)state;
	make_long_path(path);
	map(1, 1, 0x1000, path, build_id());
	list__write(out.file, model, NULL, &(struct list_options){.json = true});
	line = json_tokener_parse(finish());
	assert_non_null(line);
	assert_true(json_object_object_get_ex(line, "path_hex", &path_hex));
	assert_int_equal(text__parse_hex(bytes, sizeof(bytes), json_object_get_string(path_hex)),
		strlen(path));
	assert_memory_equal(bytes, path, strlen(path));
	json_object_put(line);
}

static void dump_shows_a_record_in_both_forms(void **state)
{
	struct fields text = {.ops = &FIELDS_TEXT, .out = out.file};
	struct fields json = {.ops = &FIELDS_JSON, .out = out.file};
	struct event event = {.kind = EVENT_MAP,
		.type = PERF_RECORD_MMAP2,
		.misc = PERF_RECORD_MISC_USER,
		.time_ns = 1000000001,
		.pid = UINT32_MAX,
		.tid = 2,
		.cpu = UINT32_MAX,
		.offset = 0x68,
		.raw = "\x01\x02",
		.raw_size = 2,
		.map = {.addr = 0x1000,
			.len = 0x2000,
			.prot = 5,
			.executable = true,
			.stamped = true,
			.flags = PERFSTAMP_MAP_SNAPSHOT,
			.path = HOSTILE,
			.identity = build_id()}};

	(void)state;
	dump__event(&text, &event, NULL, false);
	dump__event(&json, &event, NULL, true);
	assert_string_equal(finish(),
		"MMAP2          offset=0x68 size=2 time=1.000000001 pid=-1 tid=2 mode=\"user\" "
		"addr=0x1000 len=0x2000 pgoff=0x0 prot=\"r-x\" build_id=" ID40
		" source=\"page-cache\" dev_major=8 dev_minor=1 ino=77 ino_generation=5 "
		"file_size=4096 cgroup_id=42 mnt_ns=0 stamped snapshot "
		"path=\"/tmp/\\x1b[2J\\n\\xff\\xe2\\x80\\xae\"\n"
		"{\"type\":\"MMAP2\",\"offset\":104,\"size\":2,\"time_ns\":1000000001,\"pid\":-1,"
		"\"tid\":2,\"mode\":\"user\",\"addr\":4096,\"len\":8192,\"pgoff\":0,"
		"\"prot\":\"r-x\",\"build_id\":\"" ID40
		"\",\"source\":\"page-cache\",\"dev_major\":8,\"dev_minor\":1,\"ino\":77,"
		"\"ino_generation\":5,\"file_size\":4096,\"cgroup_id\":42,\"mnt_ns\":0,"
		"\"stamped\":true,\"snapshot\":true,"
		"\"path\":\"/tmp/\\\\x1b[2J\\\\n\\\\xff\\\\xe2\\\\x80\\\\xae\","
		"\"path_hex\":\"2f746d702f1b5b324a0affe280ae\",\"raw\":\"0102\"}\n");
}

static void dump_shows_a_record_that_it_does_not_know(void **state)
{
	struct fields text = {.ops = &FIELDS_TEXT, .out = out.file};

	(void)state;
	dump__event(
		&text, &(struct event){.type = 99, .raw_size = 16, .cpu = UINT32_MAX}, NULL, false);
	assert_string_equal(finish(), "RECORD_99      offset=0x0 size=16\n");
}

static void check_tells_the_ledger_and_what_is_wrong(void **state)
{
	struct check_facts facts = {.name = "perf.data",
		.unfinished = true,
		.damage = "ends inside a record",
		.records = 3,
		.ledger = model__ledger(model)};

	(void)state;
	map_one_of_each();
	map(5, 2, 0x1000, "/script",
		(struct perfstamp_identity){.reason = PERFSTAMP_REASON_NOT_ELF});
	assert_int_equal(check__write(out.file, &facts, false), 3);
	assert_string_equal(finish(),
		"perf.data: file, 3 records, 2 processes\n"
		"executable mappings                   4\n"
		"  with a build-id                     1 (25.0 %)\n"
		"    page-cache                        1 (25.0 %)\n"
		"  with a cookie                       1 (25.0 %)\n"
		"  with neither                        2 (50.0 %)\n"
		"    not-elf                           1 (25.0 %)\n"
		"    lookup-failed                     1 (25.0 %)\n"
		"samples                               0\n"
		"wrong: damage: ends inside a record\n"
		"wrong: unfinished: the recording was not closed properly\n"
		"wrong: missed-identities: executable mappings that could not be "
		"identified in time: 1\n");
}

static void check_finds_nothing_wrong_with_content_that_has_no_id(void **state)
{
	struct check_facts facts = {.name = "perf.data", .ledger = model__ledger(model)};

	(void)state;
	map(5, 2, 0x1000, "/script",
		(struct perfstamp_identity){.reason = PERFSTAMP_REASON_NOT_ELF});
	map(5, 2, 0x3000, "//anon",
		(struct perfstamp_identity){.reason = PERFSTAMP_REASON_UNKNOWN});
	assert_int_equal(check__write(out.file, &facts, false), 0);
	assert_non_null(strstr(finish(), "\nno problems found\n"));
}

static void doctor_ends_with_what_would_help_most(void **state)
{
	struct finding findings[] = {
		{"cycles", FINDING_LESS, "none", "use another machine"},
		{"kernel", FINDING_FACT, "6.1", ""},
		{"map_files", FINDING_LESS, "refused", "run as root"},
		{"BTF", FINDING_MISSING, "none", "use another kernel"},
		{"cgroup2", FINDING_LESS, "not mounted", "mount it"},
		{"kptr_restrict", FINDING_LESS, "2", "set it to 1"},
	};
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	(void)state;
	assert_int_equal(findings__write(to, findings, 6, false), 0);
	assert_int_equal(findings__write(to, findings, 2, false), 0);
	assert_int_equal(findings__write(to, findings + 1, 1, false), 0);
	assert_int_equal(fclose(to), 0);
	assert_non_null(strstr(text, "\n\nWhat would help most on this machine:\n"
				     "1. BTF: use another kernel\n"
				     "2. map_files: run as root\n"
				     "3. cgroup2: mount it\n- cycles "));
	assert_non_null(strstr(text, "machine:\n1. cycles: use another machine\n"));
	assert_non_null(strstr(text, "\n\nThis machine has everything that recording uses.\n"));
	free(text);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(list_begins_with_the_columns_of_buildid_list),
		TEST(list_verbose_has_a_heading_and_all_columns),
		TEST(list_json_has_the_documented_keys_in_order),
		TEST(list_names_containers_each_once),
		TEST(list_json_has_containers_with_names),
		TEST(list_filters_by_container),
		TEST(list_escapes_hostile_paths),
		TEST(list_and_check_mark_a_build_id_of_several_contents),
		TEST(list_filters_by_path_id_and_space),
		TEST(list_marks_what_perf_read_late),
		TEST(a_build_id_table_that_is_cut_is_refused),
		TEST(json_texts_are_exact_valid_and_harmless),
		TEST(a_path_of_all_bytes_is_harmless_everywhere),
		TEST(a_path_of_all_bytes_comes_back_from_json),
		TEST(dump_shows_a_record_in_both_forms),
		TEST(dump_shows_a_record_that_it_does_not_know),
		TEST(check_tells_the_ledger_and_what_is_wrong),
		TEST(check_finds_nothing_wrong_with_content_that_has_no_id),
		cmocka_unit_test(doctor_ends_with_what_would_help_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
