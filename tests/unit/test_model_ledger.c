// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ledger's sums, kernel text, cgroups, the mappings that are alive, and the
 * sets behind the counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "user/model/model.h"
#include "user/model/tables/pidset.h"

static struct model *model;

static int set_up(void **state)
{
	(void)state;
	return model__new(&model);
}

static int tear_down(void **state)
{
	(void)state;
	model__free(model);
	return 0;
}

static void apply(const struct event *event)
{
	assert_int_equal(model__apply(model, event), 0);
}

static void map(uint32_t pid, uint64_t addr, const char *path, struct perfstamp_identity identity)
{
	apply(&(struct event){.kind = EVENT_MAP,
		.time_ns = 1,
		.pid = pid,
		.tid = pid,
		.map = {.addr = addr,
			.len = 0x1000,
			.executable = true,
			.path = path,
			.identity = identity}});
}

static void kernel_map(uint64_t addr, uint64_t len, const char *path, uint8_t id)
{
	apply(&(struct event){.kind = EVENT_MAP,
		.time_ns = 1,
		.pid = UINT32_MAX,
		.map = {.addr = addr,
			.len = len,
			.executable = true,
			.kernel = true,
			.path = path,
			.identity = {.build_id_size = 1, .build_id = {id}}}});
}

static void ksymbol(uint64_t time_ns, uint64_t addr, uint32_t len, uint16_t flags)
{
	apply(&(struct event){.kind = EVENT_KSYMBOL,
		.time_ns = time_ns,
		.ksymbol = {.addr = addr, .len = len, .flags = flags, .name = "s"}});
}

static void sample(uint16_t misc, uint32_t pid, uint64_t ip)
{
	apply(&(struct event){
		.kind = EVENT_SAMPLE, .misc = misc, .pid = pid, .tid = pid, .sample = {.ip = ip}});
}

static void every_mapping_is_in_one_column(void **state)
{
	const struct model_ledger *ledger = model__ledger(model);
	uint64_t sum = 0;

	(void)state;
	map(1, 0x1000, "/a",
		(struct perfstamp_identity){
			.build_id_size = 20, .source = PERFSTAMP_SOURCE_PAGE_CACHE});
	map(1, 0x2000, "/b",
		(struct perfstamp_identity){
			.build_id_size = 20, .source = PERFSTAMP_SOURCE_NATIVE});
	map(1, 0x3000, "/c",
		(struct perfstamp_identity){.cookie_size = 17, .reason = PERFSTAMP_REASON_NO_NOTE});
	map(1, 0x4000, "/d", (struct perfstamp_identity){.reason = PERFSTAMP_REASON_LOOKUP_FAILED});
	map(1, 0x5000, "/e", (struct perfstamp_identity){0});
	map(1, 0x6000, "//anon", (struct perfstamp_identity){.reason = PERFSTAMP_REASON_UNKNOWN});
	map(1, 0x7000, "/f", (struct perfstamp_identity){.reason = 200});
	map(1, 0x8000, "/g", (struct perfstamp_identity){.build_id_size = 20, .source = 200});
	assert_int_equal(ledger->maps, 8);
	assert_int_equal(ledger->by_source[PERFSTAMP_SOURCE_PAGE_CACHE], 1);
	assert_int_equal(ledger->by_source[PERFSTAMP_SOURCE_NATIVE], 1);
	assert_int_equal(ledger->by_source[0], 1);
	assert_int_equal(ledger->by_reason[PERFSTAMP_REASON_NO_NOTE], 1);
	assert_int_equal(ledger->by_reason[PERFSTAMP_REASON_LOOKUP_FAILED], 1);
	assert_int_equal(ledger->by_reason[PERFSTAMP_REASON_ANONYMOUS], 1);
	assert_int_equal(ledger->by_reason[PERFSTAMP_REASON_UNKNOWN], 2);
	assert_int_equal(ledger->cookies, 1);
	assert_int_equal(ledger->unidentified[PERFSTAMP_REASON_NO_NOTE], 0);
	assert_int_equal(ledger->unidentified[PERFSTAMP_REASON_LOOKUP_FAILED], 1);
	for (size_t i = 0; i < PERFSTAMP_SOURCE_COUNT; i++)
		sum += ledger->by_source[i];
	for (size_t i = 0; i <= PERFSTAMP_REASON_UNKNOWN; i++)
		sum += ledger->by_reason[i];
	assert_int_equal(sum, ledger->maps);
}

