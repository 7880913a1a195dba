// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks into the rings of a recorder, which is best stopped: those of perf events, and those in
 * which BPF programs hand records over. Prints how often each word is anywhere in them, records
 * that were read already included, and how many of the records that were not read yet are about
 * one of some processes, by their type. It takes the recorder's own descriptors, so that it needs
 * the right to trace it (pidfd_getfd).
 */
#include <dirent.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TYPES 32 /* of perf's records */
#define BPF_MAP_TYPE_RINGBUF 27
#define PIDS_MAX 65536

static const char USAGE[] = "Usage: ring_search RECORDER PIDS WORD...\n"
			    "PIDS is a file with the numbers of processes of one thread.\n";

static int recorder_fd;
static uint32_t pids[PIDS_MAX];
static size_t n_pids;
static char **words;
static size_t n_words;
static uint64_t found[64];                  /* by word */
static uint64_t of_pids[TYPES], all[TYPES]; /* records, by type */
static uint64_t rings, bytes, bpf_rings, bpf_bytes, bpf_of_pids;

static void search_words(const char *data, size_t size)
{
	for (size_t i = 0; i < n_words; i++) {
		size_t len = strlen(words[i]);
		const char *at = data;

		while ((at = memmem(at, size - (at - data), words[i], len))) {
			found[i]++;
			at += len;
		}
	}
}

/* The number of a process and that of its thread are side by side, in perf's records and in ours.
 */
static uint64_t count_pids(const char *data, size_t size)
{
	uint64_t n = 0;
	uint32_t ids[2];

	for (size_t at = 0; at + sizeof(ids) <= size; at += sizeof(uint32_t)) {
		memcpy(ids, data + at, sizeof(ids));
		if (ids[0] != ids[1] || !ids[0])
			continue;
		for (size_t i = 0; i < n_pids; i++)
			n += pids[i] == ids[0];
	}
	return n;
}

static void walk_records(const struct perf_event_mmap_page *page, const char *data)
{
	uint64_t size = page->data_size, tail = page->data_tail, head = page->data_head;
	struct perf_event_header header;
	char *record = malloc(UINT16_MAX + 1);

	while (record && tail < head) {
		for (size_t i = 0; i < sizeof(header); i++)
			((char *)&header)[i] = data[(tail + i) % size];
		if (header.size < sizeof(header))
			break;
		for (size_t i = 0; i < header.size; i++)
			record[i] = data[(tail + i) % size];
		if (header.type < TYPES) {
			all[header.type]++;
			of_pids[header.type] += !!count_pids(
				record + sizeof(header), header.size - sizeof(header));
		}
		tail += header.size;
	}
	free(record);
}

/* @size: of all mappings of the kind, which are of one size. */
static void look_at_perf(int fd, size_t size)
{
	const struct perf_event_mmap_page *page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	const char *data;

	if (page == MAP_FAILED)
		return;
	data = (const char *)page + page->data_offset;
	rings++;
	bytes += page->data_head < page->data_size ? page->data_head : page->data_size;
	search_words(data, page->data_size);
	walk_records(page, data);
	munmap((void *)page, size);
}

static void look_at_bpf(int fd, size_t size)
{
	size_t page = sysconf(_SC_PAGESIZE);
	const char *at = mmap(NULL, page + size, PROT_READ, MAP_SHARED, fd, page);
	uint64_t head;

	if (at == MAP_FAILED)
		return;
	memcpy(&head, at, sizeof(head));
	bpf_rings++;
	bpf_bytes += head < size ? head : size;
	search_words(at + page, size);
	bpf_of_pids += count_pids(at + page, size);
	munmap((void *)at, page + size);
}

static size_t perf_mapping_size(pid_t pid)
{
	char path[64], line[512];
	unsigned long begin, end;
	size_t size = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "r");
	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "[perf_event]") && sscanf(line, "%lx-%lx", &begin, &end) == 2)
			size = end - begin;
	if (maps)
		fclose(maps);
	return size;
}

/* Bytes of a BPF ring buffer; 0: it is another map. */
static size_t bpf_ring_size(pid_t pid, const char *fd)
{
	char path[64], line[128];
	unsigned int type = 0, size = 0;
	FILE *info;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%.16s", pid, fd);
	info = fopen(path, "r");
	while (info && fgets(line, sizeof(line), info)) {
		sscanf(line, "map_type: %u", &type);
		sscanf(line, "max_entries: %u", &size);
	}
	if (info)
		fclose(info);
	return type == BPF_MAP_TYPE_RINGBUF ? size : 0;
}

static void look_at(pid_t pid, const char *name, size_t perf_size)
{
	char path[64], target[64] = {0};
	size_t size;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/fd/%.16s", pid, name);
	if (readlink(path, target, sizeof(target) - 1) < 0 || !strstr(target, "anon_inode:"))
		return;
	fd = syscall(SYS_pidfd_getfd, recorder_fd, atoi(name), 0);
	if (fd < 0) {
		perror("ring_search: pidfd_getfd");
		exit(1);
	}
	if (strstr(target, "[perf_event]") && perf_size)
		look_at_perf(fd, perf_size);
	else if (strstr(target, "bpf-map") && (size = bpf_ring_size(pid, name)))
		look_at_bpf(fd, size);
	close(fd);
}

int main(int argc, char **argv)
{
	struct dirent *entry;
	char path[64];
	pid_t pid;
	FILE *list;
	DIR *dir;

	if (argc < 3 || argc > 3 + 64) {
		fputs(USAGE, stderr);
		return 2;
	}
	pid = atoi(argv[1]);
	words = argv + 3;
	n_words = argc - 3;
	list = fopen(argv[2], "r");
	while (list && n_pids < PIDS_MAX && fscanf(list, "%u", &pids[n_pids]) == 1)
		n_pids++;
	recorder_fd = syscall(SYS_pidfd_open, pid, 0);
	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	if (!list || recorder_fd < 0 || !dir) {
		perror("ring_search");
		return 1;
	}
	while ((entry = readdir(dir)))
		look_at(pid, entry->d_name, perf_mapping_size(pid));
	closedir(dir);
	fclose(list);
	printf("perf rings: %lu, bytes: %lu\n", rings, bytes);
	printf("BPF rings: %lu, bytes: %lu, of the processes: %lu\n", bpf_rings, bpf_bytes,
		bpf_of_pids);
	for (size_t i = 0; i < TYPES; i++)
		if (all[i])
			printf("records of type %zu: %lu, of the processes: %lu\n", i, all[i],
				of_pids[i]);
	for (size_t i = 0; i < n_words; i++)
		printf("word %s: %lu\n", words[i], found[i]);
	return 0;
}
