// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel modules: their records through a file's bytes and back, and the lives that
 * the model makes of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "user/event/decode.h"
#include "user/event/module.h"
#include "user/model/model.h"
#include "user/model/modules.h"
#include "notes_fixture.h"

#define ADDR 0xffffffffc0400000
#define SIZE 0x2000

static struct event module_event(uint64_t time_ns, enum perfstamp_module_event what,
	const char *name, uint64_t addr, uint8_t id, const char *path)
{
	struct event event = {
		.kind = EVENT_MODULE,
		.type = path ? PERF_RECORD_MMAP2 : PERF_RECORD_KSYMBOL,
		.misc = PERF_RECORD_MISC_KERNEL,
		.time_ns = time_ns,
		.pid = UINT32_MAX,
		.cpu = UINT32_MAX,
		.module = {.path = path,
			.state = {.text_addr = addr,
				.text_size = SIZE,
				.event = what,
				.source = PERFSTAMP_SOURCE_KERNEL,
				.build_id_size = 20,
				.build_id = {id}}},
	};

	snprintf(event.module.state.name, sizeof(event.module.state.name), "%s", name);
	return event;
}

/* ---- Bytes ---- */

static struct perf_event_attr attr = {
	.type = PERF_TYPE_SOFTWARE,
	.size = sizeof(attr),
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER,
	.sample_id_all = 1,
};

struct bytes {
	struct buffer buffer;
	struct event_decoder *decoder;
};

static int begin_bytes(void **state)
{
	static struct bytes bytes;
	const uint64_t id = 1;

	buffer__init(&bytes.buffer, 0);
	*state = &bytes;
	return event_decoder__new(&bytes.decoder, false) ||
	       event_decoder__add_attr(bytes.decoder, &attr, &id, 1);
}

static int end_bytes(void **state)
{
	struct bytes *bytes = *state;

	event_decoder__free(bytes->decoder);
	buffer__free(&bytes->buffer);
	return 0;
}

static struct event there_and_back(struct bytes *bytes, const struct event *event)
{
	const struct encode_trailer trailer = {.sample_type = attr.sample_type, .id = 1};
	struct event ret;

	buffer__reset(&bytes->buffer);
	assert_int_equal(notes__encode(&bytes->buffer, event, &trailer), 0);
	assert_int_equal(notes__decode(bytes->decoder, &bytes->buffer, &ret), 0);
	return ret;
}

static void a_load_comes_back_from_a_mmap2(void **state)
{
	struct event event = module_event(
		7, PERFSTAMP_MODULE_LOAD, "foo_bar", ADDR, 0xaa, "/lib/modules/1/foo-bar.ko.xz");
	struct event back;

	event.module.flags = PERFSTAMP_MODULE_INFERRED;
	event.module.state.init_addr = ADDR + SIZE;
	event.module.state.init_size = 0x1000;
	back = there_and_back(*state, &event);
	assert_int_equal(back.kind, EVENT_MODULE);
	assert_int_equal(back.type, PERF_RECORD_MMAP2);
	assert_int_equal(back.time_ns, 7);
	assert_int_equal(back.misc, PERF_RECORD_MISC_KERNEL | PERF_RECORD_MISC_MMAP_BUILD_ID);
	assert_int_equal(back.module.flags, PERFSTAMP_MODULE_INFERRED);
	assert_memory_equal(&back.module.state, &event.module.state, sizeof(back.module.state));
	assert_string_equal(back.module.path, "/lib/modules/1/foo-bar.ko.xz");
}

static void an_unload_comes_back_from_a_note(void **state)
{
	struct event event = module_event(9, PERFSTAMP_MODULE_UNLOAD, "foo", ADDR, 0xaa, NULL);
	struct event back = there_and_back(*state, &event);

	assert_int_equal(back.kind, EVENT_MODULE);
	assert_int_equal(back.time_ns, 9);
	assert_string_equal(back.module.path, "foo");
	assert_memory_equal(&back.module.state, &event.module.state, sizeof(back.module.state));
}

static void what_a_later_version_tells_is_a_plain_record(void **state)
{
	struct event event = module_event(9, PERFSTAMP_MODULE_EVENT_COUNT, "foo", ADDR, 1, NULL);

	assert_int_equal(there_and_back(*state, &event).kind, EVENT_OTHER);
	event.type = PERF_RECORD_MMAP2;
	event.module.path = "/foo.ko";
	assert_int_equal(there_and_back(*state, &event).kind, EVENT_MAP);
}

