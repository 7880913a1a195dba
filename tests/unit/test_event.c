// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoding: samples of every layout, attributes by id, plain records of perf,
 * and perfstamp's live records. What the encoders can make is tested with them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/buffer.h"
#include "user/event/branches.h"
#include "user/event/counts.h"
#include "user/event/copy.h"
#include "user/event/decode.h"
#include "user/event/live.h"
#include "user/event/types.h"

static struct event_decoder *decoder_of(const struct perf_event_attr *attr)
{
	const uint64_t id = 5;
	struct event_decoder *decoder;

	assert_int_equal(event_decoder__new(&decoder, false), 0);
	if (attr)
		assert_int_equal(event_decoder__add_attr(decoder, attr, &id, 1), 0);
	return decoder;
}

static void begin(struct buffer *out, uint32_t type, uint16_t misc)
{
	buffer__init(out, 0);
	buffer__u32(out, type);
	buffer__u16(out, misc);
	buffer__u16(out, 0);
}

static int decode(struct event_decoder *decoder, struct buffer *record, struct event *ret)
{
	uint16_t size = record->size;
	struct error err;

	memcpy(record->data + 6, &size, sizeof(size));
	return event_decoder__decode(decoder, record->data, record->size, ret, &err);
}

#define ALL_BEFORE_CGROUP                                                                          \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
		PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |      \
		PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |  \
		PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |        \
		PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |       \
		PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR)

