/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The settings that can be changed while recording: the files' sizes and their number. Read
 * from the configuration, at the start and when a service reloads, unless an option sets
 * them.
 */
#ifndef PERFSTAMP_CLI_RECORD_SETTINGS_H
#define PERFSTAMP_CLI_RECORD_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "user/record/recorder.h"

enum record_setting {
	SETTING_SWITCH_OUTPUT, /* what --switch-output without a value stands for */
	SETTING_SWITCH_MAX_FILES,
	SETTING_KEEP,
	SETTING_MEMORY,
	RECORD_SETTINGS,
};

#define RECORD_SETTING_MAX 64

/* The settings in a configuration; an empty one is not set. */
struct record_settings {
	char text[RECORD_SETTINGS][RECORD_SETTING_MAX];
};

/* Its name there: "perfstamp.keep". What it may be, for error texts. */
const char *record_setting__name(enum record_setting setting);
const char *record_setting__wanted(enum record_setting setting);
/* Sets it from @text, or to its default if that is empty. Returns 0 or -EINVAL. */
int record_setting__set(
	enum record_setting setting, const char *text, struct recorder_options *options);

#endif
