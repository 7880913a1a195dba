// SPDX-License-Identifier: GPL-2.0-only
/* See record_config.h. */
#include "user/cli/record/config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/cli/cli.h"
#include "user/cli/record/options.h"
#include "user/parse/event/attr.h"
#include "user/parse/config.h"

#define SYSTEM_WIDE "/etc/perfconfig"
#define FILE_MAX (1 << 20) /* bytes */

struct reading {
	struct record_config *config;
	const char *path;
	struct error *err;
};

static int is_wrong(const struct reading *reading, const char *key, const char *value,
	const char *wanted, size_t line)
{
	return error__set(reading->err, -EINVAL, "%s:%zu: %s is '%s'; it may be %s", reading->path,
		line, key, value, wanted);
}

static int take_call_graph(
	const struct reading *reading, const char *key, const char *value, size_t line)
{
	uint32_t stack;

	if (event_terms__call_graph(&reading->config->call_graph, &stack, value) ||
		reading->config->call_graph == EVENT_CALL_GRAPH_NO)
		return is_wrong(reading, key, value,
			"fp, dwarf, dwarf,SIZE with SIZE up to 65528, or lbr", line);
	if (stack)
		reading->config->dump_size = stack;
	return 0;
}

static int take_build_id(
	const struct reading *reading, const char *key, const char *value, size_t line)
{
	static const char *const VALUES[] = {"cache", "no-cache", "skip", "mmap", "no-mmap"};

	for (size_t i = 0; i < sizeof(VALUES) / sizeof(VALUES[0]); i++)
		if (!strcmp(value, VALUES[i])) {
			reading->config->build_id = true;
			return 0;
		}
	return is_wrong(reading, key, value, "cache, no-cache, skip, mmap or no-mmap", line);
}

/* Not tried before it counts: an option may say otherwise. What is wrong is told here. */
static int take_setting(
	const struct reading *reading, enum record_setting setting, const char *value, size_t line)
{
	char *text = reading->config->settings.text[setting];
	struct recorder_options tried = {0};

	if (strlen(value) >= RECORD_SETTING_MAX || record_setting__set(setting, value, &tried))
		return is_wrong(reading, record_setting__name(setting), value,
			record_setting__wanted(setting), line);
	memcpy(text, value, strlen(value) + 1);
	return 0;
}

static int take(void *ctx, const char *key, const char *value, size_t line)
{
	const struct reading *reading = ctx;
	struct record_config *config = reading->config;
	uint64_t size;

	if (!strcmp(key, "record.build-id"))
		return take_build_id(reading, key, value, line);
	/* In perf the first is another name for the second. */
	if (!strcmp(key, "record.call-graph") || !strcmp(key, "call-graph.record-mode"))
		return take_call_graph(reading, key, value, line);
	if (!strcmp(key, "call-graph.dump-size")) {
		if (record_options__number(value, &size) ||
			attr__stack_size(&config->dump_size, size))
			return is_wrong(reading, key, value, "up to 65528 bytes", line);
		return 0;
	}
	for (int i = 0; i < RECORD_SETTINGS; i++)
		if (!strcmp(key, record_setting__name(i)))
			return take_setting(reading, i, value, line);
	if (!strcmp(key, "perfstamp.rung"))
		snprintf(config->rung, sizeof(config->rung), "%s", value);
	else if (!strcmp(key, "perfstamp.map-ring-size"))
		snprintf(config->map_ring_size, sizeof(config->map_ring_size), "%s", value);
	return 0;
}

bool record_config__is_trusted(const struct stat *st)
{
	return !st->st_uid || st->st_uid == geteuid();
}

/* One that is not there, or not ours to read, is passed over, as perf does. */
static int read_file(const struct reading *reading)
{
	FILE *file = fopen(reading->path, "re");
	struct error *err = reading->err;
	struct stat stat;
	char *text = NULL;
	size_t size = 0, line = 0;
	int r = 0;

	if (!file)
		return 0;
	if (fstat(fileno(file), &stat) || !S_ISREG(stat.st_mode) || stat.st_size > FILE_MAX) {
		r = error__set(err, -EINVAL, "%s: not a file of less than 1 MiB", reading->path);
	} else if (!record_config__is_trusted(&stat)) {
		cli__fail("warning: %s belongs to another user and is ignored", reading->path);
	} else {
		text = malloc(stat.st_size + 1);
		size = text ? fread(text, 1, stat.st_size, file) : 0;
		err->text[0] = '\0';
		r = text ? config__parse(text, size, take, (void *)reading, &line) : -ENOMEM;
		if (r && !err->text[0])
			error__set(err, r, "%s:%zu: syntax error", reading->path, line);
	}
	free(text);
	fclose(file);
	return r;
}

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value && strcmp(value, "0") != 0 && strcasecmp(value, "false") != 0;
}

int record_config__read(struct record_config *ret, struct error *err)
{
	const char *only = getenv("PERF_CONFIG"), *home = getenv("HOME");
	struct reading reading = {.config = ret, .path = SYSTEM_WIDE, .err = err};
	char path[PATH_MAX];
	int r = 0;

	memset(ret, 0, sizeof(*ret));
	if (only && *only) {
		reading.path = only;
		return read_file(&reading);
	}
	if (!is_set("PERF_CONFIG_NOSYSTEM"))
		r = read_file(&reading);
	if (r || !home || is_set("PERF_CONFIG_NOGLOBAL"))
		return r;
	snprintf(path, sizeof(path), "%s/.perfconfig", home);
	reading.path = path;
	return read_file(&reading);
}
