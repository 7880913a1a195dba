/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds running processes of runtimes that do not write names for code that they compile or
 * interpret, and the option that enables this. A part of doctor.
 */
#ifndef PERFSTAMP_CLI_DOCTOR_RUNTIMES_H
#define PERFSTAMP_CLI_DOCTOR_RUNTIMES_H

#include "user/source/diagnosis.h"

/* Adds a finding for each runtime that has processes. Returns 0 or -ENOMEM. */
int doctor_runtimes__look(struct diagnosis *diagnosis);

#endif
