// SPDX-License-Identifier: GPL-2.0-only
/*
 * The encoders against golden bytes, and the decoder back from them: each row
 * is an event and the record, with its notes, that it must become; and the record that it was
 * in version 1 of the extensions, if that was another one. The bytes were packed by hand
 * from the layouts in linux/perf_event.h and perfstamp/record.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/event/decode.h"
#include "user/perfdata/encode.h"
#include "user/perfdata/layout.h"
#include "notes_fixture.h"

#define BUILD_ID                                                                                   \
	{                                                                                          \
		0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xab, 0xac,      \
			0xad, 0xae, 0xaf, 0xb0, 0xb1, 0xb2, 0xb3                                   \
	}
#define COOKIE                                                                                     \
	{                                                                                          \
		1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20              \
	}
#define EVENT(k, ...)                                                                              \
	{                                                                                          \
		.kind = EVENT_##k, .pid = 7, .tid = 8, .time_ns = 0x1122334455667788, .cpu = 3,    \
		__VA_ARGS__                                                                        \
	}
#define RANGE .addr = 0x400000, .len = 0x10000, .pgoff = 0x2000, .prot = 5, .map_flags = 2
#define MAP(id_size, cookie_n, file, src, why)                                                     \
	EVENT(MAP,                                                                                 \
		.map = {RANGE, .flags = PERFSTAMP_MAP_DELETED, .executable = true, .path = file,   \
			.identity = {8, 1, 4711, 5, 12345, 9, 17, PERFSTAMP_SOURCE_##src,          \
				PERFSTAMP_REASON_##why, id_size, cookie_n, BUILD_ID, COOKIE}})
#define KERNEL_MAP                                                                                 \
	EVENT(MAP, .map = {RANGE, .kernel = true, .executable = true, .path = "/opt/a",            \
			   .identity = {.build_id_size = 20, .build_id = BUILD_ID}})

static const struct perf_ns_link_info links[] = {{4, 0xf1}, {4, 0xf2}};

static const struct {
	const char *what;
	struct event event;
	const char *hex;
	const char *version_1; /* or NULL */
} rows[] = {
	{"map with a build-id", MAP(20, 20, "/opt/a", PAGE_CACHE, NONE),
		"130000000000c800ffffffffffffffff2f706572667374616d702f5531524e55"
		"4149416141414341414541414141414141674141414142414141415a78494141"
		"41414141414146414141414141414141446b7741414141414141414351414141"
		"414141414141524141414141514155464b43686f714f6b7061616e714b6d7171"
		"36797472712b7773624b7a41514944424155474277674a4367734d4451345045"
		"4245534578513d00000000000000000000000000000000000000000000000000"
		"99000000000000000a0000000240700007000000080000000000400000000000"
		"0000010000000000002000000000000014000000a0a1a2a3a4a5a6a7a8a9aaab"
		"acadaeafb0b1b2b305000100020000002f6f70742f6100000700000008000000"
		"887766554433221103000000000000009900000000000000",
		"0a0000000240d800070000000800000000004000000000000000010000000000"
		"002000000000000014000000a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3"
		"05000000020000002f6f70742f61000053544d50010068000200000000000000"
		"0800000001000000671200000000000005000000000000003930000000000000"
		"09000000000000001100000001001414a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
		"b0b1b2b30102030405060708090a0b0c0d0e0f10111213140700000008000000"
		"887766554433221103000000000000009900000000000000"},
	{"map with a short build-id", MAP(16, 0, "/opt/abc", PAGE_CACHE, NONE),
		"130000000000c800ffffffffffffffff2f706572667374616d702f5531524e55"
		"4149416141414341414541414141414141674141414142414141415a78494141"
		"41414141414146414141414141414141446b7741414141414141414351414141"
		"414141414141524141414141514151414b43686f714f6b7061616e714b6d7171"
		"3679747271384141414141414141414141414141414141414141414141414141"
		"4141414141413d00000000000000000000000000000000000000000000000000"
		"99000000000000000a0000000240780007000000080000000000400000000000"
		"0000010000000000002000000000000010000000a0a1a2a3a4a5a6a7a8a9aaab"
		"acadaeaf0000000005000100020000002f6f70742f6162630000000000000000"
		"0700000008000000887766554433221103000000000000009900000000000000",
		"0a0000000240e000070000000800000000004000000000000000010000000000"
		"002000000000000010000000a0a1a2a3a4a5a6a7a8a9aaabacadaeaf00000000"
		"05000000020000002f6f70742f616263000000000000000053544d5001006800"
		"0200000000000000080000000100000067120000000000000500000000000000"
		"393000000000000009000000000000001100000001001000a0a1a2a3a4a5a6a7"
		"a8a9aaabacadaeaf000000000000000000000000000000000000000000000000"
		"0700000008000000887766554433221103000000000000009900000000000000"},
	{"map with a cookie only", MAP(0, 20, "/opt/a", NONE, NO_NOTE),
		"130000000000c800ffffffffffffffff2f706572667374616d702f5531524e55"
		"4149416141414341414541414141414141674141414142414141415a78494141"
		"41414141414146414141414141414141446b7741414141414141414351414141"
		"4141414141415241414141414145414641414141414141414141414141414141"
		"414141414141414141414141514944424155474277674a4367734d4451345045"
		"4245534578513d00000000000000000000000000000000000000000000000000"
		"99000000000000000a0000000200700007000000080000000000400000000000"
		"0000010000000000002000000000000008000000010000006712000000000000"
		"050000000000000005000100020000002f6f70742f6100000700000008000000"
		"887766554433221103000000000000009900000000000000",
		"0a0000000200d800070000000800000000004000000000000000010000000000"
		"0020000000000000080000000100000067120000000000000500000000000000"
		"05000000020000002f6f70742f61000053544d50010068000200000000000000"
		"0800000001000000671200000000000005000000000000003930000000000000"
		"0900000000000000110000000001001400000000000000000000000000000000"
		"000000000102030405060708090a0b0c0d0e0f10111213140700000008000000"
		"887766554433221103000000000000009900000000000000"},
	{"kernel map", KERNEL_MAP,
		"0a00000001407000070000000800000000004000000000000000010000000000"
		"002000000000000014000000a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3"
		"05000000020000002f6f70742f61000007000000080000008877665544332211"
		"03000000000000009900000000000000",
		NULL},
	{"comm", EVENT(COMM, .comm = {"bash", true}),
		"0300000000203800070000000800000062617368000000000700000008000000"
		"887766554433221103000000000000009900000000000000",
		NULL},
	{"fork", EVENT(FORK, .fork = {5, 6}),
		"0700000000004000070000000500000008000000060000008877665544332211"
		"0700000008000000887766554433221103000000000000009900000000000000",
		NULL},
	{"exit", EVENT(EXIT, .fork = {5, 6}),
		"0400000000004000070000000500000008000000060000008877665544332211"
		"0700000008000000887766554433221103000000000000009900000000000000",
		NULL},
	{"lost", EVENT(LOST, .lost = {0x21, 40}),
		"0200000000003800210000000000000028000000000000000700000008000000"
		"887766554433221103000000000000009900000000000000",
		NULL},
	{"lost samples", EVENT(LOST, .type = PERF_RECORD_LOST_SAMPLES, .lost = {0x99, 40}),
		"0d00000000003000280000000000000007000000080000008877665544332211"
		"03000000000000009900000000000000",
		NULL},
	{"cgroup", EVENT(CGROUP, .cgroup = {.id = 9, .path = "/a/b"}),
		"130000000000380009000000000000002f612f62000000000700000008000000"
		"887766554433221103000000000000009900000000000000",
		NULL},
	{"cgroup of a container", EVENT(CGROUP, .cgroup = {9, "/a/b", "name=web\nimage=a\n", 17}),
		"1300000000007800ffffffffffffffff2f706572667374616d702f55304e5554"
		"67494147414152414141414141414141416b414141414141414141626d46745a"
		"5431335a57494b615731685a32553959516f3d00000000000000000000000000"
		"8877665544332211000000000000000099000000000000001300000000003800"
		"09000000000000002f612f620000000007000000080000008877665544332211"
		"03000000000000009900000000000000",
		"130000000000600009000000000000002f612f62000000005343544e01001000"
		"11000000000000006e616d653d7765620a696d6167653d610a00000000000000"
		"0700000008000000887766554433221103000000000000009900000000000000"},
	{"namespaces", EVENT(NAMESPACES, .namespaces = {2, links}),
		"1000000000005800070000000800000002000000000000000400000000000000"
		"f1000000000000000400000000000000f2000000000000000700000008000000"
		"887766554433221103000000000000009900000000000000",
		NULL},
	{"ksymbol", EVENT(KSYMBOL, .ksymbol = {0xffffffffc0000000, 0x8000, 0, 1, "foo"}),
		"1100000000004000000000c0ffffffff0080000000000100666f6f0000000000"
		"0700000008000000887766554433221103000000000000009900000000000000",
		NULL},
	{"bpf", EVENT(BPF, .bpf = {1, 0, 33, {0, 1, 2, 3, 4, 5, 6, 7}}),
		"1200000000003800010000002100000000010203040506070700000008000000"
		"887766554433221103000000000000009900000000000000",
		NULL},
};