static struct perfstamp_identity content(uint8_t build_id, uint8_t cookie)
{
	return (struct perfstamp_identity){.build_id_size = 20,
		.build_id = {build_id},
		.cookie_size = cookie ? 17 : 0,
		.cookie = {1, cookie}};
}

static void contents_of_one_build_id_are_told_apart_in_any_order(void **state)
{
	/* Each row maps the same four things; 0 has no cookie and may be any. */
	static const uint8_t orders[][4] = {{0, 1, 2, 1}, {1, 0, 2, 1}, {1, 2, 1, 0}, {1, 1, 0, 2}};
	static const char *const paths[] = {NULL, "/one", "/two"};

	(void)state;
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		model__free(model);
		assert_int_equal(model__new(&model), 0);
		for (size_t j = 0; j < 4; j++)
			map(1, 0x1000 * (j + 1), orders[i][j] ? paths[orders[i][j]] : "/some",
				content(0xaa, orders[i][j]));
		map(1, 0x8000, "/other", content(0xbb, 9));
		map(1, 0x9000, "/other", content(0xbb, 0));
		assert_int_equal(model__ledger(model)->shared_build_ids, 1);
		assert_int_equal(model__n_sightings(model), 5);
		for (size_t j = 0; j < 5; j++) {
			const struct sighting *sighting = model__sighting(model, j);
			bool shared = sighting->identity.build_id[0] == 0xaa;

			assert_int_equal(sighting->n_contents, shared ? 2 : 1);
			assert_int_equal(
				sighting->content, shared ? sighting->identity.cookie[1]
							  : sighting->identity.cookie_size != 0);
		}
	}
}

static void cookies_alone_and_build_ids_alone_are_not_shared(void **state)
{
	struct perfstamp_identity no_id = content(0, 5), other = content(0, 6);

	(void)state;
	no_id.build_id_size = other.build_id_size = 0;
	map(1, 0x1000, "/a", no_id);
	map(1, 0x2000, "/a", other);
	map(1, 0x3000, "/b", content(0xaa, 0));
	map(1, 0x4000, "/c", content(0xaa, 0));
	assert_int_equal(model__ledger(model)->shared_build_ids, 0);
	assert_int_equal(model__sighting(model, 0)->n_contents, 0);
	assert_int_equal(model__sighting(model, 2)->n_contents, 0);
}

/* Of the two contents at each path only those of one place, without a build-id, are unsure. */
static void files_with_one_cookie_at_one_path_are_noted(void **state)
{
	struct perfstamp_identity here = content(0, 5), there, with_id = content(0xaa, 6);

	(void)state;
	here.build_id_size = 0;
	here.ino = with_id.ino = 7;
	here.mnt_ns = 100;
	there = here;
	there.mnt_ns = 200;
	there.ino = 8;
	map(1, 0x1000, "/a", here);
	map(2, 0x1000, "/a", here);
	map(3, 0x1000, "/a", there);
	map(1, 0x2000, "/b", with_id);
	with_id.ino = 8;
	map(2, 0x2000, "/b", with_id);
	assert_int_equal(model__n_sightings(model), 2);
	assert_false(model__sighting(model, 0)->several_files);
	assert_false(model__sighting(model, 1)->several_files);
	here.ino = 9;
	map(4, 0x1000, "/a", here);
	assert_int_equal(model__n_sightings(model), 2);
	assert_true(model__sighting(model, 0)->several_files);
}

