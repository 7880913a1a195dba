// SPDX-License-Identifier: GPL-2.0-only
/* See config.h. */
#include "user/cli/record/config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "user/cli/perfconfig.h"
#include "user/cli/option_value.h"
#include "user/parse/event/attr.h"

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

/*
 * Takes a setting. An option may overrule it, so its value is checked later. Errors are reported
 * here.
 */
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

static int take(void *ctx, const struct perfconfig_value *taken, struct error *err)
{
	struct record_config *config = ctx;
	const struct reading of = {config, taken->path, err}, *reading = &of;
	const char *key = taken->key, *value = taken->value;
	size_t line = taken->line;
	uint64_t size;

	if (!strcmp(key, "record.build-id"))
		return take_build_id(reading, key, value, line);
	/* In perf, the first name is an alias of the second. */
	if (!strcmp(key, "record.call-graph") || !strcmp(key, "call-graph.record-mode"))
		return take_call_graph(reading, key, value, line);
	if (!strcmp(key, "call-graph.dump-size")) {
		if (option_value__number(value, 1, UINT64_MAX, &size) ||
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

int record_config__read(struct record_config *ret, struct error *err)
{
	memset(ret, 0, sizeof(*ret));
	return perfconfig__read(take, ret, err);
}