#define N_ROWS (sizeof(rows) / sizeof(rows[0]))

static const struct encode_trailer trailer = {.sample_type = NOTES_SAMPLE_TYPE, .id = NOTES_ID};

static bool is_little_endian(void)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

/* Bytes of an id beyond its size are not part of it. */
static struct event trim(struct event event)
{
	struct perfstamp_identity *identity = &event.map.identity;

	if (event.kind != EVENT_MAP)
		return event;
	memset(identity->build_id + identity->build_id_size, 0,
		PERFSTAMP_BUILD_ID_MAX - identity->build_id_size);
	memset(identity->cookie + identity->cookie_size, 0,
		PERFSTAMP_COOKIE_MAX - identity->cookie_size);
	return event;
}

static void records_are_golden(void **state)
{
	struct buffer out;
	char hex[2048];

	(void)state;
	if (!is_little_endian())
		skip();
	buffer__init(&out, 0);
	for (size_t i = 0; i < N_ROWS; i++) {
		struct event event = trim(rows[i].event);

		buffer__reset(&out);
		assert_int_equal(notes__encode(&out, &event, &trailer), 0);
		text__hex(hex, sizeof(hex), out.data, out.size);
		assert_string_equal(hex, rows[i].hex);
	}
	buffer__free(&out);
}

