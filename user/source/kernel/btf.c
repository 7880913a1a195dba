// SPDX-License-Identifier: GPL-2.0-only
/* See btf.h. */
#include "user/source/kernel/btf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/buffer.h"
#include "user/io/whole.h"

#define PATH "/sys/kernel/btf/vmlinux"
#define SIZE_MAX_BTF (256u << 20) /* bytes */

struct kernel_btf {
	const uint8_t *bytes; /* mapped */
	size_t size;
	const char *names;
	uint32_t names_size;
	const uint8_t *types;
	uint32_t *offsets; /* offsets of the types, by id */
	uint32_t count;
};

struct btf_part {
	const struct kernel_btf *kernel;
	uint32_t *ids; /* ids in the part, by the kernel's ids; 0: not in the part */
	uint32_t *originals;
	uint32_t count;
	struct buffer offsets; /* uint32_t: offsets in .types, by id */
	struct buffer types;
	struct buffer names;
};

/* Returns the bytes behind struct btf_type; -1 for an unknown kind. */
static ssize_t extra_size(const struct btf_type *type)
{
	size_t n = btf_vlen(type);

	switch (btf_kind(type)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return n * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return n * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return n * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return n * sizeof(struct btf_var_secinfo);
	default:
		return -1;
	}
}

static void *new_mapping(size_t size)
{
	void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return bytes == MAP_FAILED ? NULL : bytes;
}

