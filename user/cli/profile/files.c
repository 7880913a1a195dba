// SPDX-License-Identifier: GPL-2.0-only
/* See files.h. */
#include "user/cli/profile/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "user/cli/cli.h"
#include "user/cli/progress_bar.h"
#include "user/store/bundle/embedded.h"
#include "user/store/files/store.h"

static void show_progress(void *ctx, const char *what, long done, long total)
{
	(void)ctx;
	progress_bar__download(what, done > 0 ? done : 0, total > 0 ? total : 0);
}

static void note(void *ctx, const char *text)
{
	(void)ctx;
	cli__fail("%s", text);
}

int symbol_files__find(struct symbol_files *ret, const char *path, const struct symbol_conf *conf,
	bool directory, struct error *err)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	int code;

	*ret = (struct symbol_files){.symbols = {
					     .demangle = !conf->no_demangle,
					     .debuginfod = !conf->no_debuginfod && urls && *urls,
					     .progress = isatty(2) ? show_progress : NULL,
				     }};
	/* Without HOME there is no store, which is no error. */
	if (store__directory(&ret->store, conf->store, err) == -ENOMEM)
		return -ENOMEM;
	ret->symbols.store = ret->store;
	/* Contents that cannot be read are reported, and then searched for elsewhere. */
	code = embedded__unpack(&ret->embedded, path, note, NULL, err);
	if (code)
		ret->embedded = NULL;
	if (code == -ELIBACC || code == -EBADMSG)
		cli__fail("warning: %s", err->text);
	ret->symbols.embedded = ret->embedded;
	/* Like perf: record --kcore has copied it to this directory. */
	if (directory) {
		if (asprintf(&ret->kallsyms, "%s/kcore_dir/kallsyms", path) < 0) {
			ret->kallsyms = NULL;
			return error__set(err, -ENOMEM, "out of memory");
		}
		ret->symbols.kallsyms = ret->kallsyms;
	}
	return 0;
}

void symbol_files__free(struct symbol_files *files)
{
	free(files->store);
	free(files->kallsyms);
	embedded__remove(files->embedded);
	*files = (struct symbol_files){0};
}
