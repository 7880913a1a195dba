// SPDX-License-Identifier: GPL-2.0-only
/*
 * Header features: strings, perfstamp's own lines, event names, build-ids, the
 * table, and feature bits of 32-bit machines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <byteswap.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata_fixture.h"
#include "user/perfdata/features/event_desc.h"
#include "user/perfdata/features/features.h"
#include "user/perfdata/features/group_desc.h"
#include "user/perfdata/file_header.h"
#include "user/perfdata/features/stamp.h"
#include "user/perfdata/strings.h"

static void assert_text(const struct buffer *buf, const char *text)
{
	assert_int_equal(buf->size, strlen(text));
	assert_memory_equal(buf->data, text, buf->size);
}

static void strings_are_padded_to_64(void **state)
{
	static const size_t lengths[] = {0, 1, 62, 63, 64, 127, 128};
	char text[256];

	(void)state;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct buffer buf;
		uint32_t told;

		memset(text, 'x', sizeof(text));
		text[lengths[i]] = '\0';
		buffer__init(&buf, 0);
		assert_int_equal(strings__put(&buf, text), 0);
		memcpy(&told, buf.data, sizeof(told));
		assert_int_equal(told, (lengths[i] + 64) / 64 * 64);
		assert_int_equal(buf.size, 4 + told);
		assert_string_equal(feature__string(buf.data, buf.size, false), text);
		assert_null(feature__string(buf.data, buf.size - 1, false));
		memset(buf.data + 4, 'x', told);
		assert_null(feature__string(buf.data, buf.size, false));
		buffer__free(&buf);
	}
}

static void our_lines_hold_any_value(void **state)
{
	struct buffer buf, text;
	char value[32];

	(void)state;
	buffer__init(&buf, 0);
	buffer__init(&text, 0);
	assert_int_equal(stamp__put(&buf, "kernel", "6.1\n=x\\\x1b"), 0);
	assert_int_equal(stamp__put(&buf, "empty", ""), 0);
	assert_int_equal(stamp__put_number(&buf, "lost.ring", UINT64_MAX), 0);
	assert_int_equal(stamp__put(&buf, "Bad", "x"), -EINVAL);
	assert_int_equal(stamp__put(&buf, "", "x"), -EINVAL);
	assert_int_equal(stamp__put_number(&buf, "a=b", 1), -EINVAL);
	assert_text(&buf, "kernel=6.1\\n=x\\\\\\x1b\nempty=\nlost.ring=18446744073709551615\n");
	assert_int_equal(stamp__get(buf.data, buf.size, "kernel", value, sizeof(value)), 13);
	assert_string_equal(value, "6.1\\n=x\\\\\\x1b");
	assert_int_equal(stamp__get(buf.data, buf.size, "kernel", value, 4), 13);
	assert_string_equal(value, "6.1");
	assert_int_equal(stamp__get(buf.data, buf.size, "empty", value, 4), 0);
	assert_string_equal(value, "");
	assert_int_equal(stamp__describe(&text, buf.data, buf.size), 0);
	assert_text(&text, "perfstamp kernel: 6.1\\n=x\\\\\\x1b\nperfstamp empty: \n"
			   "perfstamp lost.ring: 18446744073709551615\n");
	buffer__free(&buf);
	buffer__free(&text);
}

static void forged_lines_are_refused(void **state)
{
	static const char *const rows[] = {
		"key", "key=value", "=x\n", "key=a\x1b[0m\n", "key=\xff\n", "k y=x\n", "a=b\n\n"};
	struct buffer text;

	(void)state;
	buffer__init(&text, 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(stamp__describe(&text, rows[i], strlen(rows[i])), -EBADMSG);
	assert_int_equal(stamp__describe(&text, "", 0), 0);
	buffer__free(&text);
}

static int count_names(void *ctx, size_t index, const struct event_desc *event)
{
	char *names = ctx;

	assert_int_equal(event->n_ids, index + 1);
	strcat(names, event->name);
	return 0;
}

static void event_names_come_back(void **state)
{
	const uint64_t ids[] = {1, 2};
	const struct event_desc events[] = {
		{.name = "a", .ids = ids, .n_ids = 1}, {.name = "b", .ids = ids, .n_ids = 2}};
	const uint32_t lie = UINT32_MAX;
	char names[8] = "";
	struct buffer buf, text;

	(void)state;
	buffer__init(&buf, 0);
	buffer__init(&text, 0);
	assert_int_equal(event_desc__encode(&buf, events, 2), 0);
	assert_int_equal(event_desc__parse(buf.data, buf.size, false, count_names, names), 0);
	assert_string_equal(names, "ab");
	assert_int_equal(feature__describe(&text, HEADER_EVENT_DESC, buf.data, buf.size, false), 0);
	assert_text(&text, "events: a (1 ids), b (2 ids)\n");
	memcpy(buf.data, &lie, sizeof(lie)); /* how many events */
	names[0] = '\0';
	assert_int_equal(
		event_desc__parse(buf.data, buf.size, false, count_names, names), -EBADMSG);
	buffer__free(&buf);
	buffer__free(&text);
}

