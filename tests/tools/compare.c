// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds a recording against the oracle: compare RECORDS ORACLE, the output of
 * "perfstamp dump --json" and of the oracle, which looked while the recording ran.
 * It prints each mapping whose build-id the recording has wrong (WRONG), has not, though
 * the content has one (MISSING, with the reason), or that it does not know at all
 * (UNSEEN), and one line of counts. Status 0: none of these; 1: some.
 *
 * What a process has mapped is what it mapped since its exec, and what its parent
 * had when it was forked; this is worked out here anew, not by perfstamp's model.
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ID_DIGITS_MAX 40 /* what a record can hold */

struct record {
	uint64_t time;
	size_t line; /* records of one time are in the file's order */
	enum { MAP, FORK, EXEC } kind;
	int pid;
	int parent;
	uint64_t addr;
	uint64_t len;
	char *build_id; /* or NULL */
	char *source;
	char *reason;
	bool cookie;
};

struct process {
	int pid;
	const struct record **maps;
	size_t n;
};

/* The last is for what has none. */
static const char *const SOURCES[] = {
	"page-cache", "user", "kernel", "native", "stash", "faulted", "none"};
#define N_SOURCES (sizeof(SOURCES) / sizeof(SOURCES[0]))

struct counts {
	size_t mappings;
	size_t processes;
	size_t ids;
	size_t right;
	size_t wrong;
	size_t missing;
	size_t unseen;
	size_t without; /* content that has no id, and of which none was told */
	size_t bare;    /* of these, a file's, but with no cookie either */
	size_t gone;    /* the oracle came too late */
	size_t sources[N_SOURCES];
};

static struct record *records;
static size_t n_records;
static struct process *processes;
static size_t n_processes;

static void *grow(void *array, size_t n, size_t size)
{
	/* When @n has reached a power of two the room is doubled. */
	if (!(n & (n - 1)))
		array = realloc(array, (n ? 2 * n : 1) * size);
	if (!array) {
		perror("compare");
		exit(2);
	}
	return array;
}

static const char *text_of(struct json_object *object, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(object, key, &value) ? json_object_get_string(value)
							      : NULL;
}

static uint64_t number_of(struct json_object *object, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(object, key, &value) ? json_object_get_uint64(value) : 0;
}

static char *copy_of(struct json_object *object, const char *key)
{
	const char *text = text_of(object, key);

	return text ? strdup(text) : NULL;
}

static void add_record(struct json_object *object, size_t line)
{
	const char *type = text_of(object, "type");
	struct record record = {
		.time = number_of(object, "time_ns"),
		.line = line,
		.pid = (int)number_of(object, "pid"),
		.parent = (int)number_of(object, "ppid"),
		.addr = number_of(object, "addr"),
		.len = number_of(object, "len"),
	};

	if (!type || number_of(object, "kernel") || number_of(object, "data"))
		return;
	if (!strcmp(type, "MMAP2"))
		record.kind = MAP;
	else if (!strcmp(type, "FORK") && record.pid != record.parent)
		record.kind = FORK;
	else if (!strcmp(type, "COMM") && number_of(object, "exec"))
		record.kind = EXEC;
	else
		return;
	record.build_id = copy_of(object, "build_id");
	record.source = copy_of(object, "source");
	record.reason = copy_of(object, "reason");
	record.cookie = text_of(object, "cookie");
	records = grow(records, n_records, sizeof(*records));
	records[n_records++] = record;
}

static int by_time(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->line < y->line ? -1 : 1;
}

static void read_records(FILE *in)
{
	struct json_object *object;
	char *line = NULL;
	size_t size = 0;

	for (size_t number = 0; getline(&line, &size, in) > 0; number++) {
		/* By far the most lines. */
		if (strstr(line, "\"SAMPLE\""))
			continue;
		object = json_tokener_parse(line);
		if (!object) {
			fprintf(stderr, "compare: line %zu is not JSON\n", number + 1);
			exit(2);
		}
		add_record(object, number);
		json_object_put(object);
	}
	free(line);
	if (n_records)
		qsort(records, n_records, sizeof(*records), by_time);
}

static struct process *find_process(int pid)
{
	for (size_t i = 0; i < n_processes; i++)
		if (processes[i].pid == pid)
			return &processes[i];
	processes = grow(processes, n_processes, sizeof(*processes));
	processes[n_processes] = (struct process){.pid = pid};
	return &processes[n_processes++];
}

