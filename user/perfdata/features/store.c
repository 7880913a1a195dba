// SPDX-License-Identifier: GPL-2.0-only
/*
 * See store.h.
 */
#include "user/perfdata/features/store.h"

#include <byteswap.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/cursor.h"
#include "user/perfdata/features/bpf_prog.h"
#include "user/perfdata/strings.h"

void feature_store__free(struct feature_store *store)
{
	for (size_t i = 0; i < PERFDATA_FEATURE_BITS; i++)
		free(store->features[i].bytes);
	*store = (struct feature_store){};
}

bool feature_store__section(struct input *in, const struct file_header *header, unsigned int id,
	struct perfdata_section *ret)
{
	size_t index = file_header__section_index(header, id);
	uint64_t entry[2];
	struct cursor cursor;

	if (!header->sections || !file_header__has_feature(header, id) ||
		input__read_at(in, header->sections + index * sizeof(*ret), entry, sizeof(entry)))
		return false;
	cursor__init(&cursor, entry, sizeof(entry), header->swap);
	ret->offset = cursor__u64(&cursor);
	ret->size = cursor__u64(&cursor);
	return true;
}

static void load(struct feature_store *store, struct input *in, const struct file_header *header,
	unsigned int id)
{
	struct perfdata_section section;
	void *bytes;

	if (!feature_store__section(in, header, id, &section) || section.offset > in->file_size ||
		section.size > in->file_size - section.offset ||
		section.size > FEATURE_STORE_MAX - store->memory)
		return;
	bytes = malloc(section.size ? section.size : 1);
	if (!bytes)
		return;
	if (input__read_at(in, section.offset, bytes, section.size)) {
		free(bytes);
		return;
	}
	store->features[id].bytes = bytes;
	store->features[id].size = section.size;
	store->memory += section.size;
}

/* Returns perfstamp's own feature: the second string of VERSION. */
static const void *get_stamp(struct feature_store *store, struct input *in,
	const struct file_header *header, size_t *ret_size)
{
	size_t size;
	const void *bytes = feature_store__get(store, in, header, HEADER_VERSION, &size);
	struct cursor cursor;
	const char *stamp;

	cursor__init(&cursor, bytes, size, header->swap);
	strings__get(&cursor);
	stamp = strings__get(&cursor);
	if (!stamp)
		return NULL;
	*ret_size = strlen(stamp);
	return stamp;
}

const void *feature_store__get(struct feature_store *store, struct input *in,
	const struct file_header *header, unsigned int id, size_t *ret_size)
{
	*ret_size = 0;
	if (id >= PERFDATA_FEATURE_BITS)
		return NULL;
	if (id == PERFSTAMP_FEATURE)
		return get_stamp(store, in, header, ret_size);
	if (!store->features[id].tried && !header->pipe)
		load(store, in, header, id);
	store->features[id].tried = true;
	*ret_size = store->features[id].size;
	return store->features[id].bytes;
}

/*
 * Appends the entries to existing ones. Returns 1 after it appended them, or if there is no room
 * for them; 0 if there are no existing ones; or -ENOMEM.
 */
static int append(struct feature_store *store, unsigned int id, const void *bytes, size_t size,
	uint32_t n, bool swap)
{
	size_t have = store->features[id].size, add = size - sizeof(n);
	uint32_t sum = store->features[id].n;

	if (!sum)
		return 0;
	if (add > FEATURE_STORE_MAX - have || n > UINT32_MAX - sum)
		return 1;
	if (array__reserve(&store->features[id].bytes, &store->features[id].room, have + add, 1))
		return -ENOMEM;
	memcpy((char *)store->features[id].bytes + have, (const char *)bytes + sizeof(n), add);
	store->features[id].size = have + add;
	sum += n;
	store->features[id].n = sum;
	if (swap)
		sum = bswap_32(sum);
	memcpy(store->features[id].bytes, &sum, sizeof(sum));
	return 1;
}

int feature_store__put(
	struct feature_store *store, unsigned int id, const void *bytes, size_t size, bool swap)
{
	uint32_t n = 0;
	void *copy;
	int code;

	if (id >= PERFDATA_FEATURE_BITS)
		return 0;
	if (id == HEADER_BPF_PROG_INFO || id == HEADER_BPF_BTF) {
		size_t end;

		if (bpf_prog__measure(id, bytes, size, swap, &n, &end)) {
			n = 0;
		} else {
			size = end; /* without the padding of the record */
			code = append(store, id, bytes, size, n, swap);
			if (code)
				return code < 0 ? code : 0;
		}
	}
	copy = malloc(size ? size : 1);
	if (!copy)
		return -ENOMEM;
	if (size)
		memcpy(copy, bytes, size);
	free(store->features[id].bytes);
	store->features[id].bytes = copy;
	store->features[id].size = store->features[id].room = size;
	store->features[id].n = n;
	return 0;
}