static void the_table_writes_what_it_shows(void **state)
{
	static const char *const argv[] = {"record", "a\nb"};
	static const struct {
		unsigned int id;
		const char *text;
	} rows[] = {
		{HEADER_HOSTNAME, "hostname: h\\x1b\n"},
		{HEADER_ARCH, "arch: x86_64\n"},
		{HEADER_NRCPUS, "cpus: 1 online, 2 available\n"},
		{HEADER_TOTAL_MEM, "memory: 1234 kB\n"},
		{HEADER_CMDLINE, "command line: /bin/p record a\\nb\n"},
		{HEADER_CPU_TOPOLOGY, "cpu topology: packages 0-1; cores 0-1\n"},
		{HEADER_CLOCKID, "clock: 1 ns resolution\n"},
		{HEADER_CLOCK_DATA, "clock reference: clock 1 was 5 ns at 6 ns since the epoch\n"},
	};
	struct machine_info info = fixture__machine(argv);
	struct buffer buf, text;

	(void)state;
	info.hostname = "h\x1b";
	info.nr_cpus_online = 1;
	info.exe = "/bin/p";
	info.clock_ns = 5;
	info.wall_ns = 6;
	buffer__init(&buf, 0);
	buffer__init(&text, 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		buffer__reset(&buf);
		buffer__reset(&text);
		assert_int_equal(feature__encode(&buf, rows[i].id, &info), 0);
		assert_int_equal(
			feature__describe(&text, rows[i].id, buf.data, buf.size, false), 0);
		assert_text(&text, rows[i].text);
		assert_int_equal(
			feature__describe(&text, rows[i].id, buf.data, 3, false), -EBADMSG);
	}
	buffer__reset(&buf);
	assert_int_equal(feature__encode(&buf, HEADER_CPUID, &info), -ENODATA);
	assert_int_equal(feature__encode(&buf, HEADER_BUILD_ID, &info), -ENOTSUP);
	assert_int_equal(feature__encode(&buf, 100, &info), -ENOTSUP);
	assert_int_equal(feature__encode(&buf, 1000, &info), -ENOTSUP);
	assert_int_equal(buf.size, 0);
	assert_string_equal(feature__name(HEADER_ARCH), "arch");
	assert_null(feature__name(100));
	assert_false(feature__in_pipe(PERFSTAMP_FEATURE));
	assert_false(feature__in_pipe(1000));
	buffer__free(&buf);
	buffer__free(&text);
}

static void feature_bits_of_a_32_bit_machine_are_found(void **state)
{
	struct perfdata_header header = {
		.magic = PERFDATA_MAGIC_SWAPPED,
		.size = bswap_64(sizeof(header)),
		.attr_size = bswap_64(144),
		.attrs = {bswap_64(104), bswap_64(144)},
		.data = {bswap_64(248), bswap_64(8)},
	};
	struct file_header parsed;
	struct error err;
	uint32_t words[8] = {bswap_32(1u << HEADER_HOSTNAME), bswap_32(1u << 1)};

	(void)state;
	memcpy(header.features, words, sizeof(words));
	assert_int_equal(file_header__parse(&parsed, &header, sizeof(header), 4096, &err), 0);
	assert_true(file_header__has_feature(&parsed, HEADER_HOSTNAME));
	assert_true(file_header__has_feature(&parsed, 33));
	assert_int_equal(file_header__section_index(&parsed, 33), 1);
	memset(header.features, 0, sizeof(header.features));
	header.features[0] = bswap_64(1ull << HEADER_HOSTNAME | 1ull << 33);
	assert_int_equal(file_header__parse(&parsed, &header, sizeof(header), 4096, &err), 0);
	assert_true(file_header__has_feature(&parsed, HEADER_HOSTNAME));
	assert_true(file_header__has_feature(&parsed, 33));
	assert_false(file_header__has_feature(&parsed, 1));
}

static void put_feature(struct perfdata_writer *writer, unsigned int id)
{
	assert_int_equal(perfdata_writer__feature(writer, id, "12345678", 8, NULL), 0);
}

