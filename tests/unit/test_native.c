// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of patched kernels: the attribute's bits, MMAP3 and MODULE of every shape in both
 * byte orders, what the model makes of them, and that a file gets neither of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <byteswap.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "user/base/buffer.h"
#include "user/event/decode.h"
#include "user/event/native.h"
#include "user/event/types.h"
#include "user/model/model.h"
#include "user/model/modules.h"
#include "user/perfdata/disk_attr.h"
#include "notes_fixture.h"
#include "user/perfdata/layout.h"

#define TRAILER_SIZE 16
#define PROT_RX 5

/* The fields of a MMAP3 that tests set. */
struct mmap3 {
	uint16_t misc;
	uint8_t source;
	uint8_t reason;
	uint8_t build_id_size;
	uint8_t cookie_size;
	const char *path;
};

/* The same of a MODULE. */
struct module {
	uint16_t event;
	int32_t init_result;
	uint8_t build_id_size;
	const char *name;
};

static const struct mmap3 whole = {PERF_RECORD_MISC_USER, 1, 0, 20, 17, "/opt/prog"};
static const struct module loaded = {PERFSTAMP_MODULE_LOAD, 0, 20, "burn"};

struct reading {
	struct event_decoder *decoder;
	struct buffer record;
	bool swap;
};

static struct perf_event_attr attr_with(bool mmap3, bool module)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER7,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
	};

	if (mmap3)
		native_attr__set(&attr, NATIVE_ATTR_MMAP3);
	if (module)
		native_attr__set(&attr, NATIVE_ATTR_MODULE);
	return attr;
}

static struct reading begin_with(const struct perf_event_attr *attr, bool swap)
{
	struct reading reading = {.swap = swap};
	const uint64_t id = 5;

	assert_int_equal(event_decoder__new(&reading.decoder, swap), 0);
	assert_int_equal(event_decoder__add_attr(reading.decoder, attr, &id, 1), 0);
	buffer__init(&reading.record, 0);
	return reading;
}

static struct reading begin(bool swap)
{
	struct perf_event_attr attr = attr_with(true, true);

	return begin_with(&attr, swap);
}

static void end(struct reading *reading)
{
	buffer__free(&reading->record);
	event_decoder__free(reading->decoder);
}

static void put16(struct reading *to, uint16_t value)
{
	buffer__u16(&to->record, to->swap ? bswap_16(value) : value);
}

static void put32(struct reading *to, uint32_t value)
{
	buffer__u32(&to->record, to->swap ? bswap_32(value) : value);
}

static void put64(struct reading *to, uint64_t value)
{
	buffer__u64(&to->record, to->swap ? bswap_64(value) : value);
}

static void put_header(struct reading *to, uint32_t type, uint16_t misc)
{
	buffer__reset(&to->record);
	put32(to, type);
	put16(to, misc);
	put16(to, 0);
}

static void put_string(struct reading *to, const char *text)
{
	buffer__append(&to->record, text, strlen(text) + 1);
	buffer__align(&to->record, 0, 8);
}

static void put_trailer(struct reading *to)
{
	put32(to, 7);
	put32(to, 8);
	put64(to, 99);
}

static void put_bytes(struct reading *to, uint8_t first)
{
	for (int i = 0; i < 20; i++)
		buffer__u8(&to->record, first + i);
}

static void put_mmap3(struct reading *to, const struct mmap3 *map)
{
	put_header(to, PERFDATA_RECORD_MMAP3, map->misc);
	put32(to, 7);
	put32(to, 8);
	put64(to, 0x400000);
	put64(to, 0x2000);
	put64(to, 0x1000);
	put32(to, 253);
	put32(to, 1);
	put64(to, 4711);
	put64(to, 77);
	put32(to, PROT_RX);
	put32(to, 2);
	put64(to, 8192);
	buffer__u8(&to->record, map->source);
	buffer__u8(&to->record, map->reason);
	buffer__u8(&to->record, map->build_id_size);
	buffer__u8(&to->record, map->cookie_size);
	put32(to, 0xf0000001);
	put64(to, 4242);
	put_bytes(to, 'A');
	put_bytes(to, 'a');
	put_string(to, map->path);
	put_trailer(to);
}

