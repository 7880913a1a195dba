/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The header features BPF_PROG_INFO and BPF_BTF: the loaded BPF programs, with their code and the
 * names of their functions. Layout: a count of 4 bytes, then the entries. An entry is either a
 * struct perf_bpil (tools/perf/util/bpf-utils.h of Linux), with offsets into its data instead of
 * pointers, or the id, the size and the bytes of a BTF object. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_BPF_PROG_H
#define PERFSTAMP_PERFDATA_BPF_PROG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/cursor.h"

/*
 * Bytes of struct bpf_prog_info in an entry: the fields of Linux 5.1, after which no arrays were
 * added. perf refuses an entry that is larger than the struct that it knows.
 */
#define BPF_PROG_INFO_SIZE 192

/* As in struct bpf_prog_info. */
struct bpf_prog {
	uint32_t id;
	uint32_t type;
	uint8_t tag[8];
	char name[17];      /* truncated to 15 bytes by the kernel */
	uint32_t code_size; /* bytes of all its functions; 0 if not known */
	uint32_t n_functions;
	uint32_t btf_id; /* 0: none */
};

typedef int bpf_prog_fn(void *ctx, const struct bpf_prog *prog);
typedef int bpf_btf_fn(void *ctx, uint32_t id, uint32_t size);

/*
 * Calls @fn for each entry of a BPF_PROG_INFO. Returns 0, -EBADMSG if the bytes are contradictory,
 * or what @fn returned. Bytes after the last entry are ignored, because a pipe pads.
 */
int bpf_prog__parse(const void *bytes, size_t size, bool swap, bpf_prog_fn *fn, void *ctx);
/* The same for a BPF_BTF. */
int bpf_btf__parse(const void *bytes, size_t size, bool swap, bpf_btf_fn *fn, void *ctx);

/*
 * Appends a line for each entry, as feature__describe() does, but without the last "\n". Sets
 * @in->failed if the bytes are contradictory.
 */
void bpf_prog__show(struct buffer *out, struct cursor *in);
void bpf_btf__show(struct buffer *out, struct cursor *in);

/*
 * Determines the number of entries of a feature (HEADER_BPF_*), and the size up to the end of the
 * last one. Returns 0 or -EBADMSG.
 */
int bpf_prog__measure(unsigned int feature, const void *bytes, size_t size, bool swap,
	uint32_t *ret_n, size_t *ret_size);

#endif