static bool has_feature(const struct buffer *file, unsigned int id)
{
	struct perfdata_header header = fixture__header(file);
	struct file_header parsed;
	struct error err;

	assert_int_equal(file_header__parse(&parsed, &header, sizeof(header), file->size, &err), 0);
	return file_header__has_feature(&parsed, id);
}

static void a_next_file_has_nothing_of_the_records_before(void **state)
{
	static const unsigned int OF_RECORDS[] = {
		HEADER_BUILD_ID, HEADER_SAMPLE_TIME, HEADER_BPF_PROG_INFO, HEADER_BPF_BTF};
	struct perfdata_writer *writer, *next;
	struct buffer first, second;
	int fds[2];

	(void)state;
	fds[0] = memfd_create("first", MFD_CLOEXEC);
	fds[1] = memfd_create("second", MFD_CLOEXEC);
	assert_int_equal(perfdata_writer__new(&writer, fds[0], "first", false), 0);
	fixture__write(writer);
	for (size_t i = 0; i < sizeof(OF_RECORDS) / sizeof(*OF_RECORDS); i++)
		put_feature(writer, OF_RECORDS[i]);
	assert_int_equal(perfdata_writer__finish(writer, NULL), 0);
	assert_int_equal(perfdata_writer__new_like(&next, writer, fds[1], "second", false), 0);
	assert_int_equal(perfdata_writer__begin(next, NULL), 0);
	assert_int_equal(perfdata_writer__finish(next, NULL), 0);
	fixture__take(fds[0], &first);
	fixture__take(fds[1], &second);
	for (size_t i = 0; i < sizeof(OF_RECORDS) / sizeof(*OF_RECORDS); i++) {
		assert_true(has_feature(&first, OF_RECORDS[i]));
		assert_false(has_feature(&second, OF_RECORDS[i]));
	}
	assert_true(has_feature(&second, HEADER_HOSTNAME));
	perfdata_writer__free(writer);
	perfdata_writer__free(next);
	buffer__free(&first);
	buffer__free(&second);
	close(fds[0]);
	close(fds[1]);
}

/* What decodes of two groups, of which @groups are written, in a file of 6 attributes. */
static int decode_groups(
	const struct group_desc *groups, struct buffer *bytes, struct group_desc **ret, size_t *n)
{
	struct cursor in;

	buffer__init(bytes, 0);
	assert_int_equal(group_desc__encode(bytes, groups, 2), 0);
	cursor__init(&in, bytes->data, bytes->size, false);
	return group_desc__decode(ret, n, &in, 6);
}

static void groups_of_events_come_back(void **state)
{
	static const struct group_desc good[] = {{"", 0, 2}, {"mine", 3, 3}};
	static const struct group_desc bad[][2] = {
		{{"", 0, 2}, {"", 1, 2}},          /* one is in both */
		{{"", 0, 2}, {"", 4, 3}},          /* the last does not exist */
		{{"", 0, 2}, {"", 6, 1}},          /* nor does the leader */
		{{"", 0, 2}, {"", 3, UINT32_MAX}}, /* nor would it if sums wrapped */
		{{"", 0, 0}, {"", 3, 1}},          /* nobody is in it */
	};
	struct group_desc *groups;
	struct buffer bytes;
	struct cursor in;
	size_t n;

	(void)state;
	assert_int_equal(decode_groups(good, &bytes, &groups, &n), 0);
	assert_int_equal(n, 2);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(groups[i].name, good[i].name);
		assert_int_equal(groups[i].leader, good[i].leader);
		assert_int_equal(groups[i].n, good[i].n);
	}
	free(groups);
	/* Cut anywhere. */
	for (size_t size = 0; size < bytes.size; size++) {
		cursor__init(&in, bytes.data, size, false);
		assert_int_equal(group_desc__decode(&groups, &n, &in, 6), -EBADMSG);
		assert_null(groups);
	}
	buffer__free(&bytes);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(decode_groups(bad[i], &bytes, &groups, &n), -EBADMSG);
		assert_null(groups);
		buffer__free(&bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_are_padded_to_64),
		cmocka_unit_test(our_lines_hold_any_value),
		cmocka_unit_test(forged_lines_are_refused),
		cmocka_unit_test(event_names_come_back),
		cmocka_unit_test(groups_of_events_come_back),
		cmocka_unit_test(the_table_writes_what_it_shows),
		cmocka_unit_test(feature_bits_of_a_32_bit_machine_are_found),
		cmocka_unit_test(a_next_file_has_nothing_of_the_records_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