static void assert_same_map(const struct event_map *a, const struct event_map *b)
{
	assert_int_equal(a->addr, b->addr);
	assert_int_equal(a->len, b->len);
	assert_int_equal(a->pgoff, b->pgoff);
	assert_int_equal(a->prot, b->prot);
	assert_int_equal(a->map_flags, b->map_flags);
	assert_int_equal(a->flags, b->flags);
	assert_int_equal(a->kernel, b->kernel);
	assert_int_equal(a->executable, b->executable);
	assert_string_equal(a->path, b->path);
	if (!b->kernel)
		assert_memory_equal(&a->identity, &b->identity, sizeof(a->identity));
	else
		assert_memory_equal(a->identity.build_id, b->identity.build_id, 20);
	assert_int_equal(a->stamped, !b->kernel);
}

static void assert_same(const struct event *a, const struct event *b)
{
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->pid, b->pid);
	assert_int_equal(a->tid, b->tid);
	assert_int_equal(a->time_ns, b->time_ns);
	assert_int_equal(a->cpu, b->cpu);
	switch (b->kind) {
	case EVENT_MAP:
		return assert_same_map(&a->map, &b->map);
	case EVENT_COMM:
		assert_string_equal(a->comm.comm, b->comm.comm);
		assert_int_equal(a->comm.exec, b->comm.exec);
		break;
	case EVENT_FORK:
	case EVENT_EXIT:
		assert_memory_equal(&a->fork, &b->fork, sizeof(a->fork));
		break;
	case EVENT_LOST:
		assert_memory_equal(&a->lost, &b->lost, sizeof(a->lost));
		break;
	case EVENT_CGROUP:
		assert_int_equal(a->cgroup.id, b->cgroup.id);
		assert_string_equal(a->cgroup.path, b->cgroup.path);
		assert_int_equal(a->cgroup.about_size, b->cgroup.about_size);
		if (a->cgroup.about_size)
			assert_memory_equal(a->cgroup.about, b->cgroup.about, a->cgroup.about_size);
		break;
	case EVENT_NAMESPACES:
		assert_int_equal(a->namespaces.n, b->namespaces.n);
		assert_memory_equal(a->namespaces.links, links, sizeof(links));
		break;
	case EVENT_KSYMBOL:
		assert_int_equal(a->ksymbol.addr, b->ksymbol.addr);
		assert_int_equal(a->ksymbol.len, b->ksymbol.len);
		assert_int_equal(a->ksymbol.ksym_type, b->ksymbol.ksym_type);
		assert_int_equal(a->ksymbol.flags, b->ksymbol.flags);
		assert_string_equal(a->ksymbol.name, b->ksymbol.name);
		break;
	case EVENT_BPF:
		assert_memory_equal(&a->bpf, &b->bpf, sizeof(a->bpf));
		break;
	default:
		fail();
	}
}