static void samples_are_counted_by_what_they_hit(void **state)
{
	const struct model_ledger *ledger = model__ledger(model);

	(void)state;
	map(1, 0x1000, "/a", (struct perfstamp_identity){.build_id_size = 20});
	map(1, 0x2000, "/b", (struct perfstamp_identity){.cookie_size = 17});
	map(1, 0x3000, "/c", (struct perfstamp_identity){.reason = PERFSTAMP_REASON_IO_ERROR});
	sample(PERF_RECORD_MISC_USER, 1, 0x1000);
	sample(PERF_RECORD_MISC_USER, 1, 0x2000);
	sample(PERF_RECORD_MISC_USER, 1, 0x3000);
	sample(PERF_RECORD_MISC_USER, 1, 0x4000);
	sample(PERF_RECORD_MISC_USER, 2, 0x1000);
	sample(PERF_RECORD_MISC_HYPERVISOR, 1, 0x1000);
	assert_int_equal(ledger->samples, 6);
	assert_int_equal(ledger->samples_user_identified, 2);
	assert_int_equal(ledger->samples_user_unidentified, 1);
	assert_int_equal(ledger->samples_user_unmapped, 2);
	assert_int_equal(ledger->samples_other, 1);
	assert_int_equal(ledger->n_processes, 2);
}

static void kernel_text_is_image_modules_and_symbols(void **state)
{
	const struct model_ledger *ledger = model__ledger(model);

	(void)state;
	kernel_map(0x10000, 0x8000, "[foo]", 2);
	kernel_map(0x1000, 0xfffff000, "[kernel.kallsyms]_text", 1); /* runs over the module */
	ksymbol(2, 0x400000000, 0x100, 0);
	sample(PERF_RECORD_MISC_KERNEL, 0, 0x2000);
	sample(PERF_RECORD_MISC_KERNEL, 0, 0x10000);
	sample(PERF_RECORD_MISC_KERNEL, 0, 0x400000000);
	sample(PERF_RECORD_MISC_KERNEL, 0, 0x400000100);
	assert_int_equal(ledger->samples_kernel, 3);
	assert_int_equal(ledger->samples_kernel_unmapped, 1);
	assert_int_equal(model__sighting(model, 0)->samples, 1);
	assert_int_equal(model__sighting(model, 1)->samples, 1);
	assert_int_equal(ledger->maps, 0);
	assert_int_equal(ledger->n_processes, 0);

	ksymbol(9, 0x10000, 0x8000, PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER);
	assert_false(model__sighting(model, 0)->alive);
	assert_int_equal(model__sighting(model, 0)->last_ns, 9);
	kernel_map(0x10000, 0x8000, "[foo]", 3);
	assert_int_equal(model__n_sightings(model), 4);
	assert_true(model__sighting(model, 3)->alive);
}

static void symbol_named(uint64_t time_ns, uint64_t addr, uint16_t flags, const char *name)
{
	apply(&(struct event){.kind = EVENT_KSYMBOL,
		.time_ns = time_ns,
		.ksymbol = {.addr = addr, .len = 0x100, .flags = flags, .name = name}});
}

static void a_symbol_is_a_sighting_from_its_coming_to_its_going(void **state)
{
	const struct sighting *sighting;

	(void)state;
	symbol_named(0, 0x1000, 0, "bpf_prog_6deef7357e7b4530_main");
	symbol_named(0, 0x1000, 0, "bpf_prog_6deef7357e7b4530_main"); /* told again */
	symbol_named(5, 0x2000, 0, "bpf_trampoline_1");
	symbol_named(6, 0x3000, 0, "[foo].init.text");
	sample(PERF_RECORD_MISC_KERNEL, 0, 0x1010);
	sample(PERF_RECORD_MISC_KERNEL, 0, 0x3010);
	symbol_named(
		9, 0x1000, PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER, "bpf_prog_6deef7357e7b4530_main");
	assert_int_equal(model__n_sightings(model), 3);
	sighting = model__sighting(model, 0);
	assert_true(sighting->symbol && sighting->kernel && !sighting->alive);
	assert_int_equal(sighting->first_ns, 0);
	assert_int_equal(sighting->last_ns, 9);
	assert_int_equal(sighting->mappings, 1);
	assert_int_equal(sighting->samples, 1);
	sighting = model__sighting(model, 1);
	assert_true(sighting->alive && !sighting->init_text);
	assert_int_equal(sighting->first_ns, 5);
	/* Reports name its samples as perf does; a line of its own it has not. */
	sighting = model__sighting(model, 2);
	assert_true(sighting->symbol && sighting->init_text);
	assert_int_equal(sighting->samples, 1);
}