/* A sample with everything in it. */
static void put_full_sample(struct buffer *out)
{
	begin(out, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	buffer__u64(out, 5);      /* identifier */
	buffer__u64(out, 0x1000); /* ip */
	buffer__u32(out, 7);
	buffer__u32(out, 8);
	buffer__u64(out, 99);    /* time */
	buffer__u64(out, 0xadd); /* addr */
	buffer__u64(out, 5);     /* id */
	buffer__u64(out, 6);     /* stream id */
	buffer__u32(out, 3);     /* cpu */
	buffer__u32(out, 0);
	buffer__u64(out, 1000); /* period */
	buffer__u64(out, 2);    /* read: a group of two */
	buffer__u64(out, 1);    /* enabled */
	buffer__u64(out, 1);    /* running */
	for (int i = 0; i < 6; i++)
		buffer__u64(out, i); /* value, id, lost */
	buffer__u64(out, 2);         /* callchain */
	buffer__u64(out, PERF_CONTEXT_USER);
	buffer__u64(out, 0x2000);
	buffer__u32(out, 12); /* raw */
	buffer__append(out, "raw raw raw ", 12);
	buffer__u64(out, 1); /* branches */
	buffer__u64(out, 0); /* hw index */
	buffer__u64(out, 0xf);
	buffer__u64(out, 0x70);
	buffer__u64(out, 0);
	buffer__u64(out, PERF_SAMPLE_REGS_ABI_64); /* user registers: 3 */
	for (int i = 1; i <= 3; i++)
		buffer__u64(out, i);
	buffer__u64(out, 16); /* stack */
	buffer__append(out, "on stack........", 16);
	buffer__u64(out, 8);
	buffer__u64(out, 1);                         /* weight */
	buffer__u64(out, 1);                         /* data source */
	buffer__u64(out, 1);                         /* transaction */
	buffer__u64(out, PERF_SAMPLE_REGS_ABI_NONE); /* no interrupt registers */
	buffer__u64(out, 1);                         /* physical address */
	buffer__u64(out, 4711);                      /* cgroup */
	buffer__u64(out, 4096);                      /* data page size */
}

static const struct perf_event_attr full = {
	.sample_type = ALL_BEFORE_CGROUP | PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE,
	.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST |
		       PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX,
	.sample_regs_user = 0x7,
	.sample_regs_intr = 0xf,
	.sample_id_all = 1,
};

static void a_full_sample_is_parsed_through(void **state)
{
	struct event_decoder *decoder = decoder_of(&full);
	struct buffer record;
	struct event event;

	(void)state;
	put_full_sample(&record);
	assert_int_equal(decode(decoder, &record, &event), 0);
	assert_int_equal(event.kind, EVENT_SAMPLE);
	assert_int_equal(event.pid, 7);
	assert_int_equal(event.tid, 8);
	assert_int_equal(event.cpu, 3);
	assert_int_equal(event.time_ns, 99);
	assert_int_equal(event.sample.ip, 0x1000);
	assert_int_equal(event.sample.id, 5);
	assert_int_equal(event.sample.addr, 0xadd);
	assert_int_equal(event.sample.period, 1000);
	assert_int_equal(event.sample.n_callchain, 2);
	assert_int_equal(event.sample.callchain[1], 0x2000);
	assert_int_equal(event.sample.cgroup, 4711);
	assert_int_equal(event.sample.counts.n, 2);
	assert_int_equal(event_counts__at(&event.sample, 1).value, 3);
	assert_int_equal(event_counts__at(&event.sample, 1).id, 4);
	buffer__free(&record);
	event_decoder__free(decoder);
}

/* The count of one event has its times before the id; without an id, it has that of the sample. */
static void a_single_count_is_parsed(void **state)
{
	static const uint64_t FORMATS[] = {
		0,
		PERF_FORMAT_ID,
		PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID |
			PERF_FORMAT_LOST,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(FORMATS) / sizeof(FORMATS[0]); i++) {
		const struct perf_event_attr attr = {
			.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_READ |
				       PERF_SAMPLE_CGROUP,
			.read_format = FORMATS[i],
			.sample_id_all = 1,
		};
		struct event_decoder *decoder = decoder_of(&attr);
		struct buffer record;
		struct event event;

		begin(&record, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		buffer__u64(&record, 5);
		buffer__u64(&record, 0x1000);
		buffer__u64(&record, 42); /* value */
		if (FORMATS[i] & PERF_FORMAT_TOTAL_TIME_ENABLED) {
			buffer__u64(&record, 1);
			buffer__u64(&record, 2);
		}
		if (FORMATS[i] & PERF_FORMAT_ID)
			buffer__u64(&record, 6);
		if (FORMATS[i] & PERF_FORMAT_LOST)
			buffer__u64(&record, 3);
		buffer__u64(&record, 4711);
		assert_int_equal(decode(decoder, &record, &event), 0);
		assert_int_equal(event.sample.cgroup, 4711);
		assert_int_equal(event.sample.counts.n, 1);
		assert_int_equal(event_counts__at(&event.sample, 0).value, 42);
		assert_int_equal(
			event_counts__at(&event.sample, 0).id, FORMATS[i] & PERF_FORMAT_ID ? 6 : 5);
		buffer__free(&record);
		event_decoder__free(decoder);
	}
}

static void check_stack(const struct event *event)
{
	const struct event_user_stack *stack = &event->sample.user;
	uint64_t third;

	assert_non_null(stack->bytes);
	assert_true(stack->bytes > (const uint8_t *)event->raw);
	assert_true(stack->bytes + stack->size < (const uint8_t *)event->raw + event->raw_size);
	assert_int_equal(stack->abi, PERF_SAMPLE_REGS_ABI_64);
	assert_int_equal(stack->regs, 0x7);
	assert_false(stack->swap);
	memcpy(&third, stack->bytes + 16, sizeof(third));
	assert_int_equal(third, 3);
	assert_int_equal(stack->stack_size, 8);
	assert_memory_equal(stack->bytes + stack->stack, "on stack", 8);
	assert_int_equal(stack->size, stack->stack + 16);
}

static void registers_and_stack_are_handed_out(void **state)
{
	struct event_decoder *decoder = decoder_of(&full);
	struct event event, *copy;
	struct buffer record;
	size_t abi, size;

	(void)state;
	put_full_sample(&record);
	assert_int_equal(decode(decoder, &record, &event), 0);
	check_stack(&event);
	/* A copy has them in its own record, and no room for them twice. */
	copy = event__copy(&event, &size);
	assert_non_null(copy);
	check_stack(copy);
	assert_true(size < sizeof(event) + event.raw_size + 16);
	free(copy);
	/* A thread of the kernel has neither. */
	abi = event.sample.user.bytes - record.data - 8;
	memset(record.data + abi, 0, 8);
	memmove(record.data + abi + 8, record.data + abi + 32, record.size - abi - 32);
	record.size -= 24;
	assert_int_equal(decode(decoder, &record, &event), 0);
	assert_null(event.sample.user.bytes);
	buffer__free(&record);
	event_decoder__free(decoder);
}

/* The bytes of a record may be overwritten while a copy of its event waits. */
static void a_copy_has_its_own_branches(void **state)
{
	struct event_decoder *decoder = decoder_of(&full);
	struct event_branch branch;
	struct event event, *copy;
	struct buffer record;
	size_t size;

	(void)state;
	put_full_sample(&record);
	assert_int_equal(decode(decoder, &record, &event), 0);
	copy = event__copy(&event, &size);
	assert_non_null(copy);
	memset(record.data, 0xff, record.size);
	assert_int_equal(copy->sample.branches.n, 1);
	branch = event_branches__at(&copy->sample.branches, 0);
	assert_int_equal(branch.from, 0xf);
	assert_int_equal(branch.to, 0x70);
	assert_int_equal(event_counts__at(&copy->sample, 1).value, 3);
	free(copy);
	buffer__free(&record);
	event_decoder__free(decoder);
}

/* Every 8 bytes of it in turn hold a number that is a lie, if it is a length. */
static void lying_lengths_are_refused(void **state)
{
	static const uint64_t lies[] = {UINT64_MAX, UINT64_MAX / 8, 1ull << 61, 1ull << 32, 65536};
	struct event_decoder *decoder = decoder_of(&full);
	struct buffer record;
	struct event event;

	(void)state;
	put_full_sample(&record);
	for (size_t at = 8; at < record.size; at += 8) {
		for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
			uint64_t truth;
			int ret;

			memcpy(&truth, record.data + at, 8);
			memcpy(record.data + at, &lies[i], 8);
			ret = decode(decoder, &record, &event);
			assert_true(ret == 0 || ret == -EBADMSG);
			memcpy(record.data + at, &truth, 8);
		}
	}
	buffer__free(&record);
	event_decoder__free(decoder);
}

static void records_find_their_attribute_by_id(void **state)
{
	const struct perf_event_attr small = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP, .sample_id_all = 1};
	const struct perf_event_attr large = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TIME,
		.sample_id_all = 1};
	const uint64_t small_ids[] = {30, 10}, large_ids[] = {20, 40};
	struct event_decoder *decoder = decoder_of(NULL);
	struct buffer record;
	struct event event;

	(void)state;
	assert_int_equal(event_decoder__add_attr(decoder, &small, small_ids, 2), 0);
	assert_int_equal(event_decoder__add_attr(decoder, &large, large_ids, 2), 0);

	begin(&record, PERF_RECORD_SAMPLE, 0);
	buffer__u64(&record, 40);
	buffer__u64(&record, 0x1000);
	buffer__u64(&record, 77);
	assert_int_equal(decode(decoder, &record, &event), 0);
	assert_int_equal(event.time_ns, 77);

	record.data[8] = 10;
	assert_int_equal(decode(decoder, &record, &event), 0);
	assert_int_equal(event.time_ns, 0);

	record.data[8] = 11; /* of no event */
	assert_int_equal(decode(decoder, &record, &event), -EBADMSG);
	buffer__free(&record);

	/* In other records the id is at the end; 0 is the first attribute's. */
	begin(&record, PERF_RECORD_COMM, 0);
	buffer__u32(&record, 7);
	buffer__u32(&record, 8);
	buffer__append(&record, "bash\0\0\0", 8);
	buffer__u64(&record, 78);
	buffer__u64(&record, 20);
	assert_int_equal(decode(decoder, &record, &event), 0);
	assert_int_equal(event.time_ns, 78);
	assert_string_equal(event.comm.comm, "bash");
	record.data[record.size - 8] = 0;
	assert_int_equal(decode(decoder, &record, &event), 0);
	assert_int_equal(event.time_ns, 0);
	buffer__free(&record);
	event_decoder__free(decoder);
}

