/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The devices whose server did not answer the reader of map files and jitdumps (code_reader.h):
 * files on them are not read again for an hour. Asks no file system. For code_capture.c.
 */
#ifndef PERFSTAMP_RECORD_CODE_SILENT_H
#define PERFSTAMP_RECORD_CODE_SILENT_H

#include <stdbool.h>
#include <stdint.h>

#include "user/parse/mountinfo.h"
#include "user/record/capture/code_reader.h"

#define CODE_SILENT_MAX 64
#define CODE_SILENT_NS 3600000000000ull

struct code_silent {
	struct {
		uint32_t major, minor;
		uint64_t since_ns; /* CLOCK_MONOTONIC; 0: unused */
	} devices[CODE_SILENT_MAX];
	unsigned int next; /* the entry that is used next: the oldest one */
};

/* All zeros: no device is known. */
void code_silent__add(
	struct code_silent *silent, const struct mountinfo_device *device, uint64_t now_ns);
/* Whether the file of this request is on such a device. */
bool code_silent__has(
	const struct code_silent *silent, const struct code_request *request, uint64_t now_ns);

/*
 * Finds the device of the file of a request: of the process's /tmp, or of the mapped dump. Returns
 * false if it is not known.
 */
bool code_silent__find(const struct code_request *request, struct mountinfo_device *ret);

#endif
