/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the types of the running kernel (BTF, Documentation/bpf/btf.rst of Linux), and
 * builds a subset of them. libbpf reads them into two copies of 5 MB each. This reads them
 * in place (by mmap, from Linux 6.16 on) or in one copy, and the subset is a few KB. Knows
 * the format, not the purpose of the types.
 */
#ifndef PERFSTAMP_SOURCE_KERNEL_BTF_H
#define PERFSTAMP_SOURCE_KERNEL_BTF_H

#include <bpf/btf.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_btf;
struct btf_part;

/* Returns 0; -ENOMEM; or -ESRCH if the kernel has no BTF, or has one of an unknown format. */
int kernel_btf__new(struct kernel_btf **ret);
void kernel_btf__free(struct kernel_btf *btf);

/* The number of types including void, like btf__type_cnt(): ids are below this number. */
uint32_t kernel_btf__count(const struct kernel_btf *btf);
/* The type of @id, which is above 0 and below the count. */
const struct btf_type *kernel_btf__type(const struct kernel_btf *btf, uint32_t id);
/* "" if @offset is not in the section of names. */
const char *kernel_btf__name(const struct kernel_btf *btf, uint32_t offset);
/*
 * Returns the id of the first type of @kind and @name, or 0 if there is none. This walks all types.
 * The program does about 13 walks when it starts; building an index of all names took 7 times as
 * long.
 */
uint32_t kernel_btf__find(const struct kernel_btf *btf, uint32_t kind, const char *name);

/* A part of the types, with ids from 1 on in the order of adding. Returns NULL without memory. */
struct btf_part *btf_part__new(const struct kernel_btf *btf);
void btf_part__free(struct btf_part *part);
/* Copies type @id, unless it is 0 (void) or already in the part. Returns 0, or -ENOMEM. */
int btf_part__add(struct btf_part *part, uint32_t id);
uint32_t btf_part__count(const struct btf_part *part);
/* Returns the kernel's id of the type that has @id in the part. */
uint32_t btf_part__original(const struct btf_part *part, uint32_t id);
/*
 * Replaces the kernel's ids in the types by the part's ids, and writes a BTF file of the types to
 * @fd. Skips the types that pointers point to, and those of functions. Can be called once. Returns
 * 0 or -errno.
 */
int btf_part__write(struct btf_part *part, int fd);

#endif