/* Each byte of the extension, changed, is a record or -EBADMSG, and no more is read. */
static void a_changed_extension_is_no_harm(void **state)
{
	const struct encode_trailer trailer = {.sample_type = attr.sample_type, .id = 1};
	struct event event = module_event(9, PERFSTAMP_MODULE_UNLOAD, "foo", ADDR, 1, NULL);
	struct bytes *bytes = *state;
	struct event back;
	struct error err;

	buffer__reset(&bytes->buffer);
	assert_int_equal(notes__encode(&bytes->buffer, &event, &trailer), 0);
	for (size_t i = 16; i < bytes->buffer.size; i++) {
		uint8_t *byte = (uint8_t *)bytes->buffer.data + i, was = *byte;

		/* Most of these are digits of base64 again. */
		*byte ^= 1;
		if (!event_decoder__decode(
			    bytes->decoder, bytes->buffer.data, bytes->buffer.size, &back, &err) &&
			back.kind == EVENT_MODULE) {
			assert_non_null(
				memchr(back.module.state.name, 0, sizeof(back.module.state.name)));
			assert_true(back.module.state.build_id_size <= PERFSTAMP_BUILD_ID_MAX);
		}
		*byte = was;
	}
}

/* ---- Paths ---- */

static void the_true_path_is_found(void **state)
{
	static const struct {
		const char *told;
		uint32_t ordinal;
		const char *path;
	} ROWS[] = {
		{"/lib/foo.ko", 0, "/lib/foo.ko"},
		{"/lib/foo_r2.ko.xz", 2, "/lib/foo.ko.xz"},
		{"/lib/foo_r2_r12.ko", 12, "/lib/foo_r2.ko"},
		{"/a_r2.ko/foo_r2.ko", 2, "/a_r2.ko/foo.ko"},
		{"/lib/foo_r2.ko", 3, "/lib/foo_r2.ko"},
		{"/proc/modules/foo_r2.ko", 2, "[foo]"},
		{"/proc/modules/foo.ko", 0, "[foo]"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ROWS) / sizeof(*ROWS); i++) {
		struct event event = module_event(
			1, PERFSTAMP_MODULE_LOAD, "foo", ADDR, 1, ROWS[i].told);
		char path[64];

		event.module.state.ordinal = ROWS[i].ordinal;
		module_lives__path(&event.module, path, sizeof(path));
		assert_string_equal(path, ROWS[i].path);
	}
}

/* ---- Lives ---- */

static int begin_model(void **state)
{
	return model__new((struct model **)state);
}

static int end_model(void **state)
{
	model__free(*state);
	return 0;
}

static void apply(struct model *model, struct event event)
{
	assert_int_equal(model__apply(model, &event), 0);
}

static void sample(struct model *model, uint64_t time_ns, uint64_t ip)
{
	apply(model, (struct event){.kind = EVENT_SAMPLE,
			     .type = PERF_RECORD_SAMPLE,
			     .misc = PERF_RECORD_MISC_KERNEL,
			     .time_ns = time_ns,
			     .sample.ip = ip});
}

static void expect(struct model *model, size_t i, const char *name, uint8_t id, uint64_t loaded_ns,
	uint64_t unloaded_ns, uint64_t samples)
{
	const struct module_life *life = model__module(model, i);

	assert_string_equal(life->name, name);
	assert_int_equal(life->build_id[0], id);
	assert_int_equal(life->loaded_ns, loaded_ns);
	assert_int_equal(life->unloaded, unloaded_ns != 0);
	assert_int_equal(life->unloaded_ns, unloaded_ns);
	assert_int_equal(life->samples, samples);
}

