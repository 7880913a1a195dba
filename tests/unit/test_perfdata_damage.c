// SPDX-License-Identifier: GPL-2.0-only
/*
 * Damaged files: every prefix and every flipped bit of small recordings of each
 * form gives events or -EBADMSG, and nothing else: no crash, no hang, no read
 * beyond an end (ASan looks on). 8 bytes of every place also hold large numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#include "perfdata_fixture.h"
#include "user/event/order.h"
#include "user/perfdata/features/build_id_table.h"
#include "user/perfdata/read/reader.h"

static int count(void *ctx, const struct event *event)
{
	/* What strings and arrays an event has, must be there. */
	if (event->kind == EVENT_MAP)
		*(size_t *)ctx += strlen(event->map.path);
	if (event->kind == EVENT_SAMPLE && event->sample.n_callchain)
		*(size_t *)ctx += event->sample.callchain[event->sample.n_callchain - 1] & 1;
	++*(size_t *)ctx;
	return 0;
}

static int take_entry(const struct build_id_entry *entry, void *ctx)
{
	*(size_t *)ctx += strlen(entry->path) + entry->size;
	return 0;
}

static void read_features(const struct perfdata_reader *reader, size_t *n)
{
	bool swap = perfdata_reader__is_foreign_order(reader);
	struct buffer text;
	char value[8];

	buffer__init(&text, 0);
	for (unsigned int id = 0; id < PERFDATA_FEATURE_BITS; id++) {
		size_t size;
		const void *bytes = perfdata_reader__feature(reader, id, &size);
		int ret;

		if (!bytes)
			continue;
		buffer__reset(&text);
		ret = feature__describe(&text, id, bytes, size, swap);
		assert_true(ret == 0 || ret == -EBADMSG);
		build_id_table__parse(bytes, size, swap, take_entry, n);
		stamp__get(bytes, size, "rung", value, sizeof(value));
	}
	buffer__free(&text);
}

/* Reads all that can be asked for; how many events there were. */
static size_t read_all(const uint8_t *bytes, size_t size)
{
	struct perfdata_reader *reader;
	struct event event;
	struct order *order;
	struct error err;
	size_t n = 0, released = 0;
	int ret = perfdata_reader__open_memory(&reader, bytes, size, "test", &err);

	if (ret) {
		assert_int_equal(ret, -EBADMSG);
		return 0;
	}
	assert_int_equal(order__new(&order, count, &released, 1 << 20), 0);
	while ((ret = perfdata_reader__next(reader, &event, &err)) == 1) {
		assert_int_equal(order__push(order, &event), 0);
		n++;
	}
	assert_true(ret == 0 || ret == -EBADMSG);
	order__flush(order);
	order__free(order);
	for (size_t i = 0; i < perfdata_reader__n_attrs(reader); i++) {
		const char *name = perfdata_reader__attr(reader, i)->name;

		released += name ? strlen(name) : 0;
	}
	read_features(reader, &released);
	perfdata_reader__free(reader);
	/* No record has fewer than 8 bytes; compressed ones are tens, not thousands. */
	assert_true(n <= size);
	return n;
}

static void damage(const struct buffer *file)
{
	static const uint64_t lies[] = {UINT64_MAX, INT64_MAX, 1ull << 32, 65535, 0};
	uint8_t *bytes;
	size_t whole;

	for (size_t size = 0; size <= file->size; size++) {
		/* An allocation of just this size, so that ASan sees its end. */
		bytes = malloc(size ? size : 1);
		memcpy(bytes, file->data, size);
		read_all(bytes, size);
		free(bytes);
	}
	bytes = malloc(file->size);
	memcpy(bytes, file->data, file->size);
	whole = read_all(bytes, file->size);
	assert_true(whole > 0);
	for (size_t bit = 0; bit < 8 * file->size; bit++) {
		bytes[bit / 8] ^= 1 << bit % 8;
		read_all(bytes, file->size);
		bytes[bit / 8] ^= 1 << bit % 8;
	}
	for (size_t at = 0; at + 8 <= file->size; at += 4) {
		for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
			memcpy(bytes + at, &lies[i], 8);
			read_all(bytes, file->size);
			memcpy(bytes + at, file->data + at, 8);
		}
	}
	assert_int_equal(read_all(bytes, file->size), whole);
	free(bytes);
}

static void a_file(void **state)
{
	struct buffer file;

	(void)state;
	fixture__make(&file, false);
	damage(&file);
	buffer__free(&file);
}

static void a_pipe(void **state)
{
	struct buffer file;

	(void)state;
	fixture__make(&file, true);
	damage(&file);
	buffer__free(&file);
}

static void a_file_of_the_other_order(void **state)
{
	struct buffer file;

	(void)state;
	fixture__make(&file, false);
	fixture__swap_file(&file);
	damage(&file);
	buffer__free(&file);
}

static void a_compressed_file(void **state)
{
	struct perfdata_header header;
	struct buffer file, out;
	uint8_t packed[8192];
	size_t size;

	(void)state;
	fixture__make(&file, false);
	header = fixture__header(&file);
	size = ZSTD_compress(
		packed, sizeof(packed), file.data + header.data.offset, header.data.size, 1);
	assert_false(ZSTD_isError(size));
	buffer__init(&out, 0);
	buffer__append(&out, file.data, header.data.offset);
	buffer__u32(&out, PERF_RECORD_COMPRESSED2);
	buffer__u16(&out, 0);
	buffer__u16(&out, 16 + ((size + 7) & ~7ul));
	buffer__u64(&out, size);
	buffer__append(&out, packed, size);
	buffer__align(&out, 0, 8);
	header.data.size = out.size - header.data.offset;
	memset(header.features, 0, sizeof(header.features));
	memcpy(out.data, &header, sizeof(header));
	damage(&out);
	buffer__free(&out);
	buffer__free(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file),
		cmocka_unit_test(a_pipe),
		cmocka_unit_test(a_file_of_the_other_order),
		cmocka_unit_test(a_compressed_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
