// SPDX-License-Identifier: GPL-2.0-only
/* See bpf_prog.h. Offsets are those of struct bpf_prog_info in include/uapi/linux/bpf.h. */
#include "user/perfdata/features/bpf_prog.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "user/base/text.h"
#include "user/perfdata/layout.h"

/* Reads one entry of @in: those fields of a program that the file has. */
static void take_program(struct cursor *in, struct bpf_prog *ret)
{
	uint32_t info_size = cursor__u32(in), data_size = cursor__u32(in);
	struct cursor info;

	memset(ret, 0, sizeof(*ret));
	cursor__u64(in); /* bit set of the arrays that exist */
	info = cursor__sub(in, info_size);
	cursor__skip(in, data_size);
	ret->type = cursor__u32(&info);
	ret->id = cursor__u32(&info);
	cursor__copy(&info, ret->tag, sizeof(ret->tag));
	ret->code_size = cursor__u32(&info);
	cursor__skip(&info, 64 - 20);
	cursor__copy(&info, ret->name, sizeof(ret->name) - 1);
	cursor__skip(&info, 104 - 80);
	ret->n_functions = cursor__u32(&info);
	cursor__skip(&info, 128 - 108);
	ret->btf_id = cursor__u32(&info);
	if (info.failed)
		in->failed = true;
}

int bpf_prog__parse(const void *bytes, size_t size, bool swap, bpf_prog_fn *fn, void *ctx)
{
	struct bpf_prog prog;
	struct cursor in;
	uint32_t n;
	int code = 0;

	cursor__init(&in, bytes, size, swap);
	/* Each iteration consumes bytes, so a wrong count ends the loop at the end of the bytes. */
	for (n = cursor__u32(&in); !code && n && !in.failed; n--) {
		take_program(&in, &prog);
		if (!in.failed)
			code = fn(ctx, &prog);
	}
	return in.failed ? -EBADMSG : code;
}

int bpf_btf__parse(const void *bytes, size_t size, bool swap, bpf_btf_fn *fn, void *ctx)
{
	struct cursor in;
	uint32_t n, id, btf_size;
	int code = 0;

	cursor__init(&in, bytes, size, swap);
	for (n = cursor__u32(&in); !code && n && !in.failed; n--) {
		id = cursor__u32(&in);
		btf_size = cursor__u32(&in);
		cursor__skip(&in, btf_size);
		if (!in.failed)
			code = fn(ctx, id, btf_size);
	}
	return in.failed ? -EBADMSG : code;
}

/* ---- Text ---- */

struct shown {
	struct buffer *out;
	const char *heading;
	size_t n;
};

/* Begins a line with the feature's name. The table of features has done that for the first line. */
static void begin_line(struct shown *shown)
{
	if (shown->n++)
		buffer__printf(shown->out, "\n%s: ", shown->heading);
}

static int show_program(void *ctx, const struct bpf_prog *prog)
{
	struct shown *shown = ctx;
	char tag[2 * sizeof(prog->tag) + 1], name[4 * sizeof(prog->name) + 1];

	begin_line(shown);
	text__hex(tag, sizeof(tag), prog->tag, sizeof(prog->tag));
	text__escape(name, sizeof(name), prog->name);
	buffer__printf(shown->out, "id %" PRIu32 ", tag %s, name %s, type %" PRIu32, prog->id, tag,
		*name ? name : "-", prog->type);
	buffer__printf(shown->out, ", %" PRIu32 " functions, %" PRIu32 " bytes", prog->n_functions,
		prog->code_size);
	if (prog->btf_id)
		buffer__printf(shown->out, ", types %" PRIu32, prog->btf_id);
	return shown->out->error;
}

static int show_btf(void *ctx, uint32_t id, uint32_t size)
{
	struct shown *shown = ctx;

	begin_line(shown);
	buffer__printf(shown->out, "id %" PRIu32 ", %" PRIu32 " bytes", id, size);
	return shown->out->error;
}

void bpf_prog__show(struct buffer *out, struct cursor *in)
{
	struct shown shown = {.out = out, .heading = "bpf programs"};
	size_t size = cursor__remaining(in);
	const void *bytes = cursor__bytes(in, size);

	if (bpf_prog__parse(bytes, size, in->swap, show_program, &shown) == -EBADMSG)
		in->failed = true;
	if (!shown.n)
		buffer__printf(out, "none");
}

void bpf_btf__show(struct buffer *out, struct cursor *in)
{
	struct shown shown = {.out = out, .heading = "bpf types"};
	size_t size = cursor__remaining(in);
	const void *bytes = cursor__bytes(in, size);

	if (bpf_btf__parse(bytes, size, in->swap, show_btf, &shown) == -EBADMSG)
		in->failed = true;
	if (!shown.n)
		buffer__printf(out, "none");
}

int bpf_prog__measure(unsigned int feature, const void *bytes, size_t size, bool swap,
	uint32_t *ret_n, size_t *ret_size)
{
	struct bpf_prog ignored;
	struct cursor in;
	uint32_t n;

	cursor__init(&in, bytes, size, swap);
	n = *ret_n = cursor__u32(&in);
	for (; n && !in.failed; n--) {
		if (feature == HEADER_BPF_PROG_INFO) {
			take_program(&in, &ignored);
		} else {
			cursor__u32(&in);
			cursor__skip(&in, cursor__u32(&in));
		}
	}
	*ret_size = size - cursor__remaining(&in);
	return in.failed ? -EBADMSG : 0;
}
