// SPDX-License-Identifier: GPL-2.0-only
/* See types.h. As bpftool gen min_core_btf, but while recording starts. */
#include "user/source/kernel/types.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/casts.h"
#include "user/io/whole.h"

#define BUCKETS 16384 /* a power of two */

static struct {
	unsigned int held;
	bool tried;
	struct btf *kernel;        /* NULL: it has none, and libbpf is to say so */
	uint32_t buckets[BUCKETS]; /* ids of named structs, unions and enums, as lists */
	uint32_t *next;            /* by id */
	int fd;                    /* of the file that libbpf reads the part from */
	char path[32];
	struct bpf_object_open_opts opts;
} types = {.fd = -1};

/* A part of the kernel's types that is being put together. */
struct part {
	struct btf *btf;
	uint32_t *ids;  /* of the kernel's types in it, by the kernel's id; 0: not there */
	uint32_t *from; /* the kernel's ids, by those in it */
};

void kernel_types__hold(void)
{
	types.held++;
}

void kernel_types__release(void)
{
	if (--types.held)
		return;
	btf__free(types.kernel);
	free(types.next);
	if (types.fd >= 0)
		close(types.fd);
	memset(&types, 0, sizeof(types));
	types.fd = -1;
}

/* Of "task_struct___old" as of "task_struct": what is behind is the programs' own. */
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

/* What a relocation can begin with. */
static const char *root_name(const struct btf *btf, const struct btf_type *type)
{
	const char *name = "";

	if (btf_is_composite(type) || btf_is_any_enum(type))
		name = btf__name_by_offset(btf, type->name_off);
	return name && *name ? name : NULL;
}

static int read_types(void)
{
	uint32_t n, id, *bucket;
	const char *name;

	types.kernel = btf__load_vmlinux_btf();
	if (libbpf_get_error(types.kernel)) {
		types.kernel = NULL;
		return -ESRCH;
	}
	n = btf__type_cnt(types.kernel);
	types.next = calloc(n, sizeof(*types.next));
	if (!types.next)
		return -ENOMEM;
	/* From the last, so that each list is in the order of ids. */
	for (id = n - 1; id; id--) {
		name = root_name(types.kernel, btf__type_by_id(types.kernel, id));
		if (!name)
			continue;
		bucket = &types.buckets[bucket_of(name, essential_length(name))];
		types.next[id] = *bucket;
		*bucket = id;
	}
	/* Without it, libbpf reads all of them once more. */
	types.fd = memfd_create("perfstamp-types", MFD_CLOEXEC);
	snprintf(types.path, sizeof(types.path), "/proc/self/fd/%d", types.fd);
	return 0;
}

/* Where it fails, libbpf reads them by itself, and fails by itself. */
static bool have_types(void)
{
	if (!types.tried && read_types()) {
		btf__free(types.kernel);
		types.kernel = NULL;
	}
	types.tried = true;
	return types.kernel;
}

const struct bpf_object_open_opts *kernel_types__open_opts(void)
{
	types.opts.sz = sizeof(types.opts);
	types.opts.btf_custom_path = have_types() && types.fd >= 0 ? types.path : NULL;
	return &types.opts;
}

static uint32_t id_of(const char *name)
{
	uint32_t id = types.buckets[bucket_of(name, strlen(name))];

	while (id && strcmp(name, btf__name_by_offset(types.kernel,
					  btf__type_by_id(types.kernel, id)->name_off)) != 0)
		id = types.next[id];
	return id;
}

bool kernel_types__has(const char *name)
{
	return have_types() && id_of(name);
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

/* Copies a type, with the kernel's ids in it for now. */
static int add(struct part *part, uint32_t id)
{
	int added;

	if (!id || part->ids[id])
		return 0;
	added = btf__add_type(part->btf, types.kernel, btf__type_by_id(types.kernel, id));
	if (added < 0)
		return added;
	part->from[added] = id;
	part->ids[id] = added;
	return 0;
}

/* What @type consists of, as far as relocations look: not what it points to. */
static int add_components(struct part *part, const struct btf_type *type)
{
	const struct btf_member *member = btf_members(type);
	int code = 0;

	switch (btf_kind(type)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		for (size_t i = 0; !code && i < btf_vlen(type); i++)
			code = add(part, member[i].type);
		return code;
	case BTF_KIND_ARRAY:
		code = add(part, btf_array(type)->type);
		return code ? code : add(part, btf_array(type)->index_type);
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return add(part, type->type);
	default:
		return 0;
	}
}

static void renumber(const struct part *part, struct btf_type *type)
{
	struct btf_member *member = btf_members(type);
	struct btf_array *array;

	switch (btf_kind(type)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		for (size_t i = 0; i < btf_vlen(type); i++)
			member[i].type = part->ids[member[i].type];
		return;
	case BTF_KIND_ARRAY:
		array = btf_array(type);
		array->type = part->ids[array->type];
		array->index_type = part->ids[array->index_type];
		return;
	case BTF_KIND_PTR:
		type->type = 0;
		return;
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		type->type = part->ids[type->type];
		return;
	default:
		return;
	}
}

/* All of the kernel's types that have the name of one of @object's. */
static int add_roots(struct part *part, const struct btf *object)
{
	const char *name, *candidate;
	uint32_t i, id;
	size_t len;
	int code = 0;

	for (i = 1; !code && i < btf__type_cnt(object); i++) {
		name = root_name(object, btf__type_by_id(object, i));
		if (!name)
			continue;
		len = essential_length(name);
		for (id = types.buckets[bucket_of(name, len)]; !code && id; id = types.next[id]) {
			candidate = btf__name_by_offset(
				types.kernel, btf__type_by_id(types.kernel, id)->name_off);
			if (essential_length(candidate) == len && !memcmp(candidate, name, len))
				code = add(part, id);
		}
	}
	return code;
}

static int write_part(const struct btf *btf)
{
	const void *bytes;
	uint32_t size;

	bytes = btf__raw_data(btf, &size);
	if (!bytes)
		return -ENOMEM;
	if (ftruncate(types.fd, 0) || lseek(types.fd, 0, SEEK_SET))
		return -errno;
	return whole__write(types.fd, bytes, size);
}

static int select_types(const struct btf *object)
{
	uint32_t n = btf__type_cnt(types.kernel), i;
	struct part part = {
		.btf = btf__new_empty(),
		.ids = calloc(n, sizeof(*part.ids)),
		.from = calloc(n, sizeof(*part.from)),
	};
	int code = -ENOMEM;

	if (!part.btf || !part.ids || !part.from)
		goto cleanup;
	code = add_roots(&part, object);
	for (i = 1; !code && i < btf__type_cnt(part.btf); i++)
		code = add_components(&part, btf__type_by_id(types.kernel, part.from[i]));
	for (i = 1; !code && i < btf__type_cnt(part.btf); i++)
		renumber(&part, (struct btf_type *)btf__type_by_id(part.btf, i));
	if (!code)
		code = write_part(part.btf);
cleanup:
	btf__free(part.btf);
	free(part.ids);
	free(part.from);
	return code;
}

int kernel_types__load(struct bpf_object_skeleton *skeleton)
{
	int code = have_types() && types.fd >= 0 ? select_types(bpf_object__btf(*skeleton->obj))
						 : 0;

	return code ? code : bpf_object__load_skeleton(skeleton);
}