static void records_come_back(void **state)
{
	struct event_decoder *decoder = notes__decoder();
	struct buffer out;

	(void)state;
	buffer__init(&out, 0);
	for (size_t i = 0; i < N_ROWS; i++) {
		struct event event = trim(rows[i].event), back;

		buffer__reset(&out);
		assert_int_equal(notes__encode(&out, &event, &trailer), 0);
		assert_int_equal(notes__decode(decoder, &out, &back), 0);
		assert_same(&back, &event);
	}
	buffer__free(&out);
	event_decoder__free(decoder);
}

static void append_hex(struct buffer *out, const char *hex)
{
	uint8_t bytes[1024];
	int size = text__parse_hex(bytes, sizeof(bytes), hex);

	assert_true(size > 0);
	buffer__append(out, bytes, size);
}

static void records_of_version_1_are_read(void **state)
{
	struct event_decoder *decoder = notes__decoder();
	struct buffer in;
	int n = 0;

	(void)state;
	if (!is_little_endian())
		skip();
	buffer__init(&in, 0);
	for (size_t i = 0; i < N_ROWS; i++) {
		struct event event = trim(rows[i].event), back;

		if (!rows[i].version_1)
			continue;
		n++;
		buffer__reset(&in);
		append_hex(&in, rows[i].version_1);
		assert_int_equal(notes__decode(decoder, &in, &back), 0);
		assert_same(&back, &event);
	}
	assert_int_equal(n, 4);
	buffer__free(&in);
	event_decoder__free(decoder);
}

static void maps_that_are_told_the_same_share_a_note(void **state)
{
	struct event event = trim((struct event)MAP(20, 20, "/opt/a", PAGE_CACHE, NONE)), back;
	struct event_decoder *decoder = notes__decoder();
	struct note_writer writer = {0};
	struct buffer out;
	size_t first, second;

	(void)state;
	buffer__init(&out, 0);
	assert_int_equal(note_writer__put(&writer, &out, &event, &trailer), 0);
	first = out.size;
	event.map.addr++;
	event.map.path = "/opt/b";
	assert_int_equal(note_writer__put(&writer, &out, &event, &trailer), 0);
	second = out.size - first;
	/* What perf's own record of the same has. */
	assert_int_equal(second, 8 + 64 + 8 + 32);
	assert_int_equal(notes__decode(decoder, &out, &back), 0);
	assert_same(&back, &event);
	/* In another container it is another note. */
	event.map.identity.cgroup_id++;
	assert_int_equal(note_writer__put(&writer, &out, &event, &trailer), 0);
	assert_int_equal(out.size, first + second + first);
	assert_int_equal(notes__decode(decoder, &out, &back), 0);
	assert_same(&back, &event);
	/* A part that is copied without what was before it. */
	buffer__reset(&out);
	note_writer__forget(&writer);
	assert_int_equal(note_writer__put(&writer, &out, &event, &trailer), 0);
	assert_int_equal(out.size, first);
	note_writer__free(&writer);
	buffer__free(&out);
	event_decoder__free(decoder);
}

