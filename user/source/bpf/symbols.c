// SPDX-License-Identifier: GPL-2.0-only
/* See symbols.h. */
#include "user/source/bpf/symbols.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/base/text.h"

#define FUNCS_MAX 1024     /* functions of one program; the verifier's limit is 256 */
#define NAME_MAX_BYTES 512 /* KSYM_NAME_LEN */

/*
 * The data that the kernel returns for one program (include/uapi/linux/bpf.h, struct
 * bpf_prog_info).
 */
struct functions {
	uint64_t addr[FUNCS_MAX];
	uint32_t len[FUNCS_MAX];
	uint8_t tag[FUNCS_MAX][BPF_TAG_SIZE];
	struct bpf_func_info info[FUNCS_MAX];
};

/* Makes the name as bpf_get_prog_name() in kernel/bpf/core.c does. */
static void make_name(char *ret, const struct bpf_prog_info *info, const struct functions *funcs,
	const struct btf *btf, uint32_t i)
{
	char tag[2 * BPF_TAG_SIZE + 1];
	const struct btf_type *type = NULL;
	const char *name = info->nr_jited_ksyms == 1 ? info->name : "F";

	if (btf && i < info->nr_func_info)
		type = btf__type_by_id(btf, funcs->info[i].type_id);
	if (type)
		name = btf__name_by_offset(btf, type->name_off);
	text__hex(tag, sizeof(tag), funcs->tag[i], BPF_TAG_SIZE);
	if (name && *name)
		snprintf(ret, NAME_MAX_BYTES, "bpf_prog_%s_%s", tag, name);
	else
		snprintf(ret, NAME_MAX_BYTES, "bpf_prog_%s", tag);
}

/* Returns 1 if the program cannot be read. */
static int report_program(int fd, struct functions *funcs, bpf_symbol_fn *fn, void *ctx)
{
	struct event event = event__of_kernel(EVENT_KSYMBOL, PERF_RECORD_KSYMBOL);
	struct bpf_prog_info info = {
		.nr_jited_ksyms = FUNCS_MAX,
		.jited_ksyms = (uintptr_t)funcs->addr,
		.nr_jited_func_lens = FUNCS_MAX,
		.jited_func_lens = (uintptr_t)funcs->len,
		.nr_prog_tags = FUNCS_MAX,
		.prog_tags = (uintptr_t)funcs->tag,
		.nr_func_info = FUNCS_MAX,
		.func_info_rec_size = sizeof(funcs->info[0]),
		.func_info = (uintptr_t)funcs->info,
	};
	uint32_t size = sizeof(info), i;
	char name[NAME_MAX_BYTES];
	struct btf *btf = NULL;
	int code = 0;

	if (bpf_obj_get_info_by_fd(fd, &info, &size))
		return 1;
	if (info.nr_jited_ksyms > FUNCS_MAX || info.nr_jited_func_lens != info.nr_jited_ksyms ||
		info.nr_prog_tags < info.nr_jited_ksyms)
		return 1;
	if (info.btf_id)
		btf = btf__load_from_kernel_by_id(info.btf_id);
	for (i = 0; !code && i < info.nr_jited_ksyms; i++) {
		/* The address is hidden by kernel.kptr_restrict, or the program is not compiled. */
		if (!funcs->addr[i])
			continue;
		make_name(name, &info, funcs, btf, i);
		event.ksymbol.addr = funcs->addr[i];
		event.ksymbol.len = funcs->len[i];
		event.ksymbol.ksym_type = PERF_RECORD_KSYMBOL_TYPE_BPF;
		event.ksymbol.name = name;
		code = fn(ctx, &event);
	}
	btf__free(btf);
	/* The event of a program follows its symbols, where perf expects it. */
	if (!code) {
		event.kind = EVENT_BPF;
		event.type = PERF_RECORD_BPF_EVENT;
		event.bpf = (struct event_bpf){.type = PERF_BPF_EVENT_PROG_LOAD, .id = info.id};
		memcpy(event.bpf.tag, info.tag, sizeof(event.bpf.tag));
		code = fn(ctx, &event);
	}
	return code;
}

int bpf_symbols__synthesize(bpf_symbol_fn *fn, void *ctx)
{
	struct functions *funcs;
	bool unread = false;
	uint32_t id = 0;
	int fd, code = 0;

	funcs = calloc(1, sizeof(*funcs));
	if (!funcs)
		return -ENOMEM;
	while (code >= 0) {
		if (bpf_prog_get_next_id(id, &id)) {
			code = errno == ENOENT ? 0 : -errno;
			break;
		}
		fd = bpf_prog_get_fd_by_id(id);
		/* Programs that are unloaded meanwhile are skipped. */
		if (fd < 0) {
			unread |= errno != ENOENT;
			continue;
		}
		code = report_program(fd, funcs, fn, ctx);
		unread |= code > 0;
		close(fd);
	}
	free(funcs);
	return code ? code : unread;
}

int bpf_symbols__ids(uint32_t **ret, size_t *ret_n)
{
	uint32_t *ids = NULL, id = 0;
	size_t n = 0;
	int code;

	while (!bpf_prog_get_next_id(id, &id)) {
		if (array__extend(&ids, n, sizeof(*ids))) {
			free(ids);
			return -ENOMEM;
		}
		ids[n++] = id;
	}
	code = errno == ENOENT ? 0 : -errno;
	if (code) {
		free(ids);
		return code;
	}
	*ret = ids;
	*ret_n = n;
	return 0;
}