/* As kernels tell of a symbol that another recorder was told of before. */
static void trailer_of_a_symbol_may_be_early(void **state)
{
	const struct perf_event_attr first = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME, .sample_id_all = 1};
	const struct perf_event_attr second = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME | PERF_SAMPLE_IP,
		.sample_id_all = 1};
	const uint64_t first_ids[] = {10}, second_ids[] = {20};
	struct event_decoder *decoder = decoder_of(NULL);
	struct buffer record;
	struct event event;

	(void)state;
	assert_int_equal(event_decoder__add_attr(decoder, &first, first_ids, 1), 0);
	assert_int_equal(event_decoder__add_attr(decoder, &second, second_ids, 1), 0);
	begin(&record, PERF_RECORD_KSYMBOL, 0);
	buffer__u64(&record, 0xffffffffc0000000);
	buffer__u32(&record, 64);
	buffer__u32(&record, PERF_RECORD_KSYMBOL_TYPE_BPF);
	buffer__append(&record, "bpf_pro\0", 8);
	buffer__u64(&record, 79);
	buffer__u64(&record, 20);
	buffer__u64(&record, 0x1234); /* what was in the ring before */
	buffer__u64(&record, 0x5678);
	assert_int_equal(decode(decoder, &record, &event), 0);
	assert_int_equal(event.time_ns, 79);
	assert_int_equal(event.ksymbol.len, 64);
	assert_string_equal(event.ksymbol.name, "bpf_pro");
	record.data[40] = 21; /* that id is of no event either */
	assert_int_equal(decode(decoder, &record, &event), -EBADMSG);
	buffer__free(&record);

	begin(&record, PERF_RECORD_BPF_EVENT, 0);
	buffer__u32(&record, PERF_BPF_EVENT_PROG_LOAD);
	buffer__u32(&record, 9);
	buffer__u64(&record, 0x1122334455667788);
	buffer__u64(&record, 80);
	buffer__u64(&record, 10);
	buffer__u64(&record, 0x5678);
	assert_int_equal(decode(decoder, &record, &event), 0);
	assert_int_equal(event.time_ns, 80);
	buffer__free(&record);
	event_decoder__free(decoder);
}

