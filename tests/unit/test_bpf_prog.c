// SPDX-License-Identifier: GPL-2.0-only
/*
 * BPF programs and their types as header features: read, shown, put together from
 * the records of a pipe, and refused where lengths lie.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "user/perfdata/features/bpf_prog.h"
#include "user/perfdata/features/features.h"
#include "user/perfdata/features/store.h"
#include "user/perfdata/features/features.h"

static void put_program(struct buffer *out, uint32_t id, const char *name, uint32_t n_functions)
{
	struct bpf_prog_info info = {
		.type = 26,
		.id = id,
		.tag = {1, 2, 3, 4, 5, 6, 7, (uint8_t)id},
		.jited_prog_len = 100,
		.nr_jited_ksyms = n_functions,
		.btf_id = 9,
	};

	memcpy(info.name, name, strlen(name));
	buffer__u32(out, BPF_PROG_INFO_SIZE);
	buffer__u32(out, 16); /* bytes of data */
	buffer__u64(out, 0);
	buffer__append(out, &info, BPF_PROG_INFO_SIZE);
	buffer__zeros(out, 16);
}

static void assert_shown(unsigned int id, const void *bytes, size_t size, const char *text)
{
	struct buffer buf;

	buffer__init(&buf, 0);
	assert_int_equal(feature__describe(&buf, id, bytes, size, false), 0);
	buffer__u8(&buf, 0);
	assert_string_equal((const char *)buf.data, text);
	buffer__free(&buf);
}

static void programs_are_shown_by_name_and_tag(void **state)
{
	struct buffer buf;

	(void)state;
	buffer__init(&buf, 0);
	buffer__u32(&buf, 2);
	put_program(&buf, 7, "on_exec", 1);
	put_program(&buf, 8, "a\x1b\n", 21);
	assert_true(feature__fits(HEADER_BPF_PROG_INFO, buf.data, buf.size, false));
	assert_shown(HEADER_BPF_PROG_INFO, buf.data, buf.size,
		"bpf programs: id 7, tag 0102030405060707, name on_exec, type 26, 1 functions, "
		"100 bytes, types 9\n"
		"bpf programs: id 8, tag 0102030405060708, name a\\x1b\\n, type 26, 21 functions, "
		"100 bytes, types 9\n");
	assert_shown(HEADER_BPF_PROG_INFO, "\0\0\0\0", 4, "bpf programs: none\n");
	buffer__free(&buf);
}

static int ignore(void *ctx, const struct bpf_prog *prog)
{
	(void)prog;
	++*(int *)ctx;
	return 0;
}

static void lengths_that_lie_are_refused(void **state)
{
	const uint32_t huge = UINT32_MAX, small = 100;
	struct buffer buf;
	size_t size;
	uint32_t n;
	int seen = 0;

	(void)state;
	buffer__init(&buf, 0);
	buffer__u32(&buf, 1);
	put_program(&buf, 7, "p", 1);
	for (size_t cut = 0; cut < buf.size; cut++)
		assert_int_equal(bpf_prog__parse(buf.data, cut, false, ignore, &seen), -EBADMSG);
	assert_int_equal(seen, 0);
	assert_int_equal(
		bpf_prog__measure(HEADER_BPF_PROG_INFO, buf.data, buf.size, false, &n, &size), 0);
	assert_int_equal(n, 1);
	assert_int_equal(size, buf.size);
	memcpy(buf.data, &huge, 4); /* how many */
	assert_int_equal(bpf_prog__parse(buf.data, buf.size, false, ignore, &seen), -EBADMSG);
	assert_int_equal(
		bpf_prog__measure(HEADER_BPF_BTF, buf.data, buf.size, false, &n, &size), -EBADMSG);
	buffer__truncate(&buf, 0);
	buffer__u32(&buf, 1);
	put_program(&buf, 7, "p", 1);
	memcpy(buf.data + 4, &small, 4); /* a program's fields end before what is read */
	assert_int_equal(bpf_prog__parse(buf.data, buf.size, false, ignore, &seen), -EBADMSG);
	memcpy(buf.data + 4, &huge, 4);
	assert_int_equal(bpf_prog__parse(buf.data, buf.size, false, ignore, &seen), -EBADMSG);
	buffer__free(&buf);
}

static void a_pipe_has_them_one_by_one(void **state)
{
	struct feature_store store = {0};
	struct file_header header = {.pipe = true};
	const uint8_t types[] = {1, 0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0, 'b', 't', 'f', '!'};
	const void *bytes;
	struct buffer buf;
	size_t size;

	(void)state;
	buffer__init(&buf, 0);
	for (uint32_t id = 1; id <= 100; id++) {
		buffer__truncate(&buf, 0);
		buffer__u32(&buf, 1);
		put_program(&buf, id, "p", 1);
		buffer__align(&buf, 0, 8); /* as records of pipes are */
		assert_int_equal(
			feature_store__put(&store, HEADER_BPF_PROG_INFO, buf.data, buf.size, false),
			0);
	}
	bytes = feature_store__get(&store, NULL, &header, HEADER_BPF_PROG_INFO, &size);
	assert_non_null(bytes);
	assert_int_equal(size, 4 + 100 * (16 + BPF_PROG_INFO_SIZE + 16));
	assert_int_equal(*(const uint32_t *)bytes, 100);
	assert_true(feature__fits(HEADER_BPF_PROG_INFO, bytes, size, false));
	assert_int_equal(
		feature_store__put(&store, HEADER_BPF_BTF, types, sizeof(types), false), 0);
	assert_int_equal(
		feature_store__put(&store, HEADER_BPF_BTF, types, sizeof(types), false), 0);
	/* What lies is the last one, too, and is shown as what it is. */
	bytes = feature_store__get(&store, NULL, &header, HEADER_BPF_BTF, &size);
	assert_shown(HEADER_BPF_BTF, bytes, size,
		"bpf types: id 5, 4 bytes\nbpf types: id 5, 4 bytes\n");
	assert_int_equal(
		feature_store__put(&store, HEADER_BPF_BTF, types, sizeof(types) - 1, false), 0);
	bytes = feature_store__get(&store, NULL, &header, HEADER_BPF_BTF, &size);
	assert_int_equal(size, sizeof(types) - 1);
	assert_non_null(bytes);
	feature_store__free(&store);
	buffer__free(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_are_shown_by_name_and_tag),
		cmocka_unit_test(lengths_that_lie_are_refused),
		cmocka_unit_test(a_pipe_has_them_one_by_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