static int map_file(struct kernel_btf *btf)
{
	int fd = open(PATH, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *bytes;
	ssize_t n;
	int code = 0;

	if (fd < 0)
		return -ESRCH;
	if (fstat(fd, &st) || st.st_size <= 0 || st.st_size > SIZE_MAX_BTF) {
		code = -ESRCH;
		goto cleanup;
	}
	btf->size = st.st_size;
	/* Works from Linux 6.16 on, and needs no copy. */
	bytes = mmap(NULL, btf->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes != MAP_FAILED) {
		btf->bytes = bytes;
		goto cleanup;
	}
	bytes = new_mapping(btf->size);
	if (!bytes) {
		code = -ENOMEM;
		goto cleanup;
	}
	btf->bytes = bytes;
	n = whole__read(fd, bytes, btf->size);
	if (n != (ssize_t)btf->size)
		code = -ESRCH;
cleanup:
	close(fd);
	return code;
}

/* If this file is missing, libbpf searches other places. */
static int copy_from_libbpf(struct kernel_btf *btf)
{
	struct btf *full = btf__load_vmlinux_btf();
	const void *bytes;
	uint32_t size;
	void *copy;
	int code = 0;

	if (!full)
		return -ESRCH;
	bytes = btf__raw_data(full, &size);
	copy = bytes ? new_mapping(size) : NULL;
	if (copy) {
		memcpy(copy, bytes, size);
		btf->bytes = copy;
		btf->size = size;
	} else {
		code = -ENOMEM;
	}
	btf__free(full);
	return code;
}

/* The number of types, or 0 if they are damaged. With @offsets, stores where each begins. */
static uint32_t walk(const uint8_t *types, size_t size, uint32_t *offsets)
{
	const struct btf_type *type;
	uint32_t count = 1;
	ssize_t extra;
	size_t at = 0;

	while (at < size) {
		type = (const void *)(types + at);
		if (size - at < sizeof(*type))
			return 0;
		extra = extra_size(type);
		if (extra < 0 || (size_t)extra > size - at - sizeof(*type))
			return 0;
		if (offsets)
			offsets[count] = at;
		count++;
		at += sizeof(*type) + extra;
	}
	return count;
}

static int index_types(struct kernel_btf *btf)
{
	const struct btf_header *header = (const void *)btf->bytes;
	size_t body;

	if (btf->size < sizeof(*header) || header->magic != BTF_MAGIC ||
		header->hdr_len < sizeof(*header) || header->hdr_len > btf->size)
		return -ESRCH;
	body = btf->size - header->hdr_len;
	if (header->type_off > body || header->type_len > body - header->type_off ||
		header->type_off % 4 || header->hdr_len % 4 || header->str_off > body ||
		header->str_len > body - header->str_off || !header->str_len)
		return -ESRCH;
	btf->types = btf->bytes + header->hdr_len + header->type_off;
	btf->names = (const char *)btf->bytes + header->hdr_len + header->str_off;
	btf->names_size = header->str_len;
	if (btf->names[btf->names_size - 1])
		return -ESRCH;
	btf->count = walk(btf->types, header->type_len, NULL);
	if (!btf->count)
		return -ESRCH;
	btf->offsets = calloc(btf->count, sizeof(*btf->offsets));
	if (!btf->offsets)
		return -ENOMEM;
	walk(btf->types, header->type_len, btf->offsets);
	return 0;
}

int kernel_btf__new(struct kernel_btf **ret)
{
	struct kernel_btf *btf = calloc(1, sizeof(*btf));
	int code;

	*ret = NULL;
	if (!btf)
		return -ENOMEM;
	code = map_file(btf);
	if (code == -ESRCH && !btf->bytes)
		code = copy_from_libbpf(btf);
	if (!code)
		code = index_types(btf);
	if (code) {
		kernel_btf__free(btf);
		return code;
	}
	*ret = btf;
	return 0;
}

void kernel_btf__free(struct kernel_btf *btf)
{
	if (!btf)
		return;
	if (btf->bytes)
		munmap((void *)btf->bytes, btf->size);
	free(btf->offsets);
	free(btf);
}

uint32_t kernel_btf__count(const struct kernel_btf *btf)
{
	return btf->count;
}

const struct btf_type *kernel_btf__type(const struct kernel_btf *btf, uint32_t id)
{
	return (const void *)(btf->types + btf->offsets[id]);
}

const char *kernel_btf__name(const struct kernel_btf *btf, uint32_t offset)
{
	return offset < btf->names_size ? btf->names + offset : "";
}

uint32_t kernel_btf__find(const struct kernel_btf *btf, uint32_t kind, const char *name)
{
	const struct btf_type *type;

	for (uint32_t id = 1; id < btf->count; id++) {
		type = kernel_btf__type(btf, id);
		if (btf_kind(type) == kind && !strcmp(kernel_btf__name(btf, type->name_off), name))
			return id;
	}
	return 0;
}

struct btf_part *btf_part__new(const struct kernel_btf *btf)
{
	struct btf_part *part = calloc(1, sizeof(*part));

	if (!part)
		return NULL;
	part->kernel = btf;
	part->count = 1;
	part->ids = calloc(btf->count, sizeof(*part->ids));
	part->originals = calloc(btf->count, sizeof(*part->originals));
	if (!part->ids || !part->originals) {
		btf_part__free(part);
		return NULL;
	}
	buffer__u32(&part->offsets, 0);
	buffer__zeros(&part->names, 1);
	return part;
}

void btf_part__free(struct btf_part *part)
{
	if (!part)
		return;
	free(part->ids);
	free(part->originals);
	buffer__free(&part->offsets);
	buffer__free(&part->types);
	buffer__free(&part->names);
	free(part);
}

int btf_part__add(struct btf_part *part, uint32_t id)
{
	const struct btf_type *type;

	if (!id || id >= part->kernel->count || part->ids[id])
		return 0;
	type = kernel_btf__type(part->kernel, id);
	buffer__u32(&part->offsets, part->types.size);
	buffer__append(&part->types, type, sizeof(*type) + extra_size(type));
	if (part->offsets.error || part->types.error)
		return -ENOMEM;
	part->originals[part->count] = id;
	part->ids[id] = part->count++;
	return 0;
}

uint32_t btf_part__count(const struct btf_part *part)
{
	return part->count;
}

uint32_t btf_part__original(const struct btf_part *part, uint32_t id)
{
	return part->originals[id];
}

static uint32_t copy_name(struct btf_part *part, uint32_t offset)
{
	const char *name = kernel_btf__name(part->kernel, offset);
	uint32_t at = part->names.size;

	if (!*name)
		return 0;
	buffer__append(&part->names, name, strlen(name) + 1);
	return at;
}

static uint32_t own_id(const struct btf_part *part, uint32_t id)
{
	return id < part->kernel->count ? part->ids[id] : 0;
}

static void adopt(struct btf_part *part, struct btf_type *type)
{
	struct btf_member *member = btf_members(type);
	struct btf_param *param = btf_params(type);
	struct btf_enum *value = btf_enum(type);
	struct btf_enum64 *value64 = btf_enum64(type);
	struct btf_array *array = btf_array(type);

	type->name_off = copy_name(part, type->name_off);
	switch (btf_kind(type)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		for (size_t i = 0; i < btf_vlen(type); i++) {
			member[i].name_off = copy_name(part, member[i].name_off);
			member[i].type = own_id(part, member[i].type);
		}
		return;
	case BTF_KIND_ENUM:
		for (size_t i = 0; i < btf_vlen(type); i++)
			value[i].name_off = copy_name(part, value[i].name_off);
		return;
	case BTF_KIND_ENUM64:
		for (size_t i = 0; i < btf_vlen(type); i++)
			value64[i].name_off = copy_name(part, value64[i].name_off);
		return;
	case BTF_KIND_FUNC_PROTO:
		for (size_t i = 0; i < btf_vlen(type); i++)
			param[i].name_off = param[i].type = 0;
		type->type = 0;
		return;
	case BTF_KIND_ARRAY:
		array->type = own_id(part, array->type);
		array->index_type = own_id(part, array->index_type);
		return;
	case BTF_KIND_PTR:
		type->type = 0;
		return;
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		type->type = own_id(part, type->type);
		return;
	default:
		return;
	}
}

int btf_part__write(struct btf_part *part, int fd)
{
	struct btf_header header = {
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = sizeof(header),
	};
	const uint32_t *offsets = (const void *)part->offsets.data;
	int code;

	for (uint32_t i = 1; i < part->count; i++)
		adopt(part, (struct btf_type *)(part->types.data + offsets[i]));
	if (part->names.error)
		return -ENOMEM;
	header.type_len = header.str_off = part->types.size;
	header.str_len = part->names.size;
	code = whole__write(fd, &header, sizeof(header));
	if (!code)
		code = whole__write(fd, part->types.data, part->types.size);
	return code ? code : whole__write(fd, part->names.data, part->names.size);
}
