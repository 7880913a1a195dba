// SPDX-License-Identifier: GPL-2.0-only
/* See reload.h. */
#include "user/cli/record/reload.h"

#include "user/cli/perfconfig.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/source/machine/clock.h"
#include "user/source/machine/systemd.h"

/* Whether the configuration decides, because no option sets this. */
static bool is_open(const struct record_command *command, enum record_setting setting)
{
	const struct recorder_options *options = &command->recorder;

	if (setting == SETTING_SWITCH_OUTPUT)
		return command->plain_switch_output && !options->overwrite.bytes;
	return options->switch_when != SWITCH_NEVER && !command->given[setting];
}

void record_settings__apply(struct record_command *command)
{
	for (int i = 0; i < RECORD_SETTINGS; i++)
		if (is_open(command, i) && *command->config.settings.text[i])
			record_setting__set(
				i, command->config.settings.text[i], &command->recorder);
}

static void __attribute__((format(printf, 2, 3)))
note(const struct record_command *command, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	command->recorder.note(text, command->recorder.note_ctx);
}

/* Takes a setting. Returns whether it printed anything. */
static bool take(struct record_command *command, enum record_setting setting, const char *new)
{
	const char *old = command->config.settings.text[setting];
	const char *name = record_setting__name(setting);
	char was[4 * RECORD_SETTING_MAX], is[4 * RECORD_SETTING_MAX];

	if (!strcmp(old, new))
		return false;
	text__escape(was, sizeof(was), *old ? old : "not set");
	text__escape(is, sizeof(is), *new ? new : "not set");
	if (is_open(command, setting)) {
		record_setting__set(setting, new, &command->recorder);
		note(command, "reload: %s: %s, was %s", name, is, was);
	} else {
		note(command, "reload: %s: %s, was %s: no effect, because an option sets it", name,
			is, was);
	}
	return true;
}

static bool report_restart(const struct record_command *command, const char *name, bool changed)
{
	if (changed)
		note(command, "reload: %s has changed: this requires a restart", name);
	return changed;
}

/*
 * Checks that the configuration can be read. At the start, a file that is missing or belongs to
 * another user is not reported, as in perf. Later, ignoring it would remove the limits of the
 * files.
 */
static int check_config(struct error *err)
{
	const char *path = getenv("PERF_CONFIG");
	char shown[ERROR_TEXT_MAX / 2];
	struct stat st;

	if (!path || !*path)
		return 0;
	text__escape(shown, sizeof(shown), path);
	if (access(path, R_OK) < 0 || stat(path, &st) < 0)
		return error__errno(err, -errno, "%s", shown);
	return perfconfig__is_trusted(&st)
		       ? 0
		       : error__set(err, -EPERM, "%s belongs to another user", shown);
}

static void reload(struct record_command *command)
{
	const struct record_config *old = &command->config;
	struct record_config config;
	struct error err;
	bool any = false;

	if (check_config(&err) || record_config__read(&config, &err)) {
		note(command, "reload: %s; nothing was changed", err.text);
		return;
	}
	for (int i = 0; i < RECORD_SETTINGS; i++)
		any |= take(command, i, config.settings.text[i]);
	any |= report_restart(command, "perfstamp.rung", strcmp(old->rung, config.rung) != 0);
	any |= report_restart(command, "perfstamp.map-ring-size",
		strcmp(old->map_ring_size, config.map_ring_size) != 0);
	any |= report_restart(command, "call-graph",
		old->call_graph != config.call_graph || old->dump_size != config.dump_size);
	if (!any)
		note(command, "reload: no changes");
	command->config = config;
}

void record_settings__reload(void *command)
{
	systemd__notify("RELOADING=1\nMONOTONIC_USEC=%" PRIu64, clock__now(CLOCK_MONOTONIC) / 1000);
	reload(command);
	systemd__notify("READY=1");
}