static void put_module(struct reading *to, const struct module *module)
{
	put_header(to, PERFDATA_RECORD_MODULE, PERF_RECORD_MISC_KERNEL);
	put64(to, 0xffffffffc0400000);
	put64(to, 0xffffffffc0500000);
	put32(to, 0x2000);
	put32(to, 0x1000);
	put32(to, module->init_result);
	put16(to, module->event);
	buffer__u8(&to->record, module->build_id_size);
	buffer__u8(&to->record, 0);
	put_bytes(to, 'A');
	put32(to, 0);
	put_string(to, module->name);
	put_trailer(to);
}

/* Of the first @size bytes, which the record says that it has. */
static int decode_part(struct reading *from, size_t size, struct event *ret)
{
	uint16_t told = from->swap ? bswap_16(size) : size;
	struct error err;

	memcpy(from->record.data + 6, &told, sizeof(told));
	return event_decoder__decode(from->decoder, from->record.data, size, ret, &err);
}

static int decode(struct reading *from, struct event *ret)
{
	return decode_part(from, from->record.size, ret);
}

static struct event decode_map(struct reading *from, const struct mmap3 *map)
{
	struct event event;

	put_mmap3(from, map);
	assert_int_equal(decode(from, &event), 0);
	assert_int_equal(event.kind, EVENT_MAP);
	return event;
}

static struct event decode_module(struct reading *from, const struct module *module)
{
	struct event event;

	put_module(from, module);
	assert_int_equal(decode(from, &event), 0);
	return event;
}

/* ---- The attribute ---- */

static void bits_are_where_the_kernel_has_them(void **state)
{
	struct perf_event_attr attr = {.use_clockid = 1}, again;
	uint8_t bytes[PERFDATA_ATTR_SIZE];
	size_t size;

	(void)state;
	assert_false(native_attr__has(&attr, NATIVE_ATTR_MMAP3));
	native_attr__set(&attr, NATIVE_ATTR_MMAP3);
	assert_true(native_attr__has(&attr, NATIVE_ATTR_MMAP3));
	assert_false(native_attr__has(&attr, NATIVE_ATTR_MODULE));
	native_attr__set(&attr, NATIVE_ATTR_MODULE);
	assert_true(attr.use_clockid && !attr.disabled && !attr.sigtrap);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	assert_int_equal(((const uint8_t *)&attr)[40 + 5], 3);
#endif
	/* In the file of another machine they are at the other end of the byte. */
	disk_attr__write(bytes, &attr, true);
	assert_int_equal(disk_attr__read(&again, bytes, sizeof(bytes), true, &size), 0);
	assert_true(native_attr__has(&again, NATIVE_ATTR_MMAP3));
	assert_true(native_attr__has(&again, NATIVE_ATTR_MODULE));
}

static void what_an_attribute_does_not_ask_for_is_not_decoded(void **state)
{
	struct perf_event_attr attr = attr_with(false, true);
	struct reading reading = begin_with(&attr, false);
	struct event event;

	(void)state;
	put_mmap3(&reading, &whole);
	assert_int_equal(decode(&reading, &event), 0);
	assert_int_equal(event.kind, EVENT_OTHER);
	assert_int_equal(event.time_ns, 99);
	assert_int_equal(decode_module(&reading, &loaded).kind, EVENT_MODULE);
	end(&reading);
	attr = attr_with(true, false);
	reading = begin_with(&attr, false);
	assert_int_equal(decode_module(&reading, &loaded).kind, EVENT_OTHER);
	decode_map(&reading, &whole);
	end(&reading);
}

/* ---- MMAP3 ---- */

