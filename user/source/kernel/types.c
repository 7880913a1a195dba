// SPDX-License-Identifier: GPL-2.0-only
/* See types.h. Does what bpftool gen min_core_btf does, but when recording starts. */
#include "user/source/kernel/types.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/casts.h"
#include "user/source/kernel/btf.h"

#define BUCKETS 16384 /* a power of two */

static struct {
	unsigned int held;
	bool tried;
	struct kernel_btf *kernel; /* NULL: the kernel has no BTF, and libbpf will report this */
	uint32_t buckets[BUCKETS]; /* lists of the ids of named structs, unions and enums */
	uint32_t *next;            /* the next id of each list, by id */
	int fd;                    /* of the file from which libbpf reads the part */
	char path[32];
	struct bpf_object_open_opts opts;
} types = {.fd = -1};

void kernel_types__hold(void)
{
	types.held++;
}

void kernel_types__release(void)
{
	if (--types.held)
		return;
	kernel_btf__free(types.kernel);
	free(types.next);
	if (types.fd >= 0)
		close(types.fd);
	memset(&types, 0, sizeof(types));
	types.fd = -1;
}

/* "task_struct___old" counts as "task_struct": the programs define the suffix. */
static size_t essential_length(const char *name)
{
	const char *flavor = strstr(name, "___");

	return flavor && flavor > name ? (size_t)(flavor - name) : strlen(name);
}

/* FNV-1a */
static uint32_t bucket_of(const char *name, size_t len)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (uint8_t)name[i]) * 16777619u;
	return hash % BUCKETS;
}

/* Whether a relocation can begin with this type. */
static bool is_root(const struct btf_type *type)
{
	return type->name_off && (btf_is_composite(type) || btf_is_any_enum(type));
}

static const char *name_of(uint32_t id)
{
	return kernel_btf__name(types.kernel, kernel_btf__type(types.kernel, id)->name_off);
}

static int read_types(void)
{
	uint32_t n, id, *bucket;
	const char *name;
	int code;

	code = kernel_btf__new(&types.kernel);
	if (code)
		return code;
	n = kernel_btf__count(types.kernel);
	types.next = calloc(n, sizeof(*types.next));
	if (!types.next)
		return -ENOMEM;
	/* From the last id down, so that each list is in ascending order. */
	for (id = n - 1; id; id--) {
		if (!is_root(kernel_btf__type(types.kernel, id)))
			continue;
		name = name_of(id);
		bucket = &types.buckets[bucket_of(name, essential_length(name))];
		types.next[id] = *bucket;
		*bucket = id;
	}
	/* Without this file, libbpf reads all types again. */
	types.fd = memfd_create("perfstamp-types", MFD_CLOEXEC);
	snprintf(types.path, sizeof(types.path), "/proc/self/fd/%d", types.fd);
	return 0;
}

/* If this fails, libbpf reads the types itself, and reports its own error. */
static bool have_types(void)
{
	if (!types.tried && read_types()) {
		kernel_btf__free(types.kernel);
		types.kernel = NULL;
	}
	types.tried = true;
	return types.kernel;
}

/* ---- Programs attached to something that has a type ---- */

/* They are attached by the kernel's type, whose name begins with .prefix. */
static const struct target {
	const char *sections;
	const char *prefix;
	uint32_t kind;
	enum bpf_attach_type attach_type;
} TARGETS[] = {
	{"iter+", "bpf_iter_", BTF_KIND_FUNC, BPF_TRACE_ITER},
	{"tp_btf+", "btf_trace_", BTF_KIND_TYPEDEF, BPF_TRACE_RAW_TP},
	{"fentry+", "", BTF_KIND_FUNC, BPF_TRACE_FENTRY},
};

#define N_TARGETS (sizeof(TARGETS) / sizeof(TARGETS[0]))

/* libbpf calls this before it loads a program. */
static int set_target(struct bpf_program *program, struct bpf_prog_load_opts *opts, long cookie)
{
	const char *name = strchr(bpf_program__section_name(program), '/');
	char full[128];

	if (!name || !types.kernel)
		return -ESRCH;
	snprintf(full, sizeof(full), "%s%s", TARGETS[cookie].prefix, name + 1);
	opts->attach_btf_id = kernel_btf__find(types.kernel, TARGETS[cookie].kind, full);
	if (!opts->attach_btf_id)
		return -ESRCH;
	return bpf_program__set_type(program, BPF_PROG_TYPE_TRACING);
}

/*
 * For each object with such a program, libbpf would read all types. It does not read them if the
 * program has another type until it is loaded.
 */
static void handle_targets(void)
{
	static bool done;

	for (size_t i = 0; !done && i < N_TARGETS; i++) {
		LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .cookie = i,
			.prog_prepare_load_fn = set_target);

		libbpf_register_prog_handler(TARGETS[i].sections, BPF_PROG_TYPE_RAW_TRACEPOINT,
			TARGETS[i].attach_type, &opts);
	}
	done = true;
}

/* ---- Objects ---- */

static const struct cast {
	int32_t number;
	const char *function;
} CASTS[] = {
	{CALL_RDONLY_CAST, "bpf_rdonly_cast"},
	{CALL_CAST_TO_KERN_CTX, "bpf_cast_to_kern_ctx"},
};