/* More contents than are remembered, and than there are numbers. */
static void numbers_are_given_again(void **state)
{
	struct event event = trim((struct event)MAP(20, 20, "/opt/a", PAGE_CACHE, NONE)), back;
	struct event_decoder *decoder = notes__decoder();
	struct note_writer writer = {0};
	struct buffer out;

	(void)state;
	buffer__init(&out, 0);
	for (uint64_t i = 0; i < 70000; i++) {
		/* Of two that take turns, one is new each time. */
		event.map.identity.file_size = i % 2 ? i : 0;
		buffer__reset(&out);
		assert_int_equal(note_writer__put(&writer, &out, &event, &trailer), 0);
		assert_int_equal(notes__decode(decoder, &out, &back), 0);
		assert_same(&back, &event);
	}
	assert_true(writer.told.capacity <= 2ull << 20);
	note_writer__free(&writer);
	buffer__free(&out);
	event_decoder__free(decoder);
}

/* The note was lost, or is of other content than perf's own fields tell. */
static void a_note_that_does_not_fit_is_not_taken(void **state)
{
	struct event events[] = {trim((struct event)MAP(20, 20, "/opt/a", PAGE_CACHE, NONE)),
		trim((struct event)MAP(0, 20, "/opt/a", NONE, NO_NOTE))};
	struct event back;
	struct buffer out;
	struct error err;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct event_decoder *decoder = notes__decoder();
		uint8_t *record;
		uint16_t size;

		buffer__init(&out, 0);
		assert_int_equal(notes__encode(&out, &events[i], &trailer), 0);
		memcpy(&size, out.data + 6, sizeof(size));
		record = out.data + size;
		size = out.size - size;
		assert_int_equal(event_decoder__try(decoder, out.data, out.size - size), 0);
		for (int turn = 0; turn < 2; turn++) {
			assert_int_equal(
				event_decoder__decode(decoder, record, size, &back, &err), 0);
			assert_true(back.map.unresolved);
			assert_false(back.map.stamped);
			assert_int_equal(back.map.prot, 5);
			/* The first byte of the build-id, and of the inode's number. */
			record[i ? 48 : 44]++;
			assert_int_equal(event_decoder__decode(
						 decoder, out.data, out.size - size, &back, &err),
				0);
			assert_int_equal(back.kind, EVENT_NOTE);
		}
		record[i ? 48 : 44] -= 2;
		assert_int_equal(event_decoder__decode(decoder, record, size, &back, &err), 0);
		assert_true(back.map.stamped);
		buffer__free(&out);
		event_decoder__free(decoder);
	}
}