static void a_sample_needs_an_attribute(void **state)
{
	struct event_decoder *decoder = decoder_of(NULL);
	struct buffer record;
	struct event event;

	(void)state;
	begin(&record, PERF_RECORD_SAMPLE, 0);
	buffer__u64(&record, 1);
	assert_int_equal(decode(decoder, &record, &event), -EBADMSG);
	buffer__free(&record);
	event_decoder__free(decoder);
}

static const struct perf_event_attr plain = {.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME};

static void put_mmap2(struct buffer *out, uint16_t misc)
{
	begin(out, PERF_RECORD_MMAP2, misc);
	buffer__u32(out, 7);
	buffer__u32(out, 8);
	buffer__u64(out, 0x1000);
	buffer__u64(out, 0x2000);
	buffer__u64(out, 0);
	buffer__zeros(out, 24); /* build-id, or device and inode */
	buffer__u32(out, 5);
	buffer__u32(out, 2);
	buffer__append(out, "/bin/a\0", 8);
}

static void perfs_own_maps_tell_less(void **state)
{
	struct event_decoder *decoder = decoder_of(&plain);
	struct buffer record;
	struct event event;

	(void)state;
	put_mmap2(&record, PERF_RECORD_MISC_USER);
	assert_int_equal(decode(decoder, &record, &event), 0);
	assert_false(event.map.stamped);
	assert_int_equal(event.map.identity.source, PERFSTAMP_SOURCE_NONE);
	assert_int_equal(event.map.identity.reason, PERFSTAMP_REASON_UNKNOWN);
	assert_int_equal(event.time_ns, 0);
	buffer__free(&record);

	put_mmap2(&record, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID);
	record.data[40] = 8;
	memcpy(record.data + 44, "ABCDEFGH", 8);
	assert_int_equal(decode(decoder, &record, &event), 0);
	assert_int_equal(event.map.identity.source, PERFSTAMP_SOURCE_NATIVE);
	assert_int_equal(event.map.identity.build_id_size, 8);
	assert_memory_equal(event.map.identity.build_id, "ABCDEFGH", 8);
	record.data[40] = 21;
	assert_int_equal(decode(decoder, &record, &event), -EBADMSG);
	buffer__free(&record);
	event_decoder__free(decoder);
}

