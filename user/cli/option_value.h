/* SPDX-License-Identifier: GPL-2.0-only */
/* Parses values of options: numbers, sizes, times and process ids, in perf's units. */
#ifndef PERFSTAMP_CLI_OPTION_VALUE_H
#define PERFSTAMP_CLI_OPTION_VALUE_H

#include <argp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A decimal number from @least to @most. Returns 0 or -EINVAL. */
int option_value__number(const char *text, uint64_t least, uint64_t most, uint64_t *ret);
/* A positive number of bytes, with an optional B, K, M or G. Returns 0 or -EINVAL. */
int option_value__bytes(const char *text, uint64_t *ret);
/* Bytes with B, K, M or G, which is required. Returns 0 or -EINVAL. */
int option_value__size(const char *text, uint64_t *ret);
/* Seconds, with one of @units, of "smhdw", which is required. Returns 0 or -EINVAL. */
int option_value__seconds(const char *text, const char *units, uint64_t *ret);
/* A time with s, m, h or d, in ns. Returns 0 or -EINVAL. */
int option_value__time(const char *text, uint64_t *ret_ns);
/*
 * Parses the argument "1,2,3" of option @key. Frees the numbers of an earlier such option in *@ids;
 * the caller frees the new ones. Returns their count. Exits if @text is not such a list.
 */
size_t option_value__ids(pid_t **ids, int key, const char *text, struct argp_state *state);

#endif