static void a_mapping_is_read_in_both_byte_orders(void **state)
{
	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		struct reading reading = begin(swap);
		struct event event = decode_map(&reading, &whole);
		const struct perfstamp_identity *identity = &event.map.identity;

		assert_int_equal(event.pid, 7);
		assert_int_equal(event.tid, 8);
		assert_int_equal(event.time_ns, 99);
		assert_int_equal(event.map.addr, 0x400000);
		assert_int_equal(event.map.len, 0x2000);
		assert_int_equal(event.map.pgoff, 0x1000);
		assert_int_equal(event.map.prot, PROT_RX);
		assert_int_equal(event.map.map_flags, 2);
		assert_true(event.map.executable && !event.map.kernel);
		assert_string_equal(event.map.path, "/opt/prog");
		assert_int_equal(identity->dev_major, 253);
		assert_int_equal(identity->dev_minor, 1);
		assert_int_equal(identity->ino, 4711);
		assert_int_equal(identity->ino_generation, 77);
		assert_int_equal(identity->mnt_ns, 0xf0000001);
		assert_int_equal(identity->cgroup_id, 4242);
		assert_int_equal(identity->file_size, 8192);
		assert_int_equal(identity->build_id_size, 20);
		assert_memory_equal(identity->build_id, "ABCDEFGHIJKLMNOPQRST", 20);
		assert_int_equal(identity->cookie_size, 17);
		assert_memory_equal(identity->cookie, "abcdefghijklmnopq", 17);
		assert_int_equal(identity->source, PERFSTAMP_SOURCE_PAGE_CACHE);
		assert_int_equal(identity->reason, PERFSTAMP_REASON_NONE);
		end(&reading);
	}
}

static void data_is_told_as_such(void **state)
{
	struct reading reading = begin(false);
	struct mmap3 map = {PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA, 0, 9, 0, 0, "/d"};
	struct event event = decode_map(&reading, &map);

	(void)state;
	assert_false(event.map.executable);
	assert_int_equal(event.map.identity.source, PERFSTAMP_SOURCE_NONE);
	assert_int_equal(event.map.identity.reason, PERFSTAMP_REASON_UNKNOWN);
	end(&reading);
}

static void sources_and_reasons_are_ours(void **state)
{
	static const uint8_t sources[] = {PERFSTAMP_SOURCE_NATIVE, PERFSTAMP_SOURCE_PAGE_CACHE,
		PERFSTAMP_SOURCE_KERNEL, PERFSTAMP_SOURCE_STASH, PERFSTAMP_SOURCE_FAULTED};
	static const uint8_t reasons[] = {PERFSTAMP_REASON_UNKNOWN, PERFSTAMP_REASON_NO_NOTE,
		PERFSTAMP_REASON_NOT_ELF, PERFSTAMP_REASON_NOT_RESIDENT, PERFSTAMP_REASON_IO_ERROR,
		PERFSTAMP_REASON_MALFORMED, PERFSTAMP_REASON_TOO_LONG, PERFSTAMP_REASON_ANONYMOUS,
		PERFSTAMP_REASON_CHANGING, PERFSTAMP_REASON_UNKNOWN, PERFSTAMP_REASON_LIMIT};
	struct reading reading = begin(false);

	(void)state;
	for (int i = 0; i < 256; i++) {
		struct mmap3 map = whole;
		struct event event;

		map.source = map.reason = i;
		event = decode_map(&reading, &map);
		assert_int_equal(event.map.identity.source,
			i < (int)sizeof(sources) ? sources[i] : PERFSTAMP_SOURCE_NATIVE);
		/* It has a build-id, whatever else is said. */
		assert_int_equal(event.map.identity.reason, PERFSTAMP_REASON_NONE);
		map.build_id_size = 0;
		event = decode_map(&reading, &map);
		assert_int_equal(event.map.identity.source,
			i < (int)sizeof(sources) ? sources[i] : PERFSTAMP_SOURCE_NATIVE);
		assert_int_equal(event.map.identity.reason,
			i < (int)sizeof(reasons) ? reasons[i] : PERFSTAMP_REASON_UNKNOWN);
		map.cookie_size = 0;
		assert_int_equal(
			decode_map(&reading, &map).map.identity.source, PERFSTAMP_SOURCE_NONE);
	}
	end(&reading);
}

static void a_mapping_that_contradicts_itself_is_refused(void **state)
{
	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		struct reading reading = begin(swap);
		struct mmap3 map = whole;
		struct event event;

		put_mmap3(&reading, &whole);
		for (size_t size = 8; size < reading.record.size; size += 8)
			assert_int_equal(decode_part(&reading, size, &event), -EBADMSG);
		/* A path without an end. */
		memset(reading.record.data + reading.record.size - TRAILER_SIZE - 16, 'x', 16);
		assert_int_equal(decode(&reading, &event), -EBADMSG);
		map.build_id_size = 21;
		put_mmap3(&reading, &map);
		assert_int_equal(decode(&reading, &event), -EBADMSG);
		map.build_id_size = 20;
		map.cookie_size = 255;
		put_mmap3(&reading, &map);
		assert_int_equal(decode(&reading, &event), -EBADMSG);
		end(&reading);
	}
}

