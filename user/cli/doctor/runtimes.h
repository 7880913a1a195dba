/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds running runtimes that write no names for the code that they compile or interpret,
 * and the switch that makes them write names. A part of doctor.
 */
#ifndef PERFSTAMP_CLI_DOCTOR_RUNTIMES_H
#define PERFSTAMP_CLI_DOCTOR_RUNTIMES_H

#include "user/source/diagnosis.h"

/* Adds a finding for each runtime that has processes. Returns 0 or -ENOMEM. */
int doctor_runtimes__look(struct diagnosis *diagnosis);

#endif
