/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads one loaded BPF program and its types from the kernel, in the format of perf.data
 * (perfdata/features/bpf_prog.h). Does not know any file.
 */
#ifndef PERFSTAMP_SOURCE_BPF_PROGRAM_H
#define PERFSTAMP_SOURCE_BPF_PROGRAM_H

#include <stdint.h>

#include "user/base/buffer.h"

/*
 * Appends the entry of program @id to @out, and sets *@ret_btf_id to the id of the types that the
 * entry names, or to 0. The entry has the machine code, the functions with addresses and the lines,
 * but not the bytecode. Returns 0, -ENOENT if the program was unloaded, -ENODATA if the kernel
 * hides its addresses or reports less than perf needs, -EPERM without CAP_SYS_ADMIN, or -errno of
 * the buffer.
 */
int bpf_program__read(uint32_t id, struct buffer *out, uint32_t *ret_btf_id);

/* Appends the entry of BTF object @id. Returns 0, -ENOENT, -EPERM, or -errno. */
int bpf_program__read_types(uint32_t id, struct buffer *out);

#endif