/* What the runtime keeps of a container may be longer than a note. */
static void a_long_text_is_in_several_notes(void **state)
{
	static char text[PERFSTAMP_CONTAINER_TEXT_MAX];
	struct event event = EVENT(CGROUP, .cgroup = {9, "/a/b", text, sizeof(text)}), back;
	struct event_decoder *decoder = notes__decoder();
	struct buffer out;

	(void)state;
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = 'a' + i % 26;
	buffer__init(&out, 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(notes__encode(&out, &event, &trailer), 0);
	assert_int_equal(notes__decode(decoder, &out, &back), 0);
	assert_same(&back, &event);
	/* It is of that one record. */
	event.cgroup.about_size = 0;
	buffer__reset(&out);
	assert_int_equal(notes__encode(&out, &event, &trailer), 0);
	assert_int_equal(notes__decode(decoder, &out, &back), 0);
	assert_same(&back, &event);
	buffer__free(&out);
	event_decoder__free(decoder);
}

static void cut_at_each_length(struct event_decoder *decoder, const struct buffer *whole)
{
	struct event back;
	struct error err;

	for (uint16_t size = 0; size < whole->size; size++) {
		uint8_t *exact = malloc(size ? size : 1);
		int ret;

		memcpy(exact, whole->data, size);
		if (size >= sizeof(struct perf_event_header))
			memcpy(exact + 6, &size, sizeof(size));
		ret = event_decoder__decode(decoder, exact, size, &back, &err);
		assert_true(ret == 0 || ret == -EBADMSG);
		free(exact);
	}
}

/* A record cut at any length, with its size put right, is refused or read: never beyond. */
static void cut_records_are_refused(void **state)
{
	struct event_decoder *decoder = notes__decoder();
	struct buffer out;

	(void)state;
	buffer__init(&out, 0);
	for (size_t i = 0; i < N_ROWS; i++) {
		struct event event = trim(rows[i].event);

		buffer__reset(&out);
		notes__encode(&out, &event, &trailer);
		cut_at_each_length(decoder, &out);
		if (rows[i].version_1 && is_little_endian()) {
			buffer__reset(&out);
			append_hex(&out, rows[i].version_1);
			cut_at_each_length(decoder, &out);
		}
	}
	buffer__free(&out);
	event_decoder__free(decoder);
}

static void what_cannot_be_a_record_leaves_nothing(void **state)
{
	static char path[70000];
	struct event event = EVENT(COMM, .comm = {path, false});
	struct buffer out;

	(void)state;
	buffer__init(&out, 0);
	buffer__u64(&out, 1);
	memset(path, 'x', sizeof(path) - 1);
	assert_int_equal(notes__encode(&out, &event, &trailer), -EOVERFLOW);
	assert_int_equal(out.size, 8);
	event = (struct event){.kind = EVENT_SAMPLE};
	assert_int_equal(notes__encode(&out, &event, &trailer), -EINVAL);
	event = (struct event)EVENT(MAP, .map = {.path = "", .identity = {.build_id_size = 21}});
	assert_int_equal(notes__encode(&out, &event, &trailer), -EINVAL);
	event = (struct event)EVENT(NAMESPACES, .namespaces = {1ull << 60, links});
	assert_int_equal(notes__encode(&out, &event, &trailer), -EOVERFLOW);
	assert_int_equal(out.size, 8);
	assert_int_equal(encode__mark(&out, PERF_RECORD_FINISHED_ROUND), 0);
	assert_int_equal(out.size, 16);
	buffer__free(&out);
}

static void a_later_extension_is_read_by_its_size(void **state)
{
	struct event_decoder *decoder = notes__decoder();
	struct event event = trim((struct event)MAP(20, 20, "/opt/a", PAGE_CACHE, NONE)), back;
	struct error err;
	struct buffer out, longer;
	size_t ext_at, trailer_at;
	uint16_t version = 2, size = 104 + 16;

	(void)state;
	if (!is_little_endian())
		skip();
	buffer__init(&out, 0);
	buffer__init(&longer, 0);
	append_hex(&out, rows[0].version_1);
	trailer_at = out.size - 32;
	ext_at = trailer_at - 104;
	buffer__append(&longer, out.data, trailer_at);
	buffer__append(&longer, "what we know not", 16);
	buffer__append(&longer, out.data + trailer_at, 32);
	memcpy(longer.data + ext_at + 4, &version, 2);
	memcpy(longer.data + ext_at + 6, &size, 2);
	size = longer.size;
	memcpy(longer.data + 6, &size, 2);
	assert_int_equal(event_decoder__decode(decoder, longer.data, longer.size, &back, &err), 0);
	assert_same(&back, &event);

	/* One that says that it is longer than the record, or too short, is damage. */
	size = 104 + 24;
	memcpy(longer.data + ext_at + 6, &size, 2);
	assert_int_equal(
		event_decoder__decode(decoder, longer.data, longer.size, &back, &err), -EBADMSG);
	size = 96;
	memcpy(longer.data + ext_at + 6, &size, 2);
	assert_int_equal(
		event_decoder__decode(decoder, longer.data, longer.size, &back, &err), -EBADMSG);

	/* Other bytes behind the name are not ours. */
	longer.data[ext_at] ^= 1;
	assert_int_equal(event_decoder__decode(decoder, longer.data, longer.size, &back, &err), 0);
	assert_false(back.map.stamped);
	assert_int_equal(back.map.identity.source, PERFSTAMP_SOURCE_NATIVE);
	buffer__free(&out);
	buffer__free(&longer);
	event_decoder__free(decoder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_golden),
		cmocka_unit_test(records_come_back),
		cmocka_unit_test(records_of_version_1_are_read),
		cmocka_unit_test(maps_that_are_told_the_same_share_a_note),
		cmocka_unit_test(numbers_are_given_again),
		cmocka_unit_test(a_note_that_does_not_fit_is_not_taken),
		cmocka_unit_test(a_long_text_is_in_several_notes),
		cmocka_unit_test(cut_records_are_refused),
		cmocka_unit_test(what_cannot_be_a_record_leaves_nothing),
		cmocka_unit_test(a_later_extension_is_read_by_its_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
