// SPDX-License-Identifier: GPL-2.0-only
/* See line.h. */
#include "user/cli/watch/line.h"

#include <errno.h>
#include <stdlib.h>

#include "user/source/machine/systemd.h"
#include "user/view/format/journal.h"

static int write_journal(const struct line *line)
{
	char *message = NULL, *entry = NULL;
	struct fields fields = {.ops = &FIELDS_JOURNAL};
	size_t message_size, size = 0;
	FILE *out = open_memstream(&message, &message_size);
	int code = -ENOMEM;

	fields.out = open_memstream(&entry, &size);
	if (out)
		line->sentence(out, line->what);
	if (fields.out)
		line->fields(&fields, line->what);
	if (out && fields.out && !ferror(out) && !ferror(fields.out))
		code = 0;
	if (out && fclose(out))
		code = -ENOMEM;
	if (fields.out && fclose(fields.out))
		code = -ENOMEM;
	if (!code)
		code = systemd__write_journal(line->priority, message, entry, size);
	free(message);
	free(entry);
	return code;
}

int line__write(const struct line *line, bool journal, bool json)
{
	struct fields fields = {.ops = &FIELDS_JSON, .out = stdout};

	if (journal)
		return write_journal(line);
	if (json)
		line->fields(&fields, line->what);
	else
		line->text(stdout, line->what);
	return 0;
}