static void a_file_gets_what_every_perf_reads(void **state)
{
	static const struct {
		const char *path, *written;
		bool deleted;
	} cases[] = {
		{"/opt/prog", "/opt/prog", false},
		{"/opt/gone (deleted)", "/opt/gone", true},
		{" (deleted)", " (deleted)", false},
		{"/opt/x (deleted) ", "/opt/x (deleted) ", false},
	};
	struct encode_trailer trailer = {
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME, .id = 5};
	struct reading reading = begin(false);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mmap3 map = whole;
		char path[PERFSTAMP_PATH_MAX];
		struct event event, again;
		struct buffer out;

		map.path = cases[i].path;
		map.build_id_size = i % 2 ? 0 : 20;
		map.reason = i % 2 ? 1 : 0;
		event = decode_map(&reading, &map);
		native_record__translate(&event, path);
		assert_string_equal(event.map.path, cases[i].written);
		assert_int_equal(!!(event.map.flags & PERFSTAMP_MAP_DELETED), cases[i].deleted);
		buffer__init(&out, 0);
		assert_int_equal(notes__encode(&out, &event, &trailer), 0);
		assert_int_equal(notes__decode(reading.decoder, &out, &again), 0);
		assert_int_equal(again.type, PERF_RECORD_MMAP2);
		assert_int_equal(!!(again.misc & PERF_RECORD_MISC_MMAP_BUILD_ID), i % 2 == 0);
		assert_true(again.map.stamped);
		assert_string_equal(again.map.path, cases[i].written);
		assert_memory_equal(
			&again.map.identity, &event.map.identity, sizeof(event.map.identity));
		buffer__free(&out);
	}
	end(&reading);
}

/* One of which nothing of the path is cut: the words alone would not fit. */
static void a_path_over_all_bounds_stays_as_it_is(void **state)
{
	static char name[PERFSTAMP_PATH_MAX + 64];
	struct reading reading = begin(false);
	char path[PERFSTAMP_PATH_MAX];
	struct mmap3 map = whole;
	struct event event;

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	memcpy(name + sizeof(name) - 11, " (deleted)", 11);
	map.path = name;
	event = decode_map(&reading, &map);
	native_record__translate(&event, path);
	assert_string_equal(event.map.path, name);
	assert_int_equal(event.map.flags, 0);
	end(&reading);
}

/* ---- MODULE ---- */

static void a_module_is_read_in_both_byte_orders(void **state)
{
	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		struct reading reading = begin(swap);
		struct event event = decode_module(&reading, &loaded);
		const struct perfstamp_module_state *module = &event.module.state;

		assert_int_equal(event.kind, EVENT_MODULE);
		assert_int_equal(event.time_ns, 99);
		assert_null(event.module.path);
		assert_int_equal(event.module.flags, 0);
		assert_int_equal(module->text_addr, 0xffffffffc0400000);
		assert_int_equal(module->init_addr, 0xffffffffc0500000);
		assert_int_equal(module->text_size, 0x2000);
		assert_int_equal(module->init_size, 0x1000);
		assert_int_equal(module->event, PERFSTAMP_MODULE_LOAD);
		assert_int_equal(module->source, PERFSTAMP_SOURCE_KERNEL);
		assert_int_equal(module->reason, PERFSTAMP_REASON_NONE);
		assert_int_equal(module->build_id_size, 20);
		assert_memory_equal(module->build_id, "ABCDEFGHIJKLMNOPQRST", 20);
		assert_string_equal(module->name, "burn");
		end(&reading);
	}
}

