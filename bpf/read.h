/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads fields of kernel structs by address. If the verifier lets a program follow any
 * pointer, a field costs one load. Otherwise a helper copies it at twenty times that cost,
 * so neighboring fields are copied at once. A field that cannot be read is 0.
 */
#ifndef PERFSTAMP_BPF_READ_H
#define PERFSTAMP_BPF_READ_H

#include "bpf/casts.h"
#include "bpf/kernel.h"

/*
 * bpf_rdonly_cast() exists from 6.2 on (commit a35b9af4ec2c). It costs nothing, because the
 * verifier replaces it by a move. Older kernels never reach a call of it. It is not declared as the
 * kernel's function; see casts.h.
 */
static void *(*const rdonly_cast)(const void *object, __u32 btf_id) = (void *)CALL_RDONLY_CAST;

/* A kernel whose verifier knows bpf_rdonly_cast() has this in kernel/bpf/verifier.c. */
enum special_kfunc_type {
	KF_bpf_rdonly_cast = 1,
};

/*
 * The Makefile defines CAN_CAST for an object that it compiles for both kinds of kernel. For other
 * objects the value is known only when the program is loaded: the verifier then removes the branch
 * that is not taken, which takes longer the larger that branch is. The branch for newer kernels is
 * marked as likely. The other one is then at the end of the function, where it is removed quickly.
 */
#ifndef CAN_CAST
#define CAN_CAST                                                                                   \
	__builtin_expect(bpf_core_enum_value_exists(enum special_kfunc_type, KF_bpf_rdonly_cast), 1)
#endif

/* include/uapi/linux/perf_event.h */
struct perf_event_header___kernel {
	u32 type;
	u16 misc;
	u16 size;
} __attribute__((preserve_access_index));

/*
 * libbpf relocates against a subset of the types, with other ids; see user/source/kernel/types.c.
 */
const volatile struct cast_types cast_types = {};

#define CAST(name, type, addr) ((type *)rdonly_cast((const void *)(addr), cast_types.name))

/*
 * Reads numbers at any address, through structs that every kernel has and that contain such a
 * number. With the real type, the verifier would treat the value as a pointer, and would allow no
 * arithmetic on it.
 */
static __always_inline u64 cast__load(u64 addr, u32 size)
{
	switch (size) {
	case 8:
		return CAST(timespec64, struct timespec64, addr)->tv_sec;
	case 4:
		return CAST(perf_event_header, struct perf_event_header___kernel, addr)->type;
	case 2:
		return CAST(perf_event_header, struct perf_event_header___kernel, addr - 4)->misc;
	default:
		return CAST(xa_node, struct xa_node, addr)->shift;
	}
}

static __always_inline u64 read__u64(u64 addr)
{
	u64 value = 0;

	if (CAN_CAST)
		return cast__load(addr, sizeof(value));
	bpf_probe_read_kernel(&value, sizeof(value), (void *)addr);
	return value;
}

#define READ_COPY(type, addr, field)                                                               \
	({                                                                                         \
		typeof(((type *)0)->field) value_;                                                 \
		bpf_probe_read_kernel(&value_, sizeof(value_),                                     \
			(void *)((u64)(addr) + bpf_core_field_offset(type, field)));               \
		(u64) value_;                                                                      \
	})

/* Field @field, a number or a pointer, of the @type at @addr, as a u64. */
#define READ(type, addr, field)                                                                    \
	(CAN_CAST ? cast__load((u64)(addr) + bpf_core_field_offset(type, field),                   \
			    sizeof(((type *)0)->field))                                            \
		  : READ_COPY(type, addr, field))

/*
 * Like READ, for a struct whose first @bytes bytes FRONT_COPY has copied to @front. It copies them
 * only if that is faster. A field outside of these bytes is read from the object, because
 * CONFIG_RANDSTRUCT moves fields.
 */
#define FRONT_COPY(front, bytes, addr)                                                             \
	do {                                                                                       \
		if (!CAN_CAST)                                                                     \
			bpf_probe_read_kernel(front, bytes, (void *)(addr));                       \
	} while (0)

#define FRONT_READ(front, bytes, type, addr, field)                                                \
	(!CAN_CAST && bpf_core_field_offset(type, field) + sizeof(((type *)0)->field) <= (bytes)   \
			? (u64)((type *)(front))->field                                            \
			: READ(type, addr, field))

#endif
