/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of numbers on the command line of report: "1,4-7". */
#ifndef PERFSTAMP_CLI_PROFILE_NUMBERS_H
#define PERFSTAMP_CLI_PROFILE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct number_range {
	uint32_t first, last;
};

struct number_list {
	struct number_range *v;
	size_t n;
};

/*
 * Returns 0, -EINVAL if @text is not such a list, or -ENOMEM. Frees the previous content of @ret.
 */
int number_list__parse(struct number_list *ret, const char *text);
void number_list__free(struct number_list *list);
bool number_list__has(const struct number_list *list, uint32_t number);

#endif
