/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Source lines and unwind tables of functions, from jitdumps. code_names refers to a detail
 * by its number. Pure; the tables are not parsed.
 */
#ifndef PERFSTAMP_MODEL_CODE_DETAILS_H
#define PERFSTAMP_MODEL_CODE_DETAILS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODE_DETAILS_NONE UINT32_MAX

/* .eh_frame and behind it .eh_frame_hdr, as if they began 8-aligned behind the code. */
struct code_unwind {
	const uint8_t *bytes;
	size_t size;     /* bytes, of both */
	size_t hdr_size; /* bytes, of .eh_frame_hdr; 0: none */
};

struct code_details;

int code_details__new(struct code_details **ret);
void code_details__free(struct code_details *details);
/*
 * One that has nothing yet. -E2BIG where they would take more than 512 MiB, which is reported by
 * each that adds; -ENOMEM.
 */
int code_details__begin(struct code_details *details, uint32_t *ret);
/*
 * A line of the newest one, whose code begins at @offset bytes from the function's begin.
 * 0, -E2BIG or -ENOMEM.
 */
int code_details__add_line(
	struct code_details *details, uint64_t offset, uint32_t line, const char *file);
/* The newest one has all its lines. */
void code_details__end(struct code_details *details);
/* The tables of the newest one, which are copied. 0, -E2BIG or -ENOMEM. */
int code_details__set_unwind(struct code_details *details, const struct code_unwind *unwind);
/*
 * Returns the file of the code's line at @offset, which is valid as long as @details, or NULL if
 * there is no line. The line is that of the last entry at or before @offset. @number may be
 * CODE_DETAILS_NONE.
 */
const char *code_details__line(
	const struct code_details *details, uint32_t number, uint64_t offset, uint32_t *ret);
/* Whether there is any line. @number may be CODE_DETAILS_NONE. */
bool code_details__has_lines(const struct code_details *details, uint32_t number);
/* The @i-th line, in order of offsets; false behind the last one. */
bool code_details__nth_line(const struct code_details *details, uint32_t number, size_t i,
	uint64_t *ret_offset, uint32_t *ret_line, const char **ret_file);
/* False: it has no tables. @number may be CODE_DETAILS_NONE. */
bool code_details__unwind(
	const struct code_details *details, uint32_t number, struct code_unwind *ret);

#endif