static void each_load_is_a_life(void **state)
{
	struct model *model = *state;

	apply(model, module_event(10, PERFSTAMP_MODULE_LOAD, "foo", ADDR, 1, "/lib/foo.ko"));
	sample(model, 11, ADDR);
	apply(model, module_event(12, PERFSTAMP_MODULE_UNLOAD, "foo", ADDR, 1, NULL));
	sample(model, 13, ADDR);
	/* The same build at the same place, of which perf is not told. */
	apply(model, module_event(14, PERFSTAMP_MODULE_LOAD, "foo", ADDR, 1, NULL));
	sample(model, 15, ADDR + SIZE - 1);
	sample(model, 15, ADDR + SIZE);
	apply(model, module_event(16, PERFSTAMP_MODULE_UNLOAD, "foo", ADDR, 1, NULL));
	/* Another one at its place. */
	apply(model, module_event(18, PERFSTAMP_MODULE_LOAD, "bar", ADDR, 2, "/lib/bar.ko"));
	sample(model, 19, ADDR);
	assert_int_equal(model__n_modules(model), 3);
	expect(model, 0, "foo", 1, 10, 12, 1);
	expect(model, 1, "foo", 1, 14, 16, 1);
	expect(model, 2, "bar", 2, 18, 0, 1);
	assert_string_equal(model__module(model, 1)->path, "/lib/foo.ko");
	assert_int_equal(model__ledger(model)->samples_kernel_module, 3);
	assert_int_equal(model__ledger(model)->samples_kernel_unmapped, 2);
	/* One content at one path, however often it was loaded. */
	assert_int_equal(model__n_sightings(model), 2);
	assert_int_equal(model__sighting(model, 0)->samples, 2);
}

static void what_is_told_again_is_one_life(void **state)
{
	struct model *model = *state;
	struct event there = module_event(0, PERFSTAMP_MODULE_LOAD, "foo", ADDR, 1, "/foo.ko");

	there.module.flags = PERFSTAMP_MODULE_SNAPSHOT;
	apply(model, there);
	apply(model, module_event(10, PERFSTAMP_MODULE_LOAD, "foo", ADDR, 1, NULL));
	/* One that was never there. */
	apply(model, module_event(11, PERFSTAMP_MODULE_UNLOAD, "bar", ADDR, 1, NULL));
	assert_int_equal(model__n_modules(model), 1);
	expect(model, 0, "foo", 1, 0, 0, 0);
	assert_true(model__module(model, 0)->snapshot);
}

static void a_missed_unload_is_inferred(void **state)
{
	struct model *model = *state;

	apply(model, module_event(10, PERFSTAMP_MODULE_LOAD, "foo", ADDR, 1, "/foo.ko"));
	apply(model, module_event(20, PERFSTAMP_MODULE_LOAD, "foo", ADDR + 0x1000, 2, "/foo.ko"));
	assert_int_equal(model__n_modules(model), 2);
	expect(model, 0, "foo", 1, 10, 20, 0);
	assert_true(model__module(model, 0)->inferred);
	assert_false(model__module(model, 1)->inferred);
}

static void an_init_that_fails_is_told(void **state)
{
	struct model *model = *state;
	struct event init = module_event(11, PERFSTAMP_MODULE_INIT, "foo", ADDR, 1, NULL);

	init.module.flags = PERFSTAMP_MODULE_INIT_FAILED;
	init.module.state.init_result = -5;
	apply(model, module_event(10, PERFSTAMP_MODULE_LOAD, "foo", ADDR, 1, "/foo.ko"));
	apply(model, init);
	apply(model, module_event(12, PERFSTAMP_MODULE_UNLOAD, "foo", ADDR, 1, NULL));
	expect(model, 0, "foo", 1, 10, 12, 0);
	assert_true(model__module(model, 0)->init_failed);
	assert_int_equal(model__module(model, 0)->init_result, -5);
	assert_int_equal(model__module(model, 0)->init_done_ns, 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_load_comes_back_from_a_mmap2, begin_bytes, end_bytes),
		cmocka_unit_test_setup_teardown(
			an_unload_comes_back_from_a_note, begin_bytes, end_bytes),
		cmocka_unit_test_setup_teardown(
			what_a_later_version_tells_is_a_plain_record, begin_bytes, end_bytes),
		cmocka_unit_test_setup_teardown(
			a_changed_extension_is_no_harm, begin_bytes, end_bytes),
		cmocka_unit_test(the_true_path_is_found),
		cmocka_unit_test_setup_teardown(each_load_is_a_life, begin_model, end_model),
		cmocka_unit_test_setup_teardown(
			what_is_told_again_is_one_life, begin_model, end_model),
		cmocka_unit_test_setup_teardown(
			a_missed_unload_is_inferred, begin_model, end_model),
		cmocka_unit_test_setup_teardown(an_init_that_fails_is_told, begin_model, end_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
