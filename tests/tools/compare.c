// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds a recording against the oracle: compare RECORDS ORACLE [CASES [KNOWN]], the
 * output of "perfstamp dump --json" and of the oracle, which looked while the recording
 * ran. It prints each mapping whose build-id the recording has wrong (WRONG), has not,
 * though the content has one (MISSING, with the reason), of which it says neither an id
 * nor a reason (SILENT), or that it does not know at all (UNSEEN), each record of a case's
 * process that is no mapping (EXTRA), and one line of counts. Status 0: none of these; 1: some.
 *
 * A path with "@CASE" in it is of that case; the file CASES gets a line "CASE IDS RIGHT
 * WRONG FLAGGED" for each, with the reasons, and "ledger:" with counts of all records.
 * KNOWN has lines "TIMES ID PATH": what was mapped too briefly for the oracle.
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
	char *path;
	bool cookie;
	bool snapshot;
	bool late;                /* it tells what another record could not yet */
	const struct record *now; /* the one that does, for this */
	bool found;               /* the oracle saw it */
};

struct process {
	int pid;
	struct record **maps;
	size_t n;
	bool of_case; /* the oracle has seen a case's mapping in it */
};

/* How often each word was counted. */
struct words {
	struct {
		char *text;
		size_t n;
	} * v;
	size_t n;
};

struct tally {
	char *name;
	size_t ids;
	size_t right;
	size_t wrong;
	size_t flagged;
	struct words reasons;
};

struct counts {
	size_t mappings;
	size_t processes;
	size_t ids;
	size_t right;
	size_t wrong;
	size_t missing;
	size_t unseen;
	size_t silent;
	size_t extra;
	size_t without; /* content that has no id, and of which none was told */
	size_t bare;    /* of these, a file's, but with no cookie either */
	size_t gone;    /* the oracle came too late */
	size_t sources[7];
};

static const char *const SOURCES[] = {
	"page-cache", "user", "kernel", "native", "stash", "faulted", "none"};
#define N_SOURCES (sizeof(SOURCES) / sizeof(SOURCES[0]))

static struct record *records;
static size_t n_records;
static struct process *processes;
static size_t n_processes;
static struct tally *tallies;
static size_t n_tallies;

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
	const char *type = text_of(object, "type"), *mode = text_of(object, "mode");
	struct record record = {
		.time = number_of(object, "time_ns"),
		.line = line,
		.pid = (int)number_of(object, "pid"),
		.parent = (int)number_of(object, "ppid"),
		.addr = number_of(object, "addr"),
		.len = number_of(object, "len"),
	};

	/* What the kernel has, modules among it, is another matter. */
	if (!type || (mode && !strcmp(mode, "kernel")) || number_of(object, "data"))
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
	record.path = copy_of(object, "path");
	record.cookie = text_of(object, "cookie");
	record.snapshot = number_of(object, "snapshot");
	record.late = number_of(object, "late");
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

static void add_map(struct process *process, struct record *record)
{
	process->maps = grow(process->maps, process->n, sizeof(*process->maps));
	process->maps[process->n++] = record;
}

static void complete(const struct process *process, const struct record *late)
{
	for (size_t i = process->n; i-- > 0;) {
		struct record *map = process->maps[i];

		if (map->addr != late->addr || map->len != late->len)
			continue;
		/* Something else has taken its place. */
		if (!map->path || !late->path || strcmp(map->path, late->path) != 0)
			return;
		if (!map->late && !map->build_id)
			map->now = late;
		return;
	}
}