static void an_old_mmap_is_a_map_too(void **state)
{
	struct event_decoder *decoder = decoder_of(&plain);
	struct buffer record;
	struct event event;

	(void)state;
	begin(&record, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	buffer__u32(&record, UINT32_MAX);
	buffer__u32(&record, 0);
	buffer__u64(&record, 0x1000);
	buffer__u64(&record, 0x2000);
	buffer__u64(&record, 0);
	buffer__append(&record, "[kernel.kallsyms]_text\0", 24);
	assert_int_equal(decode(decoder, &record, &event), 0);
	assert_int_equal(event.kind, EVENT_MAP);
	assert_true(event.map.kernel);
	assert_true(event.map.executable);
	assert_int_equal(event.pid, UINT32_MAX);
	record.data[record.size - 1] = 'x';
	record.data[record.size - 2] = 'x';
	assert_int_equal(decode(decoder, &record, &event), -EBADMSG); /* no end of the name */
	buffer__free(&record);
	event_decoder__free(decoder);
}

static void dropped_by_a_filter_is_no_loss(void **state)
{
	struct event_decoder *decoder = decoder_of(&plain);
	struct buffer record;
	struct event event;

	(void)state;
	begin(&record, PERF_RECORD_LOST_SAMPLES, PERFDATA_MISC_LOST_SAMPLES_BPF);
	buffer__u64(&record, 9);
	assert_int_equal(decode(decoder, &record, &event), 0);
	assert_int_equal(event.kind, EVENT_OTHER);
	record.data[5] = 0;
	assert_int_equal(decode(decoder, &record, &event), 0);
	assert_int_equal(event.kind, EVENT_LOST);
	assert_int_equal(event.lost.lost, 9);
	buffer__free(&record);
	event_decoder__free(decoder);
}

static void unknown_records_pass(void **state)
{
	struct event_decoder *decoder = decoder_of(&full);
	struct buffer record;
	struct event event;

	(void)state;
	begin(&record, 1000, 0);
	assert_int_equal(decode(decoder, &record, &event), 0);
	assert_int_equal(event.kind, EVENT_OTHER);
	assert_int_equal(event.raw_size, 8);
	buffer__free(&record);
	begin(&record, PERFDATA_RECORD_CALLCHAIN_DEFERRED, 0);
	buffer__zeros(&record, 64);
	record.data[record.size - 40] = 77; /* the time in its trailer */
	assert_int_equal(decode(decoder, &record, &event), 0);
	assert_int_equal(event.kind, EVENT_OTHER);
	assert_int_equal(event.time_ns, 77);
	buffer__free(&record);
	event_decoder__free(decoder);
}

static void attributes_are_limited(void **state)
{
	static uint64_t ids[1 << 20];
	struct event_decoder *decoder = decoder_of(&plain);

	(void)state;
	assert_int_equal(event_decoder__add_attr(decoder, &plain, ids, 1 << 20), -E2BIG);
	for (int i = 1; i < 4096; i++)
		assert_int_equal(event_decoder__add_attr(decoder, &plain, NULL, 0), 0);
	assert_int_equal(event_decoder__add_attr(decoder, &plain, NULL, 0), -E2BIG);
	event_decoder__free(decoder);
}

static void live_records(void **state)
{
	union {
		struct perfstamp_map map;
		struct perfstamp_thread thread;
		uint8_t bytes[sizeof(struct perfstamp_map) + 8];
	} u = {};
	struct event event, comm;
	struct error err;

	(void)state;
	u.map.record = (struct perfstamp_record){
		PERFSTAMP_RECORD_MAP, PERFSTAMP_MAP_SNAPSHOT, sizeof(u), 99, 7, 8};
	u.map.addr = 0x1000;
	u.map.identity.build_id_size = 20;
	u.map.cpu = 3;
	u.map.path_size = 5;
	memcpy(u.map.path, "/a/b", 5);
	assert_int_equal(event__from_map_record(&event, &u, sizeof(u), &err), 0);
	assert_int_equal(event.kind, EVENT_MAP);
	assert_int_equal(event.map.flags, PERFSTAMP_MAP_SNAPSHOT);
	assert_int_equal(event.time_ns, 99);
	assert_int_equal(event.cpu, 3);
	assert_string_equal(event.map.path, "/a/b");
	u.map.path_size = 4; /* its last byte is no NUL */
	assert_int_equal(event__from_map_record(&event, &u, sizeof(u), &err), -EBADMSG);
	u.map.path_size = 9;
	assert_int_equal(event__from_map_record(&event, &u, sizeof(u), &err), -EBADMSG);
	u.map.path_size = 5;
	u.map.identity.cookie_size = 21;
	assert_int_equal(event__from_map_record(&event, &u, sizeof(u), &err), -EBADMSG);
	assert_int_equal(event__from_map_record(&event, &u, sizeof(u) - 1, &err), -EBADMSG);

	memset(&u, 0, sizeof(u));
	u.thread.record = (struct perfstamp_record){
		PERFSTAMP_RECORD_THREAD, 0, sizeof(u.thread), 0, 7, 8};
	u.thread.ppid = 5;
	memcpy(u.thread.comm, "bash", 5);
	assert_int_equal(event__from_thread_record(&event, &comm, &u, sizeof(u), &err), 0);
	assert_int_equal(event.kind, EVENT_FORK);
	assert_int_equal(event.fork.ppid, 7); /* a thread's parent is its process */
	assert_int_equal(event.misc, PERF_RECORD_MISC_FORK_EXEC);
	assert_string_equal(comm.comm.comm, "bash");
	u.thread.record.tid = 7;
	assert_int_equal(event__from_thread_record(&event, &comm, &u, sizeof(u), &err), 0);
	assert_int_equal(event.fork.ppid, 5);
	memset(u.thread.comm, 'x', sizeof(u.thread.comm));
	assert_int_equal(event__from_thread_record(&event, &comm, &u, sizeof(u), &err), -EBADMSG);
	assert_int_equal(event__from_map_record(&event, &u, sizeof(u), &err), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_sample_is_parsed_through),
		cmocka_unit_test(a_single_count_is_parsed),
		cmocka_unit_test(registers_and_stack_are_handed_out),
		cmocka_unit_test(a_copy_has_its_own_branches),
		cmocka_unit_test(lying_lengths_are_refused),
		cmocka_unit_test(records_find_their_attribute_by_id),
		cmocka_unit_test(trailer_of_a_symbol_may_be_early),
		cmocka_unit_test(a_sample_needs_an_attribute),
		cmocka_unit_test(perfs_own_maps_tell_less),
		cmocka_unit_test(an_old_mmap_is_a_map_too),
		cmocka_unit_test(dropped_by_a_filter_is_no_loss),
		cmocka_unit_test(unknown_records_pass),
		cmocka_unit_test(attributes_are_limited),
		cmocka_unit_test(live_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
