/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Source lines and unwind tables of functions, from jitdumps. An entry of code_names refers to them
 * by a number. Pure: the tables are not parsed.
 */
#ifndef PERFSTAMP_MODEL_CODE_DETAILS_H
#define PERFSTAMP_MODEL_CODE_DETAILS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODE_DETAILS_NONE UINT32_MAX

/*
 * The bytes of .eh_frame, followed by those of .eh_frame_hdr. Their addresses count as if they
 * followed the code, aligned to 8 bytes.
 */
struct code_unwind {
	const uint8_t *bytes;
	size_t size;     /* bytes of both */
	size_t hdr_size; /* bytes of .eh_frame_hdr; 0: none */
};

struct code_details;

int code_details__new(struct code_details **ret);
void code_details__free(struct code_details *details);
/*
 * Begins an empty entry, and sets *@ret to its number. Returns 0, -ENOMEM, or -E2BIG if all entries
 * together would exceed 512 MiB. Each function that adds data reports this.
 */
int code_details__begin(struct code_details *details, uint32_t *ret);
/*
 * Adds a line to the newest entry. Its code begins @offset bytes behind the begin of the function.
 * Returns 0, -E2BIG or -ENOMEM.
 */
int code_details__add_line(
	struct code_details *details, uint64_t offset, uint32_t line, const char *file);
/* Ends the lines of the newest entry. */
void code_details__end(struct code_details *details);
/* Copies the tables to the newest entry. Returns 0, -E2BIG or -ENOMEM. */
int code_details__set_unwind(struct code_details *details, const struct code_unwind *unwind);
/*
 * Returns the file of the code's line at @offset, which is valid as long as @details, or NULL if
 * there is no line. The line is that of the last entry at or before @offset. @number may be
 * CODE_DETAILS_NONE.
 */
const char *code_details__line(
	const struct code_details *details, uint32_t number, uint64_t offset, uint32_t *ret);
/* Whether entry @number has lines. @number may be CODE_DETAILS_NONE. */
bool code_details__has_lines(const struct code_details *details, uint32_t number);
/* Gets the @i-th line in the order of offsets; returns false behind the last one. */
bool code_details__nth_line(const struct code_details *details, uint32_t number, size_t i,
	uint64_t *ret_offset, uint32_t *ret_line, const char **ret_file);
/* Gets the tables; returns false if there are none. @number may be CODE_DETAILS_NONE. */
bool code_details__unwind(
	const struct code_details *details, uint32_t number, struct code_unwind *ret);

#endif
