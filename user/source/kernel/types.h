/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's types (BTF), against which BPF programs are relocated. By default, libbpf reads 5 MB
 * for each object, and searches all types for each of the object's types. Here they are read once
 * for all objects at startup, and each object gets a BTF of only the types that it names, with
 * their members' types. These types have other ids than in the kernel. Programs that need the
 * kernel's ids get them from kernel_types__casts().
 *
 * Not for several threads. Inside user/source only, except hold and release.
 */
#ifndef PERFSTAMP_SOURCE_KERNEL_TYPES_H
#define PERFSTAMP_SOURCE_KERNEL_TYPES_H

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

struct bpf_object_skeleton;
struct cast_types;

/* The types are kept until all holders have released them. */
void kernel_types__hold(void);
void kernel_types__release(void);

/*
 * Replaces X_bpf__open() of skeleton X_bpf while the types are held. Returns the new struct X_bpf,
 * or NULL with errno. Programs of iter, tp_btf and fentry must then be attached by
 * bpf_program__attach_iter() and bpf_program__attach_trace().
 */
#define KERNEL_TYPES_OPEN(x_bpf) KERNEL_TYPES_OPEN_EITHER(x_bpf, x_bpf)
/* @copying_bpf is the same for kernels where programs may not follow pointers: bpf/read.h. */
#define KERNEL_TYPES_OPEN_EITHER(x_bpf, copying_bpf)                                               \
	({                                                                                         \
		struct x_bpf *new_ = calloc(1, sizeof(*new_));                                     \
		int code_ = new_ ? x_bpf##__create_skeleton(new_) : -ENOMEM;                       \
                                                                                                   \
		if (!code_ && !kernel_types__can_cast())                                           \
			new_->skeleton->data = copying_bpf##__elf_bytes(&new_->skeleton->data_sz); \
		if (!code_)                                                                        \
			code_ = kernel_types__open(new_->skeleton);                                \
		if (code_) {                                                                       \
			x_bpf##__destroy(new_);                                                    \
			new_ = NULL;                                                               \
			errno = -code_;                                                            \
		}                                                                                  \
		new_;                                                                              \
	})
int kernel_types__open(struct bpf_object_skeleton *skeleton);

/* Whether programs may follow any pointer, after a cast: from Linux 6.2 on. */
bool kernel_types__can_cast(void);
/* Whether the kernel has a struct, union or enum of this name. */
bool kernel_types__has(const char *name);
/*
 * The kernel's ids of the types that bpf/read.h casts to; 0 if the kernel does not have the type.
 */
void kernel_types__casts(struct cast_types *ret);
/* Replaces X_bpf__load(). Returns 0 or -errno; -ESRCH if the kernel has no BTF. */
int kernel_types__load(struct bpf_object_skeleton *skeleton);

#endif
