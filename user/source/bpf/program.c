// SPDX-License-Identifier: GPL-2.0-only
/*
 * See program.h, and get_bpf_prog_info_linear() in tools/perf/util/bpf-utils.c
 * of Linux: the kernel is asked how long its arrays are, then to fill them.
 */
#include "user/source/bpf/program.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "user/perfdata/features/bpf_prog.h"

#define TYPES_MAX (16u << 20) /* bytes; the kernel's own limit is 16 MiB */

_Static_assert(offsetof(struct bpf_prog_info, prog_tags) + 8 == BPF_PROG_INFO_SIZE,
	"an entry ends behind prog_tags");

/* Entries are in the order of enum perf_bpil_array, which also numbers the bits of .arrays. */
struct array {
	size_t pointer; /* offsets in struct bpf_prog_info */
	size_t count;
	size_t record_size; /* bytes of a record; 0: .fixed */
	uint32_t fixed;     /* bytes of a record */
	unsigned int bit;
};

#define OFFSET(field) offsetof(struct bpf_prog_info, field)

static const struct array arrays[] = {
	{OFFSET(jited_prog_insns), OFFSET(jited_prog_len), 0, 1, 0},
	{OFFSET(jited_ksyms), OFFSET(nr_jited_ksyms), 0, 8, 3},
	{OFFSET(jited_func_lens), OFFSET(nr_jited_func_lens), 0, 4, 4},
	{OFFSET(func_info), OFFSET(nr_func_info), OFFSET(func_info_rec_size), 0, 5},
	{OFFSET(line_info), OFFSET(nr_line_info), OFFSET(line_info_rec_size), 0, 6},
	{OFFSET(jited_line_info), OFFSET(nr_jited_line_info), OFFSET(jited_line_info_rec_size), 0,
		7},
	{OFFSET(prog_tags), OFFSET(nr_prog_tags), 0, BPF_TAG_SIZE, 8},
};

#define N_ARRAYS (sizeof(arrays) / sizeof(arrays[0]))

static uint32_t get_u32(const struct bpf_prog_info *info, size_t offset)
{
	uint32_t value;

	memcpy(&value, (const char *)info + offset, sizeof(value));
	return value;
}

static void set_u32(struct bpf_prog_info *info, size_t offset, uint32_t value)
{
	memcpy((char *)info + offset, &value, sizeof(value));
}

static void set_u64(struct bpf_prog_info *info, size_t offset, uint64_t value)
{
	memcpy((char *)info + offset, &value, sizeof(value));
}

static uint64_t size_of(const struct bpf_prog_info *info, const struct array *array)
{
	uint64_t size = array->record_size ? get_u32(info, array->record_size) : array->fixed;

	return (size * get_u32(info, array->count) + 7) / 8 * 8;
}

/* Places each array of @ret behind the previous one in @data; @told has their lengths. */
static void lay_out(struct bpf_prog_info *ret, const struct bpf_prog_info *told, uint8_t *data)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < N_ARRAYS; i++) {
		const struct array *array = &arrays[i];

		set_u32(ret, array->count, get_u32(told, array->count));
		if (array->record_size)
			set_u32(ret, array->record_size, get_u32(told, array->record_size));
		set_u64(ret, array->pointer, (uintptr_t)data);
		data += size_of(told, array);
	}
}

/* Replaces pointers by offsets. */
static void lay_offsets(struct bpf_prog_info *info)
{
	uint64_t offset = 0;

	for (size_t i = 0; i < N_ARRAYS; i++) {
		uint64_t size = size_of(info, &arrays[i]);

		set_u64(info, arrays[i].pointer, offset);
		offset += size;
	}
}

/* perf assumes one entry of each array for every function. */
static bool is_whole(const struct bpf_prog_info *info)
{
	uint64_t first = 0;

	if (!info->nr_jited_ksyms || !info->jited_ksyms || !info->jited_func_lens ||
		!info->prog_tags || info->nr_jited_func_lens != info->nr_jited_ksyms ||
		info->nr_prog_tags != info->nr_jited_ksyms)
		return false;
	/* An address of zero was hidden by kernel.kptr_restrict. */
	memcpy(&first, (const void *)(uintptr_t)info->jited_ksyms, sizeof(first));
	return first;
}

static int get_info(int fd, struct bpf_prog_info *info)
{
	uint32_t size = sizeof(*info);

	if (bpf_obj_get_info_by_fd(fd, info, &size))
		return -errno;
	return size < BPF_PROG_INFO_SIZE ? -ENODATA : 0;
}

static int read_program(int fd, struct buffer *out, uint32_t *ret_btf_id)
{
	struct bpf_prog_info told = {0}, info;
	size_t start = out->size;
	uint64_t mask = 0, data_size = 0;
	uint8_t *entry, *data;
	bool hidden;
	int code;

	code = get_info(fd, &told);
	if (code)
		return code;
	for (size_t i = 0; i < N_ARRAYS; i++) {
		mask |= 1ull << arrays[i].bit;
		data_size += size_of(&told, &arrays[i]);
	}
	if (data_size > UINT32_MAX)
		return -ENODATA;
	buffer__u32(out, BPF_PROG_INFO_SIZE);
	buffer__u32(out, data_size);
	buffer__u64(out, mask);
	buffer__zeros(out, BPF_PROG_INFO_SIZE + data_size);
	if (out->error)
		return out->error;
	entry = out->data + start + 16;
	data = entry + BPF_PROG_INFO_SIZE;
	lay_out(&info, &told, data);
	code = get_info(fd, &info);
	if (code)
		return code;
	for (size_t i = 0; i < N_ARRAYS; i++)
		if (size_of(&info, &arrays[i]) != size_of(&told, &arrays[i]))
			return -ENODATA;
	if (!is_whole(&info))
		return -ENODATA;
	/* With types perf looks up the name of every function in them. */
	if (info.nr_func_info != info.nr_jited_ksyms)
		info.btf_id = 0;
	*ret_btf_id = info.btf_id;
	hidden = !info.jited_prog_insns;
	lay_offsets(&info);
	/* If the kernel hides the code, it returns zeros, which would look like code. */
	if (hidden)
		info.jited_prog_len = 0;
	memcpy(entry, &info, BPF_PROG_INFO_SIZE);
	return 0;
}

int bpf_program__read(uint32_t id, struct buffer *out, uint32_t *ret_btf_id)
{
	size_t start = out->size;
	int fd = bpf_prog_get_fd_by_id(id), code;

	if (fd < 0)
		return -errno;
	code = read_program(fd, out, ret_btf_id);
	close(fd);
	if (code && !out->error)
		buffer__truncate(out, start);
	return code;
}

int bpf_program__read_types(uint32_t id, struct buffer *out)
{
	struct bpf_btf_info info = {0};
	uint32_t size = sizeof(info);
	size_t start = out->size;
	int fd = bpf_btf_get_fd_by_id(id), code = 0;

	if (fd < 0)
		return -errno;
	if (bpf_obj_get_info_by_fd(fd, &info, &size))
		code = -errno;
	else if (info.btf_size > TYPES_MAX)
		code = -ENODATA;
	if (code)
		goto cleanup;
	size = info.btf_size;
	buffer__u32(out, id);
	buffer__u32(out, size);
	memset(&info, 0, sizeof(info));
	info.btf = (uintptr_t)buffer__extend(out, size);
	info.btf_size = size;
	code = out->error;
	size = sizeof(info);
	if (!code && bpf_obj_get_info_by_fd(fd, &info, &size))
		code = -errno;
cleanup:
	close(fd);
	if (code && !out->error)
		buffer__truncate(out, start);
	return code;
}
