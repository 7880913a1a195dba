/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the settings of a request from its configuration: at the start, and again while recording.
 */
#ifndef PERFSTAMP_CLI_RECORD_RELOAD_H
#define PERFSTAMP_CLI_RECORD_RELOAD_H

#include "user/cli/record/request.h"

/* Applies settings that no option sets, at the start. */
void record_settings__apply(struct record_command *command);
/*
 * Reads the configuration again; @command is a struct record_command. Reports changes, changes that
 * require a restart, and errors. After an error nothing is changed.
 */
void record_settings__reload(void *command);

#endif