static void losses_are_summed_by_kind(void **state)
{
	(void)state;
	apply(&(struct event){.kind = EVENT_LOST, .type = PERF_RECORD_LOST, .lost = {.lost = 3}});
	apply(&(struct event){.kind = EVENT_LOST, .type = PERF_RECORD_LOST, .lost = {.lost = 4}});
	apply(&(struct event){
		.kind = EVENT_LOST, .type = PERF_RECORD_LOST_SAMPLES, .lost = {.lost = 5}});
	assert_int_equal(model__ledger(model)->lost_records, 7);
	assert_int_equal(model__ledger(model)->lost_samples, 5);
}

static void cgroups_are_distinct_and_have_the_newest_path(void **state)
{
	const struct sighting *sighting;

	(void)state;
	apply(&(struct event){.kind = EVENT_CGROUP, .cgroup = {.id = 70, .path = "/old"}});
	apply(&(struct event){.kind = EVENT_CGROUP, .cgroup = {.id = 70, .path = "/new"}});
	for (uint32_t pid = 1; pid < 100; pid++)
		map(pid, 0x1000, "/a",
			(struct perfstamp_identity){.build_id_size = 20,
				.cgroup_id = 70 + pid % 33,
				.mnt_ns = pid % 5});
	sighting = model__sighting(model, 0);
	assert_int_equal(sighting->n_cgroups, 33);
	assert_int_equal(sighting->cgroup_ids[0], 71);
	assert_int_equal(sighting->cgroup_ids[32], 70);
	assert_int_equal(sighting->n_mnt_ns, 4);
	assert_int_equal(sighting->mnt_ns[3], 4);
	assert_string_equal(model__cgroup_path(model, 70), "/new");
	assert_null(model__cgroup_path(model, 71));
	assert_null(model__cgroup_path(model, 7));
}

static void a_cgroup_keeps_what_was_told_of_its_container(void **state)
{
	struct event told = {.kind = EVENT_CGROUP,
		.cgroup = {.id = 70, .path = "/a", .about = "name=web\n", .about_size = 9}};
	size_t size;

	(void)state;
	assert_null(model__cgroup_about(model, 70, &size));
	apply(&told);
	/* The kernel's own record, which tells nothing. */
	apply(&(struct event){.kind = EVENT_CGROUP, .cgroup = {.id = 70, .path = "/a"}});
	assert_memory_equal(model__cgroup_about(model, 70, &size), "name=web\n", 9);
	assert_int_equal(size, 9);
}

static void a_record_of_namespaces_tells_where_a_process_is(void **state)
{
	static const struct perf_ns_link_info LINKS[7] = {[MNT_NS_INDEX] = {4, 4711}};
	const struct sighting *sighting;

	(void)state;
	apply(&(struct event){.kind = EVENT_NAMESPACES,
		.pid = 7,
		.tid = 7,
		.namespaces = {.n = 7, .links = LINKS}});
	map(7, 0x1000, "/a", (struct perfstamp_identity){.build_id_size = 20});
	sighting = model__sighting(model, 0);
	assert_int_equal(sighting->n_mnt_ns, 1);
	assert_int_equal(sighting->mnt_ns[0], 4711);
}

static int count_mapping(const struct model_mapping *mapping, void *ctx)
{
	size_t *n = ctx;

	++*n;
	assert_int_equal(mapping->pid, *n);
	assert_int_equal(mapping->len, 0x1000);
	assert_int_equal(mapping->sighting, 0);
	return *n == 2 ? 42 : 0;
}

static void live_mappings_can_be_walked_until_enough(void **state)
{
	size_t n = 0;

	(void)state;
	map(1, 0x1000, "/a", (struct perfstamp_identity){.build_id_size = 20});
	map(2, 0x1000, "/a", (struct perfstamp_identity){.build_id_size = 20});
	map(3, 0x1000, "/a", (struct perfstamp_identity){.build_id_size = 20});
	assert_int_equal(model__for_each_mapping(model, count_mapping, &n), 42);
}

