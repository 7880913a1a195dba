/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's types (BTF), against which BPF programs are relocated. Whoever loads an object
 * alone has libbpf read 5 MB, and look through all types for each of the object's. Here they
 * are read once for all objects of a start, and each object is given a BTF of only the types
 * that it names, with what these consist of. The ids of types are then other than the
 * kernel's: programs that need these have them from kernel_types__casts().
 *
 * Not for several threads. Inside user/source only, except hold and release.
 */
#ifndef PERFSTAMP_SOURCE_KERNEL_TYPES_H
#define PERFSTAMP_SOURCE_KERNEL_TYPES_H

#include <stdbool.h>

struct bpf_object_open_opts;
struct bpf_object_skeleton;
struct cast_types;

/* What has been read is kept until all who hold it have released it. */
void kernel_types__hold(void);
void kernel_types__release(void);

/* For X_bpf__open_opts() of a skeleton; valid as long as it is held. Never NULL. */
const struct bpf_object_open_opts *kernel_types__open_opts(void);
/* Whether the kernel has a struct, union or enum of this name. */
bool kernel_types__has(const char *name);
/* The kernel's ids of the types that bpf/read.h casts to; 0: it has none. */
void kernel_types__casts(struct cast_types *ret);
/* In place of X_bpf__load(): returns 0 or -errno; -ESRCH where the kernel has no BTF. */
int kernel_types__load(struct bpf_object_skeleton *skeleton);

#endif
