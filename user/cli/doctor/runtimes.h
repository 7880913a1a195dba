/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which running runtimes write no names of what they compile or interpret, and the switch that
 * makes them. A part of doctor.
 */
#ifndef PERFSTAMP_CLI_DOCTOR_RUNTIMES_H
#define PERFSTAMP_CLI_DOCTOR_RUNTIMES_H

#include "user/source/diagnosis.h"

/* Adds a finding for each runtime of which there are processes. Returns 0 or -ENOMEM. */
int doctor_runtimes__look(struct diagnosis *diagnosis);

#endif
