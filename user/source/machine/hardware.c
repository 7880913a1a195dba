// SPDX-License-Identifier: GPL-2.0-only
/*
 * See hardware.h, and write_numa_topology(), write_cache(), write_mem_topology(),
 * write_pmu_mappings() and write_cpu_pmu_caps() in tools/perf/util/header.c of Linux.
 */
#include "user/source/machine/hardware.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/parse/event/cpu_list.h"
#include "user/perfdata/layout.h"
#include "user/perfdata/strings.h"
#include "user/source/proc/file.h"

#define NODE "/sys/devices/system/node"
#define CACHE "/sys/devices/system/cpu/cpu%u/cache/index%u/"
#define DEVICES "/sys/bus/event_source/devices"
#define CACHES_MAX 10 /* of one CPU on all levels */
#define MEMORY_BLOCKS_MAX (1u << 18)
#define FEATURE_MAX 60000 /* bytes: a record in a pipe, with its header, has a size of 16 bits */

/* The text of a file in /sys without the newline; the caller frees it. */
#define read_text(ret, ...) strip(proc_file__read(ret, NULL, __VA_ARGS__), ret)

static int strip(int code, char **text)
{
	if (code)
		return code == -ENOMEM ? code : -ENODATA;
	(*text)[strcspn(*text, "\n")] = '\0';
	return 0;
}

static int put_text(struct buffer *out, int code, char *text)
{
	if (code)
		return code;
	code = strings__put(out, text);
	free(text);
	return code;
}

static int list_nodes(struct cpu_list *ret)
{
	char *text;
	int code = read_text(&text, NODE "/online");

	if (code)
		return code;
	code = cpu_list__parse(ret, text, NULL);
	free(text);
	return !code || code == -ENOMEM ? code : -ENODATA;
}

/* Returns kB; a line is like "Node 0 MemFree:  123 kB". */
static uint64_t memory(const char *meminfo, const char *key)
{
	const char *at = strstr(meminfo, key);
	uint64_t kb = 0;

	if (at)
		sscanf(at + strlen(key), "%" SCNu64, &kb);
	return kb;
}

static int put_node(struct buffer *out, int node)
{
	char *text;
	int code = proc_file__read(&text, NULL, NODE "/node%d/meminfo", node);

	if (code)
		return code == -ENOMEM ? code : -ENODATA;
	buffer__u32(out, node);
	buffer__u64(out, memory(text, "MemTotal:"));
	buffer__u64(out, memory(text, "MemFree:"));
	free(text);
	code = read_text(&text, NODE "/node%d/cpulist", node);
	return put_text(out, code, text);
}

static int put_nodes(struct buffer *out)
{
	struct cpu_list nodes;
	int code = list_nodes(&nodes);

	if (code)
		return code;
	buffer__u32(out, nodes.n);
	for (size_t i = 0; !code && i < nodes.n; i++)
		code = put_node(out, nodes.cpus[i]);
	cpu_list__free(&nodes);
	return code;
}

/* Appends the blocks of memory of @node, as a bitmap. */
static int put_blocks(struct buffer *out, int node)
{
	uint64_t *bits = calloc(MEMORY_BLOCKS_MAX / 64, sizeof(*bits)), size = 0;
	struct dirent *entry;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), NODE "/node%d", node);
	if (!bits)
		return -ENOMEM;
	dir = opendir(path);
	if (!dir) {
		free(bits);
		return -ENODATA;
	}
	while ((entry = readdir(dir))) {
		unsigned int block;

		if (sscanf(entry->d_name, "memory%u", &block) != 1)
			continue;
		if (block >= MEMORY_BLOCKS_MAX) {
			closedir(dir);
			free(bits);
			return -ENODATA;
		}
		bits[block / 64] |= 1ull << block % 64;
		size = block > size ? block : size;
	}
	closedir(dir);
	size++;
	buffer__u64(out, node);
	buffer__u64(out, size);
	buffer__u64(out, size); /* size of the bitmap */
	buffer__append(out, bits, (size + 63) / 64 * sizeof(*bits));
	free(bits);
	return out->error;
}

static int put_memory(struct buffer *out)
{
	struct cpu_list nodes;
	uint64_t block_size;
	char *text;
	int code = read_text(&text, "/sys/devices/system/memory/block_size_bytes");

	if (code)
		return code;
	block_size = strtoull(text, NULL, 16);
	free(text);
	code = list_nodes(&nodes);
	if (code)
		return code;
	buffer__u64(out, 1); /* version */
	buffer__u64(out, block_size);
	buffer__u64(out, nodes.n);
	for (size_t i = 0; !code && i < nodes.n; i++)
		code = put_blocks(out, nodes.cpus[i]);
	cpu_list__free(&nodes);
	return code;
}

struct caches {
	struct buffer levels[CACHES_MAX]; /* in perf's order */
	uint32_t n;
};