static void a_pid_set_counts_exactly_at_every_size(void **state)
{
	struct pidset set = {0};

	(void)state;
	for (int again = 0; again < 2; again++)
		for (uint32_t i = 0; i < 200000; i++)
			assert_int_equal(pidset__add(&set, 1 + i * 7 % 200000), 0);
	assert_int_equal(set.n, 200000);
	assert_int_equal(pidset__n_listed(&set), PIDSET_LISTED);
	assert_int_equal(set.list[1], 8);
	assert_int_equal(pidset__add(&set, 0), 0);
	assert_int_equal(pidset__add(&set, PIDSET_PID_LIMIT), 0);
	assert_int_equal(set.n, 200000);
	pidset__free(&set);
}

static void late_map(uint64_t addr, uint64_t len, const char *path)
{
	apply(&(struct event){.kind = EVENT_MAP,
		.time_ns = 5,
		.pid = 1,
		.tid = 1,
		.map = {.addr = addr,
			.len = len,
			.flags = PERFSTAMP_MAP_SNAPSHOT | PERFSTAMP_MAP_LATE,
			.executable = true,
			.stamped = true,
			.path = path,
			.identity = {.build_id_size = 20, .source = PERFSTAMP_SOURCE_USER}}});
}

static void a_late_record_completes_the_mapping_that_it_tells_of(void **state)
{
	const struct perfstamp_identity none = {.reason = PERFSTAMP_REASON_NOT_RESIDENT, .ino = 7};
	const struct model_ledger *ledger = model__ledger(model);

	(void)state;
	map(1, 0x1000, "/a", none);
	map(1, 0x3000, "/b", none);
	late_map(0x1000, 0x1000, "/a");
	assert_int_equal(ledger->maps, 2);
	assert_int_equal(ledger->by_source[PERFSTAMP_SOURCE_USER], 1);
	assert_int_equal(ledger->unidentified[PERFSTAMP_REASON_NOT_RESIDENT], 1);
	assert_int_equal(model__sighting(model, 0)->mappings, 0);
	assert_int_equal(model__sighting(model, 2)->mappings, 1);
	assert_int_equal(model__sighting(model, 2)->first_ns, 1);
	/* Not of another one, of which nothing is taken back. */
	late_map(0x3000, 0x1000, "/c");
	late_map(0x3000, 0x800, "/b");
	assert_int_equal(ledger->maps, 4);
	assert_int_equal(ledger->unidentified[PERFSTAMP_REASON_NOT_RESIDENT], 1);
	/* Twice is once. */
	late_map(0x1000, 0x1000, "/a");
	assert_int_equal(model__sighting(model, 2)->mappings, 1);
}

static void exit_of(uint32_t pid)
{
	apply(&(struct event){.kind = EVENT_EXIT, .time_ns = 6, .pid = pid, .tid = pid});
}

/* The mapping existed when its identity was read; then its process ended. */
static void a_late_record_brings_back_no_process(void **state)
{
	const struct perfstamp_identity none = {.reason = PERFSTAMP_REASON_NOT_RESIDENT, .ino = 7};

	(void)state;
	map(1, 0x1000, "/a", none);
	exit_of(1);
	late_map(0x1000, 0x1000, "/a");
	assert_int_equal(model__n_sightings(model), 2);
	assert_false(model__sighting(model, 1)->alive);
	assert_int_equal(model__sighting(model, 1)->mappings, 1);
	assert_int_equal(model__sighting(model, 1)->n_processes, 1);
	sample(PERF_RECORD_MISC_USER, 1, 0x1010);
	assert_int_equal(model__ledger(model)->samples_user_unmapped, 1);
}

static void each_record_has_its_own_reason(void **state)
{
	const struct perfstamp_identity gone = {.reason = PERFSTAMP_REASON_LOOKUP_FAILED, .ino = 7};
	const struct perfstamp_identity none = {.reason = PERFSTAMP_REASON_NOT_RESIDENT, .ino = 7};
	const struct model_ledger *ledger = model__ledger(model);

	(void)state;
	/* The same file, so one sighting. */
	map(1, 0x1000, "/a", gone);
	map(1, 0x3000, "/a", none);
	late_map(0x3000, 0x1000, "/a");
	assert_int_equal(ledger->maps, 2);
	assert_int_equal(ledger->by_reason[PERFSTAMP_REASON_LOOKUP_FAILED], 1);
	assert_int_equal(ledger->by_reason[PERFSTAMP_REASON_NOT_RESIDENT], 0);
}