static void add_map(struct process *process, const struct record *record)
{
	process->maps = grow(process->maps, process->n, sizeof(*process->maps));
	process->maps[process->n++] = record;
}

static void follow_records(void)
{
	for (size_t i = 0; i < n_records; i++) {
		const struct record *record = &records[i];
		struct process *process = find_process(record->pid);

		if (record->kind == MAP) {
			add_map(process, record);
			continue;
		}
		process->n = 0;
		if (record->kind == FORK) {
			struct process *parent = find_process(record->parent);

			/* The table may have moved. */
			process = find_process(record->pid);
			for (size_t j = 0; j < parent->n; j++)
				add_map(process, parent->maps[j]);
		}
	}
}

/* The record of what @process has at @addr. */
static const struct record *find_map(const struct process *process, uint64_t addr)
{
	for (size_t i = process->n; i-- > 0;) {
		const struct record *map = process->maps[i];

		if (addr >= map->addr && addr - map->addr < map->len)
			return map;
	}
	return NULL;
}

static void count_source(struct counts *counts, const struct record *map)
{
	size_t i = 0;

	while (i < N_SOURCES - 1 && (!map->source || strcmp(map->source, SOURCES[i]) != 0))
		i++;
	counts->sources[i]++;
}

static void judge(struct counts *counts, const struct record *map, const char *id, const char *line)
{
	const char *recorded = map && map->build_id ? map->build_id : "-";
	bool wanted = strcmp(id, "-") != 0 && strlen(id) <= ID_DIGITS_MAX;

	counts->ids += wanted;
	if (!map) {
		counts->unseen++;
		printf("UNSEEN %s", line);
	} else if (wanted && !map->build_id) {
		counts->missing++;
		printf("MISSING %s %s", map->reason ? map->reason : "no-reason", line);
	} else if (wanted ? strcmp(id, recorded) != 0 : map->build_id != NULL) {
		counts->wrong++;
		printf("WRONG %s %s", recorded, line);
	} else if (wanted) {
		counts->right++;
		count_source(counts, map);
	} else {
		counts->without++;
		counts->bare += !map->cookie &&
				(!map->reason || strcmp(map->reason, "anonymous") != 0);
	}
}

static void read_oracle(struct counts *counts, FILE *in)
{
	uint64_t start, len;
	char *line = NULL, id[8194];
	size_t size = 0;
	int pid, last = -1;

	while (getline(&line, &size, in) > 0) {
		const struct record *map, *end;
		struct process *process;

		if (sscanf(line, "%d %" SCNx64 " %" SCNx64 " %8193s", &pid, &start, &len, id) !=
			4) {
			fprintf(stderr, "compare: not a line of the oracle: %s", line);
			exit(2);
		}
		if (!strcmp(id, "?")) {
			counts->gone++;
			continue;
		}
		counts->mappings++;
		counts->processes += pid != last;
		last = pid;
		process = find_process(pid);
		map = find_map(process, start);
		/* Mappings that were made one by one may have become one. */
		end = find_map(process, start + len - 1);
		if (map && end && map != end &&
			(!map->build_id || !end->build_id ||
				strcmp(map->build_id, end->build_id) != 0))
			map = strcmp(id, map->build_id ? map->build_id : "-") ? map : end;
		judge(counts, end ? map : NULL, id, line);
	}
	free(line);
}

int main(int argc, char **argv)
{
	FILE *in = argc == 3 ? fopen(argv[1], "re") : NULL;
	FILE *oracle = argc == 3 ? fopen(argv[2], "re") : NULL;
	struct counts counts = {0};

	if (!in || !oracle) {
		fprintf(stderr, "Usage: compare RECORDS ORACLE\n");
		return 2;
	}
	read_records(in);
	follow_records();
	read_oracle(&counts, oracle);
	printf("mappings=%zu processes=%zu ids=%zu right=%zu wrong=%zu missing=%zu unseen=%zu "
	       "without=%zu bare=%zu gone=%zu",
		counts.mappings, counts.processes, counts.ids, counts.right, counts.wrong,
		counts.missing, counts.unseen, counts.without, counts.bare, counts.gone);
	for (size_t i = 0; i < N_SOURCES; i++)
		printf(" %s=%zu", SOURCES[i], counts.sources[i]);
	putchar('\n');
	return counts.wrong || counts.missing || counts.unseen;
}