static void what_became_of_a_module_is_told(void **state)
{
	struct reading reading = begin(true);
	struct module module = {PERFSTAMP_MODULE_INIT, -19, 0, "burn"};
	struct event event = decode_module(&reading, &module);

	(void)state;
	assert_int_equal(event.module.flags, PERFSTAMP_MODULE_INIT_FAILED);
	assert_int_equal(event.module.state.init_result, -19);
	assert_int_equal(event.module.state.source, PERFSTAMP_SOURCE_NONE);
	assert_int_equal(event.module.state.reason, PERFSTAMP_REASON_UNKNOWN);
	module.init_result = 1;
	assert_int_equal(decode_module(&reading, &module).module.flags, 0);
	module.event = PERFSTAMP_MODULE_UNLOAD;
	event = decode_module(&reading, &module);
	assert_int_equal(event.module.state.event, PERFSTAMP_MODULE_UNLOAD);
	/* What a later kernel may tell: 256 is no LOAD, of which it has the low byte. */
	for (size_t i = 0; i < 4; i++) {
		module.event = (const uint16_t[]){0, 4, 256 + PERFSTAMP_MODULE_LOAD, 65535}[i];
		assert_int_equal(decode_module(&reading, &module).kind, EVENT_OTHER);
	}
	end(&reading);
}

static void a_module_that_contradicts_itself_is_refused(void **state)
{
	char name[PERFSTAMP_MODULE_NAME_MAX + 1];
	struct module module = loaded;

	(void)state;
	memset(name, 'n', sizeof(name));
	module.name = name;
	for (int swap = 0; swap < 2; swap++) {
		struct reading reading = begin(swap);
		struct event event;

		put_module(&reading, &loaded);
		for (size_t size = 8; size < reading.record.size; size += 8)
			assert_int_equal(decode_part(&reading, size, &event), -EBADMSG);
		name[PERFSTAMP_MODULE_NAME_MAX] = '\0';
		put_module(&reading, &module);
		assert_int_equal(decode(&reading, &event), -EBADMSG);
		name[PERFSTAMP_MODULE_NAME_MAX - 1] = '\0';
		assert_int_equal(decode_module(&reading, &module).kind, EVENT_MODULE);
		name[PERFSTAMP_MODULE_NAME_MAX - 1] = 'n';
		module.build_id_size = 21;
		put_module(&reading, &module);
		assert_int_equal(decode(&reading, &event), -EBADMSG);
		module.build_id_size = 20;
		end(&reading);
	}
}

/* ---- The model ---- */

static void apply(struct model *model, struct event event, uint64_t time_ns)
{
	event.time_ns = time_ns;
	assert_int_equal(model__apply(model, &event), 0);
}

static void lives_of_modules_follow_from_the_records_alone(void **state)
{
	struct reading reading = begin(false);
	struct module module = loaded;
	const struct module_life *life;
	struct model *model;

	(void)state;
	assert_int_equal(model__new(&model), 0);
	apply(model, decode_map(&reading, &whole), 5);
	apply(model, decode_module(&reading, &module), 10);
	module.event = PERFSTAMP_MODULE_INIT;
	module.init_result = -19;
	apply(model, decode_module(&reading, &module), 20);
	module.event = PERFSTAMP_MODULE_UNLOAD;
	apply(model, decode_module(&reading, &module), 30);
	assert_int_equal(model__n_modules(model), 1);
	life = model__module(model, 0);
	assert_string_equal(life->name, "burn");
	assert_string_equal(life->path, "[burn]");
	assert_int_equal(life->len, 0x2000);
	assert_int_equal(life->loaded_ns, 10);
	assert_true(life->init_failed);
	assert_int_equal(life->init_result, -19);
	assert_int_equal(life->unloaded_ns, 30);
	assert_int_equal(model__ledger(model)->maps, 1);
	model__free(model);
	end(&reading);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bits_are_where_the_kernel_has_them),
		cmocka_unit_test(what_an_attribute_does_not_ask_for_is_not_decoded),
		cmocka_unit_test(a_mapping_is_read_in_both_byte_orders),
		cmocka_unit_test(data_is_told_as_such),
		cmocka_unit_test(sources_and_reasons_are_ours),
		cmocka_unit_test(a_mapping_that_contradicts_itself_is_refused),
		cmocka_unit_test(a_file_gets_what_every_perf_reads),
		cmocka_unit_test(a_path_over_all_bounds_stays_as_it_is),
		cmocka_unit_test(a_module_is_read_in_both_byte_orders),
		cmocka_unit_test(what_became_of_a_module_is_told),
		cmocka_unit_test(a_module_that_contradicts_itself_is_refused),
		cmocka_unit_test(lives_of_modules_follow_from_the_records_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