static void a_late_build_id_takes_the_place_of_a_cookie(void **state)
{
	const struct perfstamp_identity cookie = {
		.reason = PERFSTAMP_REASON_LIMIT, .cookie_size = 17, .ino = 7};
	const struct model_ledger *ledger = model__ledger(model);

	(void)state;
	map(1, 0x1000, "/a", cookie);
	assert_int_equal(ledger->cookies, 1);
	late_map(0x1000, 0x1000, "/a");
	assert_int_equal(ledger->maps, 1);
	assert_int_equal(ledger->cookies, 0);
	assert_int_equal(ledger->by_reason[PERFSTAMP_REASON_LIMIT], 0);
	assert_int_equal(ledger->by_source[PERFSTAMP_SOURCE_USER], 1);
	assert_int_equal(model__sighting(model, 0)->mappings, 0);
}

static void told(uint16_t flags, struct perfstamp_identity identity)
{
	apply(&(struct event){.kind = EVENT_MAP,
		.time_ns = 5,
		.pid = 1,
		.tid = 1,
		.map = {.addr = 0x1000,
			.len = 0x1000,
			.flags = flags,
			.executable = true,
			.stamped = true,
			.path = "/a",
			.identity = identity}});
}

/* After a loss a snapshot tells of it once more, and what it lacks comes late once more. */
static void a_late_record_completes_one_other(void **state)
{
	const struct perfstamp_identity none = {.reason = PERFSTAMP_REASON_NOT_RESIDENT, .ino = 7};
	const struct perfstamp_identity again = {.reason = PERFSTAMP_REASON_LIMIT, .ino = 7};
	const struct perfstamp_identity cookie = {
		.reason = PERFSTAMP_REASON_NO_NOTE, .cookie_size = 17, .ino = 7};
	const uint16_t late = PERFSTAMP_MAP_SNAPSHOT | PERFSTAMP_MAP_LATE;
	const struct model_ledger *ledger = model__ledger(model);

	(void)state;
	told(0, none);
	told(PERFSTAMP_MAP_SNAPSHOT, again);
	assert_int_equal(ledger->maps, 2);
	told(late, cookie);
	/* The newer one is complete. */
	assert_int_equal(ledger->by_reason[PERFSTAMP_REASON_NOT_RESIDENT], 1);
	assert_int_equal(ledger->by_reason[PERFSTAMP_REASON_LIMIT], 0);
	told(late, cookie);
	assert_int_equal(ledger->maps, 3);
	assert_int_equal(ledger->cookies, 2);
	/* A snapshot that has the cookie, too, is one more that can be completed. */
	told(PERFSTAMP_MAP_SNAPSHOT, cookie);
	assert_int_equal(ledger->maps, 4);
	told(late, cookie);
	assert_int_equal(ledger->maps, 4);
	assert_int_equal(ledger->cookies, 3);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_mapping_is_in_one_column),
		TEST(a_late_record_completes_the_mapping_that_it_tells_of),
		TEST(a_late_record_completes_one_other),
		TEST(a_late_record_brings_back_no_process),
		TEST(each_record_has_its_own_reason),
		TEST(a_late_build_id_takes_the_place_of_a_cookie),
		TEST(contents_of_one_build_id_are_told_apart_in_any_order),
		TEST(cookies_alone_and_build_ids_alone_are_not_shared),
		TEST(files_with_one_cookie_at_one_path_are_noted),
		TEST(samples_are_counted_by_what_they_hit),
		TEST(kernel_text_is_image_modules_and_symbols),
		TEST(a_symbol_is_a_sighting_from_its_coming_to_its_going),
		TEST(losses_are_summed_by_kind),
		TEST(cgroups_are_distinct_and_have_the_newest_path),
		TEST(a_cgroup_keeps_what_was_told_of_its_container),
		TEST(a_record_of_namespaces_tells_where_a_process_is),
		TEST(live_mappings_can_be_walked_until_enough),
		TEST(a_pid_set_counts_exactly_at_every_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
