// SPDX-License-Identifier: GPL-2.0-only
/* The lines of /proc/kallsyms. Does not know any file. */
#include "user/parse/kernel/kallsyms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void kallsyms__init(struct kallsyms *kallsyms)
{
	kallsyms->len = 0;
	kallsyms->skip = false;
}

/* Cuts @line, which ends with a NUL, into its fields. */
static bool parse_line(char *line, struct kallsyms_symbol *ret)
{
	char *end, *tab;

	ret->addr = strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ' || !end[3])
		return false;
	ret->type = end[1];
	ret->name = end + 3;
	ret->module = NULL;
	tab = strchr(ret->name, '\t');
	if (!tab)
		return true;
	*tab++ = '\0';
	if (*tab++ != '[')
		return true;
	end = strchr(tab, ']');
	if (end) {
		*end = '\0';
		ret->module = tab;
	}
	return true;
}

int kallsyms__feed(struct kallsyms *kallsyms, const char *bytes, size_t size,
	kallsyms_symbol_fn *fn, void *ctx)
{
	while (size) {
		const char *newline = memchr(bytes, '\n', size);
		size_t part = newline ? (size_t)(newline - bytes) : size;
		struct kallsyms_symbol symbol;

		if (part >= sizeof(kallsyms->line) - kallsyms->len)
			kallsyms->skip = true;
		if (!kallsyms->skip) {
			memcpy(kallsyms->line + kallsyms->len, bytes, part);
			kallsyms->len += part;
		}
		if (!newline)
			return 0;
		bytes += part + 1;
		size -= part + 1;
		if (!kallsyms->skip) {
			kallsyms->line[kallsyms->len] = '\0';
			if (parse_line(kallsyms->line, &symbol)) {
				int r = fn(ctx, &symbol);

				if (r)
					return r;
			}
		}
		kallsyms__init(kallsyms);
	}
	return 0;
}

static void take(
	const struct kallsyms_symbol *symbol, const char *name, bool *ret_has, uint64_t *ret_addr)
{
	/* The first symbol with a name counts, as in perf. The kernel has each of these once. */
	if (*ret_has || strcmp(symbol->name, name))
		return;
	*ret_has = true;
	*ret_addr = symbol->addr;
}

int kallsyms_kernel__add(void *ctx, const struct kallsyms_symbol *symbol)
{
	struct kallsyms_kernel *kernel = ctx;

	/* All of the kernel's own symbols come before the first module's. */
	if (symbol->module)
		return 1;
	take(symbol, "_text", &kernel->has_text, &kernel->text);
	take(symbol, "_stext", &kernel->has_stext, &kernel->stext);
	take(symbol, "_etext", &kernel->has_etext, &kernel->etext);
	kernel->hidden = (kernel->has_text || kernel->has_stext || kernel->has_etext) &&
			 !kernel->text && !kernel->stext && !kernel->etext;
	return kernel->has_text && kernel->has_stext && kernel->has_etext;
}