static int put_number(struct buffer *out, unsigned int cpu, unsigned int index, const char *file)
{
	int64_t value;
	int code = proc_file__number(&value, CACHE "%s", cpu, index, file);

	if (code)
		return code == -ENOMEM ? code : -ENODATA;
	return buffer__u32(out, value);
}

/* Returns 1 if the CPU has no more caches. A shared cache is listed for its first CPU. */
static int add_cache(struct caches *caches, unsigned int cpu, unsigned int index)
{
	static const char *const NUMBERS[] = {
		"level", "coherency_line_size", "number_of_sets", "ways_of_associativity"};
	static const char *const TEXTS[] = {"type", "size", "shared_cpu_list"};
	struct buffer *out;
	int64_t level;
	char *text;
	int code = read_text(&text, CACHE "shared_cpu_list", cpu, index);

	if (code)
		return code == -ENOMEM ? code : 1;
	code = strtoul(text, NULL, 10) == cpu;
	free(text);
	if (!code)
		return 0;
	if (proc_file__number(&level, CACHE "level", cpu, index) || level < 0 ||
		level >= CACHES_MAX)
		return -ENODATA;
	out = &caches->levels[level];
	code = 0;
	for (size_t i = 0; !code && i < sizeof(NUMBERS) / sizeof(*NUMBERS); i++)
		code = put_number(out, cpu, index, NUMBERS[i]);
	for (size_t i = 0; !code && i < sizeof(TEXTS) / sizeof(*TEXTS); i++) {
		code = read_text(&text, CACHE "%s", cpu, index, TEXTS[i]);
		code = put_text(out, code, text);
	}
	caches->n++;
	return code;
}

static int put_caches(struct buffer *out)
{
	unsigned int n_cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct caches caches = {.n = 0};
	int code = 0;

	for (int i = 0; i < CACHES_MAX; i++)
		buffer__init(&caches.levels[i], 0);
	for (unsigned int cpu = 0; code >= 0 && cpu < n_cpus; cpu++) {
		code = 0;
		for (unsigned int index = 0; !code && index < CACHES_MAX; index++)
			code = add_cache(&caches, cpu, index);
	}
	if (code >= 0)
		code = caches.n ? 0 : -ENODATA;
	buffer__u32(out, 1); /* version */
	buffer__u32(out, caches.n);
	for (int i = 0; i < CACHES_MAX; i++) {
		buffer__append(out, caches.levels[i].data, caches.levels[i].size);
		buffer__free(&caches.levels[i]);
	}
	return code;
}

static int put_pmu(struct buffer *out, const char *name)
{
	int64_t type;

	if (*name == '.' || proc_file__number(&type, DEVICES "/%s/type", name))
		return 0;
	buffer__u32(out, type);
	return strings__put(out, name) ? -ENOMEM : 1;
}

static int put_cap(struct buffer *out, const char *name)
{
	char *value;
	int code;

	if (*name == '.')
		return 0;
	code = read_text(&value, DEVICES "/cpu/caps/%s", name);
	if (code)
		return code == -ENOMEM ? code : 0;
	strings__put(out, name);
	code = put_text(out, 0, value);
	return code ? code : 1;
}

/*
 * Writes the number of names in @path that @put accepts, then what @put writes; 0 without the
 * directory.
 */
static int put_entries(
	struct buffer *out, const char *path, int (*put)(struct buffer *out, const char *name))
{
	size_t at = out->size;
	struct dirent **names;
	int code = buffer__u32(out, 0), n;
	uint32_t count = 0;

	n = scandir(path, &names, NULL, alphasort);
	if (n < 0)
		return errno == ENOMEM ? -ENOMEM : code;
	for (int i = 0; i < n; i++) {
		if (code >= 0)
			code = put(out, names[i]->d_name);
		count += code > 0;
		free(names[i]);
	}
	free(names);
	if (code < 0 || out->error)
		return -ENOMEM;
	memcpy(out->data + at, &count, sizeof(count));
	return 0;
}

static int put_feature(struct buffer *out, unsigned int id)
{
	switch (id) {
	case HEADER_NUMA_TOPOLOGY:
		return put_nodes(out);
	case HEADER_CACHE:
		return put_caches(out);
	case HEADER_MEM_TOPOLOGY:
		return put_memory(out);
	case HEADER_PMU_MAPPINGS:
		return put_entries(out, DEVICES, put_pmu);
	case HEADER_CPU_PMU_CAPS:
		return put_entries(out, DEVICES "/cpu/caps", put_cap);
	default:
		return -ENOTSUP;
	}
}

int hardware__describe(struct buffer *out, unsigned int id)
{
	size_t start = out->size;
	int code = put_feature(out, id);

	if (!code && out->error)
		code = -ENOMEM;
	if (!code && out->size - start > FEATURE_MAX)
		code = -ENODATA;
	if (code)
		buffer__truncate(out, start);
	return code;
}
