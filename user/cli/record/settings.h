/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings that can be changed while recording: the size and the number of files. The configuration
 * is read at the start and when a service reloads. Options overrule it.
 */
#ifndef PERFSTAMP_CLI_RECORD_SETTINGS_H
#define PERFSTAMP_CLI_RECORD_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "user/record/recorder.h"

enum record_setting {
	SETTING_SWITCH_OUTPUT, /* the meaning of --switch-output without a value */
	SETTING_SWITCH_MAX_FILES,
	SETTING_KEEP,
	SETTING_MEMORY,
	RECORD_SETTINGS,
};

#define RECORD_SETTING_MAX 64

/* The settings in a configuration; empty: not set. */
struct record_settings {
	char text[RECORD_SETTINGS][RECORD_SETTING_MAX];
};

/*
 * Return the name in the configuration ("perfstamp.keep"), and a description of valid values for
 * error texts.
 */
const char *record_setting__name(enum record_setting setting);
const char *record_setting__wanted(enum record_setting setting);
/* Sets a setting from @text, or to its default if @text is empty. Returns 0 or -EINVAL. */
int record_setting__set(
	enum record_setting setting, const char *text, struct recorder_options *options);

#endif
