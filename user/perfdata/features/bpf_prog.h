/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The header features BPF_PROG_INFO and BPF_BTF: the loaded BPF programs, with their code
 * and the names of their functions. Layout: a count of 4 bytes, then as many entries, which
 * are struct perf_bpil (tools/perf/util/bpf-utils.h of Linux) with offsets into its data
 * for pointers, or id, size and the bytes of a BTF object. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_BPF_PROG_H
#define PERFSTAMP_PERFDATA_BPF_PROG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/cursor.h"

/*
 * Bytes of struct bpf_prog_info in an entry: up to what Linux 5.1 has, behind
 * which no array is given. perf refuses more than it knows itself.
 */
#define BPF_PROG_INFO_SIZE 192

/* As in struct bpf_prog_info. */
struct bpf_prog {
	uint32_t id;
	uint32_t type;
	uint8_t tag[8];
	char name[17];      /* cut to 15 bytes by the kernel */
	uint32_t code_size; /* bytes, of all its functions; 0 if it is not known */
	uint32_t n_functions;
	uint32_t btf_id; /* 0: none */
};

typedef int bpf_prog_fn(void *ctx, const struct bpf_prog *prog);
typedef int bpf_btf_fn(void *ctx, uint32_t id, uint32_t size);

/*
 * Calls @fn for each entry of a BPF_PROG_INFO. Returns 0, -EBADMSG if the bytes are
 * contradictory, or what @fn returned. Bytes behind the last entry are let pass: a pipe
 * pads.
 */
int bpf_prog__parse(const void *bytes, size_t size, bool swap, bpf_prog_fn *fn, void *ctx);
/* The same of a BPF_BTF. */
int bpf_btf__parse(const void *bytes, size_t size, bool swap, bpf_btf_fn *fn, void *ctx);

/* A line for each, as feature__describe() has them, but the last "\n"; sets @in->failed. */
void bpf_prog__show(struct buffer *out, struct cursor *in);
void bpf_btf__show(struct buffer *out, struct cursor *in);

/*
 * How many entries a feature (HEADER_BPF_*) has, and behind which byte the last of them
 * ends. Returns 0 or -EBADMSG.
 */
int bpf_prog__measure(unsigned int feature, const void *bytes, size_t size, bool swap,
	uint32_t *ret_n, size_t *ret_size);

#endif
