// SPDX-License-Identifier: GPL-2.0-only
/*
 * See kallsyms.h.
 */
#include "user/symbols/elf/kallsyms.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "user/parse/kernel/kallsyms.h"

struct adding {
	struct symbols_table *table;
	int n;
};

static int add(void *ctx, const struct kallsyms_symbol *symbol)
{
	struct adding *adding = ctx;
	unsigned int binding = STB_LOCAL;

	if (symbol->module || !symbol->addr || !strchr("tTwW", symbol->type))
		return 0;
	if (symbol->type == 'w' || symbol->type == 'W')
		binding = STB_WEAK;
	else if (isupper((unsigned char)symbol->type))
		binding = STB_GLOBAL;
	adding->n++;
	return symbols_table__add(
		adding->table, symbol->addr, 0, symbol->name, binding, SYMBOL_KALLSYMS);
}

int symbols_kallsyms__add(struct symbols_table *table, const char *path)
{
	struct adding adding = {.table = table};
	struct kallsyms kallsyms;
	char bytes[65536];
	int err = 0;
	ssize_t n;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	kallsyms__init(&kallsyms);
	while (!err && (n = read(fd, bytes, sizeof(bytes))) > 0)
		err = kallsyms__feed(&kallsyms, bytes, n, add, &adding);
	close(fd);
	return err ? err : adding.n;
}