/*
 * If the kernel does not have the function, the number in the call is not replaced, and the program
 * never reaches the call. Even there, the verifier would reject a call of a kernel function: from
 * 5.13 to 5.15 because the BTF's id must be a valid one, and later on architectures, or kernels
 * without JIT, that have no such calls.
 */
static void set_casts(const struct cast *cast, uint8_t *object, size_t size)
{
	const struct bpf_insn from = {.code = BPF_JMP | BPF_CALL, .imm = cast->number};
	struct bpf_insn to = {.code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_KFUNC_CALL};

	for (size_t at = 0; at + sizeof(from) <= size; at += sizeof(from)) {
		if (memcmp(object + at, &from, sizeof(from)) != 0)
			continue;
		if (!to.imm && types.kernel)
			to.imm = kernel_btf__find(types.kernel, BTF_KIND_FUNC, cast->function);
		if (!to.imm)
			return;
		memcpy(object + at, &to, sizeof(to));
	}
}

int kernel_types__open(struct bpf_object_skeleton *skeleton)
{
	uint8_t *object = malloc(skeleton->data_sz);
	int code;

	if (!object)
		return -ENOMEM;
	types.opts.sz = sizeof(types.opts);
	types.opts.btf_custom_path = have_types() && types.fd >= 0 ? types.path : NULL;
	if (types.kernel)
		handle_targets();
	memcpy(object, skeleton->data, skeleton->data_sz);
	for (size_t i = 0; i < sizeof(CASTS) / sizeof(CASTS[0]); i++)
		set_casts(&CASTS[i], object, skeleton->data_sz);
	skeleton->data = object;
	code = bpf_object__open_skeleton(skeleton, &types.opts);
	/* libbpf has copied the parts that it needs. */
	skeleton->data = NULL;
	free(object);
	return code;
}

static uint32_t id_of(const char *name)
{
	uint32_t id = types.buckets[bucket_of(name, strlen(name))];

	while (id && strcmp(name, name_of(id)) != 0)
		id = types.next[id];
	return id;
}

bool kernel_types__has(const char *name)
{
	return have_types() && id_of(name);
}

/* kernel/bpf/verifier.c has this type if it knows bpf_rdonly_cast(). */
bool kernel_types__can_cast(void)
{
	uint32_t id = have_types() ? id_of("special_kfunc_type") : 0;
	const struct btf_type *type = id ? kernel_btf__type(types.kernel, id) : NULL;

	if (!type || !btf_is_enum(type))
		return false;
	for (size_t i = 0; i < btf_vlen(type); i++)
		if (!strcmp(kernel_btf__name(types.kernel, btf_enum(type)[i].name_off),
			    "KF_bpf_rdonly_cast"))
			return true;
	return false;
}

void kernel_types__casts(struct cast_types *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (!have_types())
		return;
	ret->timespec64 = id_of("timespec64");
	ret->perf_event_header = id_of("perf_event_header");
	ret->xa_node = id_of("xa_node");
}

/* Adds the types of the parts of @type that relocations look at: not the types behind pointers. */
static int add_components(struct btf_part *part, const struct btf_type *type)
{
	const struct btf_member *member = btf_members(type);
	int code = 0;

	switch (btf_kind(type)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		for (size_t i = 0; !code && i < btf_vlen(type); i++)
			code = btf_part__add(part, member[i].type);
		return code;
	case BTF_KIND_ARRAY:
		code = btf_part__add(part, btf_array(type)->type);
		return code ? code : btf_part__add(part, btf_array(type)->index_type);
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return btf_part__add(part, type->type);
	default:
		return 0;
	}
}

/* Adds all of the kernel's types that have the name of one of @object's types. */
static int add_roots(struct btf_part *part, const struct btf *object)
{
	const struct btf_type *type;
	const char *name, *candidate;
	uint32_t i, id;
	size_t len;
	int code = 0;

	for (i = 1; !code && i < btf__type_cnt(object); i++) {
		type = btf__type_by_id(object, i);
		if (!is_root(type))
			continue;
		name = btf__name_by_offset(object, type->name_off);
		len = essential_length(name);
		for (id = types.buckets[bucket_of(name, len)]; !code && id; id = types.next[id]) {
			candidate = name_of(id);
			if (essential_length(candidate) == len && !memcmp(candidate, name, len))
				code = btf_part__add(part, id);
		}
	}
	return code;
}

static int select_types(const struct btf *object)
{
	struct btf_part *part = btf_part__new(types.kernel);
	uint32_t id;
	int code;

	if (!part)
		return -ENOMEM;
	code = add_roots(part, object);
	for (id = 1; !code && id < btf_part__count(part); id++)
		code = add_components(
			part, kernel_btf__type(types.kernel, btf_part__original(part, id)));
	if (!code && (ftruncate(types.fd, 0) || lseek(types.fd, 0, SEEK_SET)))
		code = -errno;
	if (!code)
		code = btf_part__write(part, types.fd);
	btf_part__free(part);
	return code;
}

int kernel_types__load(struct bpf_object_skeleton *skeleton)
{
	int code = have_types() && types.fd >= 0 ? select_types(bpf_object__btf(*skeleton->obj))
						 : 0;

	return code ? code : bpf_object__load_skeleton(skeleton);
}