static void follow_records(void)
{
	for (size_t i = 0; i < n_records; i++) {
		struct record *record = &records[i];
		struct process *process = find_process(record->pid);

		if (record->kind == MAP) {
			if (record->late)
				complete(process, record);
			add_map(process, record);
			continue;
		}
		/* A snapshot tells of a process that may be known. */
		if (record->kind == FORK && record->snapshot && process->n)
			continue;
		process->n = 0;
		if (record->kind == FORK && !record->snapshot) {
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

/* ---- Cases ---- */

static void count_word(struct words *words, const char *text, size_t n)
{
	size_t i = 0;

	while (i < words->n && strcmp(words->v[i].text, text) != 0)
		i++;
	if (i == words->n) {
		words->v = grow(words->v, words->n, sizeof(*words->v));
		words->v[words->n].text = strdup(text);
		words->v[words->n++].n = 0;
	}
	words->v[i].n += n;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void print_words(FILE *out, struct words *words, char between)
{
	if (words->n)
		qsort(words->v, words->n, sizeof(*words->v), by_text);
	for (size_t i = 0; i < words->n; i++)
		fprintf(out, "%s%s=%zu", i ? (char[]){between, 0} : "", words->v[i].text,
			words->v[i].n);
}

/* The tally of the case that @path is of. */
static struct tally *find_tally(const char *path)
{
	const char *at = strchr(path, '@');
	const char *name = at ? at + 1 : "others";
	size_t length = strcspn(name, "/ \n");

	for (size_t i = 0; i < n_tallies; i++)
		if (strlen(tallies[i].name) == length && !strncmp(tallies[i].name, name, length))
			return &tallies[i];
	tallies = grow(tallies, n_tallies, sizeof(*tallies));
	tallies[n_tallies] = (struct tally){.name = strndup(name, length)};
	return &tallies[n_tallies++];
}

static void flag(struct tally *tally, const char *reason, size_t n)
{
	tally->flagged += n;
	count_word(&tally->reasons, reason, n);
}

/* As check counts them, over all records. */
static void print_ledger(FILE *out)
{
	size_t maps = 0, build_ids = 0, cookies = 0;
	struct words words = {0};

	for (size_t i = 0; i < n_records; i++) {
		const struct record *record = &records[i];

		if (record->kind != MAP || record->now)
			continue;
		maps++;
		build_ids += record->build_id != NULL;
		cookies += !record->build_id && record->cookie;
		if (record->build_id)
			count_word(&words, record->source ? record->source : "unknown", 1);
		else
			count_word(&words, record->reason ? record->reason : "unknown", 1);
	}
	fprintf(out, "ledger: mappings=%zu build_id=%zu cookie=%zu none=%zu ", maps, build_ids,
		cookies, maps - build_ids - cookies);
	print_words(out, &words, ' ');
	fputc('\n', out);
}

static void print_cases(FILE *out)
{
	for (size_t i = 0; i < n_tallies; i++) {
		struct tally *tally = &tallies[i];

		fprintf(out, "%s %zu %zu %zu %zu ", tally->name, tally->ids, tally->right,
			tally->wrong, tally->flagged);
		print_words(out, &tally->reasons, ',');
		fputc('\n', out);
	}
	print_ledger(out);
}

/* ---- Judgement ---- */

static void judge(struct counts *counts, const struct record *map, const char *id, const char *path,
	const char *line)
{
	const char *recorded = map && map->build_id ? map->build_id : "-";
	bool wanted = strcmp(id, "-") != 0 && strlen(id) <= ID_DIGITS_MAX;
	struct tally *tally = find_tally(path);

	counts->ids += wanted;
	tally->ids += wanted;
	if (!map) {
		counts->unseen++;
		flag(tally, "lost", 1);
		printf("UNSEEN %s", line);
	} else if (map->build_id && (!wanted || strcmp(id, map->build_id) != 0)) {
		counts->wrong++;
		tally->wrong++;
		printf("WRONG %s %s", recorded, line);
	} else if (wanted && map->build_id) {
		counts->right++;
		tally->right++;
		count_source(counts, map);
	} else if (!map->reason) {
		counts->silent++;
		tally->wrong++;
		printf("SILENT %s", line);
	} else if (wanted) {
		counts->missing++;
		flag(tally, map->reason, 1);
		printf("MISSING %s %s", map->reason, line);
	} else {
		counts->without++;
		counts->bare += !map->cookie && strcmp(map->reason, "anonymous") != 0;
		flag(tally, map->reason, 1);
	}
}

/* The records of @process within the mapping are accounted for. */
static void mark_found(struct process *process, uint64_t start, uint64_t len, const char *path)
{
	process->of_case |= strchr(path, '@') != NULL;
	for (size_t i = 0; i < process->n; i++) {
		struct record *map = process->maps[i];

		if (map->addr >= start && map->addr - start < len)
			map->found = true;
	}
}

static void read_oracle(struct counts *counts, FILE *in)
{
	uint64_t start, len;
	char *line = NULL, id[8194];
	int pid, used, last = -1;
	size_t size = 0;

	while (getline(&line, &size, in) > 0) {
		const struct record *map, *end;
		struct process *process;

		if (sscanf(line, "%d %" SCNx64 " %" SCNx64 " %8193s %n", &pid, &start, &len, id,
			    &used) != 4) {
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
		mark_found(process, start, len, line + used);
		map = find_map(process, start);
		/* Mappings that were made one by one may have become one. */
		end = find_map(process, start + len - 1);
		if (map && end && map != end &&
			(!map->build_id || !end->build_id ||
				strcmp(map->build_id, end->build_id) != 0))
			map = strcmp(id, map->build_id ? map->build_id : "-") ? map : end;
		/* What a child has inherited may have been completed in its parent. */
		if (map && map->now)
			map = map->now;
		judge(counts, end ? map : NULL, id, line + used, line);
	}
	free(line);
}

/* What processes of cases have by their records and not by the oracle. They unmap nothing. */
static void find_extra(struct counts *counts)
{
	for (size_t i = 0; i < n_processes; i++) {
		for (size_t j = 0; processes[i].of_case && j < processes[i].n; j++) {
			const struct record *map = processes[i].maps[j];

			if (map->found || map->pid != processes[i].pid)
				continue;
			counts->extra++;
			printf("EXTRA %d %" PRIx64 " %" PRIx64 " %s\n", map->pid, map->addr,
				map->len, map->path);
		}
	}
}

static void read_known(struct counts *counts, FILE *in)
{
	char *line = NULL, id[8194];
	size_t size = 0, times;
	int used;

	while (getline(&line, &size, in) > 0) {
		size_t seen = 0;
		char *copy = strdup(line);

		line[strcspn(line, "\n")] = 0;
		if (!copy || sscanf(line, "%zu %8193s %n", &times, id, &used) != 2) {
			fprintf(stderr, "compare: not known: %s\n", line);
			exit(2);
		}
		for (size_t i = 0; i < n_records; i++) {
			const struct record *map = &records[i];

			/* A snapshot may tell of it a second time. */
			if (map->kind != MAP || map->snapshot || !map->path ||
				strcmp(map->path, line + used) != 0)
				continue;
			seen++;
			judge(counts, map->now ? map->now : map, id, line + used, copy);
		}
		free(copy);
		if (seen < times) {
			counts->unseen += times - seen;
			counts->ids += strcmp(id, "-") ? times - seen : 0;
			find_tally(line + used)->ids += strcmp(id, "-") ? times - seen : 0;
			flag(find_tally(line + used), "lost", times - seen);
		}
		counts->extra += seen > times ? seen - times : 0;
	}
	free(line);
}

static FILE *open_or_die(const char *path, const char *mode)
{
	FILE *file = fopen(path, mode);

	if (!file) {
		perror(path);
		exit(2);
	}
	return file;
}

int main(int argc, char **argv)
{
	struct counts counts = {0};

	if (argc < 3 || argc > 5) {
		fprintf(stderr, "Usage: compare RECORDS ORACLE [CASES [KNOWN]]\n");
		return 2;
	}
	read_records(open_or_die(argv[1], "re"));
	follow_records();
	read_oracle(&counts, open_or_die(argv[2], "re"));
	find_extra(&counts);
	if (argc > 4)
		read_known(&counts, open_or_die(argv[4], "re"));
	if (argc > 3) {
		FILE *cases = open_or_die(argv[3], "we");

		print_cases(cases);
		if (fclose(cases))
			return 2;
	}
	printf("mappings=%zu processes=%zu ids=%zu right=%zu wrong=%zu missing=%zu unseen=%zu "
	       "without=%zu bare=%zu gone=%zu silent=%zu extra=%zu",
		counts.mappings, counts.processes, counts.ids, counts.right, counts.wrong,
		counts.missing, counts.unseen, counts.without, counts.bare, counts.gone,
		counts.silent, counts.extra);
	for (size_t i = 0; i < N_SOURCES; i++)
		printf(" %s=%zu", SOURCES[i], counts.sources[i]);
	putchar('\n');
	return counts.wrong || counts.missing || counts.unseen || counts.silent;
}
