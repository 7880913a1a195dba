// SPDX-License-Identifier: GPL-2.0-only
/* See settings.h. */
#include "user/cli/record/settings.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "user/cli/option_value.h"

static const struct {
	const char *name;
	const char *wanted;
} SETTINGS[RECORD_SETTINGS] = {
	[SETTING_SWITCH_OUTPUT] = {"perfstamp.switch-output",
		"signal, a size with B, K, M or G, or a time with s, m, h or d"},
	[SETTING_SWITCH_MAX_FILES] = {"perfstamp.switch-max-files", "a number of files"},
	[SETTING_KEEP] = {"perfstamp.keep", "a size with B, K, M or G, a time with s, m, h or d, "
					    "or both with a comma between"},
	[SETTING_MEMORY] = {"perfstamp.memory", "a size with B, K, M or G"},
};

const char *record_setting__name(enum record_setting setting)
{
	return SETTINGS[setting].name;
}

const char *record_setting__wanted(enum record_setting setting)
{
	return SETTINGS[setting].wanted;
}

static int set_switch_output(const char *text, struct recorder_options *options)
{
	if (!*text || !strcmp(text, "signal"))
		options->switch_when = SWITCH_ON_SIGNAL;
	else if (!option_value__size(text, &options->switch_at))
		options->switch_when = SWITCH_BY_SIZE;
	else if (!option_value__time(text, &options->switch_at))
		options->switch_when = SWITCH_BY_TIME;
	else
		return -EINVAL;
	return 0;
}

/* Parses "1G", "7d" or "1G,7d". */
static int set_keep(const char *text, struct recorder_options *options)
{
	struct keep_budget budget = {0};
	char part[RECORD_SETTING_MAX];

	while (*text) {
		size_t length = strcspn(text, ",");

		snprintf(part, sizeof(part), "%.*s", (int)length, text);
		if (option_value__size(part, &budget.bytes) &&
			option_value__time(part, &budget.age_ns))
			return -EINVAL;
		text += length;
		text += *text == ',';
	}
	options->keep = budget;
	return 0;
}

int record_setting__set(
	enum record_setting setting, const char *text, struct recorder_options *options)
{
	switch (setting) {
	case SETTING_SWITCH_OUTPUT:
		return set_switch_output(text, options);
	case SETTING_SWITCH_MAX_FILES:
		options->max_files = 0;
		return *text ? option_value__number(text, 1, UINT64_MAX, &options->max_files) : 0;
	case SETTING_KEEP:
		return set_keep(text, options);
	case SETTING_MEMORY:
		options->max_memory = 0;
		return *text ? option_value__size(text, &options->max_memory) : 0;
	default:
		return -EINVAL;
	}
}
