// SPDX-License-Identifier: GPL-2.0-only
/* See capture_kcore.h, and build_id_cache__add_kcore() in tools/perf/builtin-buildid-cache.c. */
#include "user/record/kernel/capture_kcore.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "perfstamp/record.h"
#include "user/io/whole.h"
#include "user/parse/kernel/modules.h"
#include "user/source/kernel/kcore.h"
#include "user/source/proc/file.h"
#include "user/source/kernel/kallsyms.h"
#include "user/source/kernel/proc_kernel.h"
#include "user/store/files/store.h"

#define PAGE 4096ull
#define RANGE_MAX (1ull << 30) /* all modules are within 2 GiB, most of which is empty */

struct capture {
	struct kcore_range text;
	struct kcore_range modules; /* from the first module to the last */
	struct error *err;
	char *lines; /* /proc/modules */
};

static int take_symbol(void *ctx, const struct kallsyms_symbol *symbol)
{
	struct capture *capture = ctx;

	if (symbol->module)
		return 0;
	if (!strcmp(symbol->name, "_text"))
		capture->text.start = symbol->addr;
	if (!strcmp(symbol->name, "_etext"))
		capture->text.end = symbol->addr;
	return 0;
}

/*
 * Copies kallsyms to @fd, and collects the needed symbols in @capture. With @fd -1 it only
 * collects.
 */
static int read_kallsyms(int fd, struct capture *capture)
{
	return proc_kallsyms__read("", fd, take_symbol, capture);
}

static int find_modules(struct capture *capture)
{
	struct kcore_range *range = &capture->modules;
	const char *cursor = capture->lines;
	struct module_line line;
	int code;

	while ((code = module_line__next(&cursor, &line)) != 0) {
		if (code < 0 || !line.addr || line.size > RANGE_MAX)
			continue;
		if (!range->end || line.addr < range->start)
			range->start = line.addr;
		if (line.addr + line.size > range->end)
			range->end = line.addr + line.size;
	}
	range->start &= ~(PAGE - 1);
	range->end = (range->end + PAGE - 1) & ~(PAGE - 1);
	return range->end - range->start > RANGE_MAX ? -EOVERFLOW : 0;
}

static int write_kcore(int fd, void *ctx)
{
	struct capture *capture = ctx;
	struct kcore_range ranges[KCORE_RANGES_MAX] = {capture->text, capture->modules};

	return kcore__copy(fd, ranges, capture->modules.end ? 2 : 1, capture->err);
}

static int write_modules(int fd, void *ctx)
{
	const struct capture *capture = ctx;

	return whole__write(fd, capture->lines, strlen(capture->lines));
}

static int write_kallsyms(int fd, void *ctx)
{
	return read_kallsyms(fd, ctx);
}

static int look(struct capture *capture, struct error *err)
{
	int code = read_kallsyms(-1, capture);

	if (code)
		return error__errno(err, code, "/proc/kallsyms");
	if (!capture->text.start || capture->text.end <= capture->text.start)
		return error__set(err, -EPERM,
			"the kernel's addresses are hidden (kernel.kptr_restrict, or no "
			"CAP_SYSLOG)");
	capture->text.start &= ~(PAGE - 1);
	capture->text.end = (capture->text.end + PAGE - 1) & ~(PAGE - 1);
	code = proc_file__read(&capture->lines, NULL, "/proc/modules");
	/* The kernel does not support modules. */
	if (code == -ENOENT) {
		capture->lines = strdup("");
		code = capture->lines ? 0 : -ENOMEM;
	}
	if (code)
		return error__errno(err, code, "/proc/modules");
	code = find_modules(capture);
	return code ? error__set(err, code, "modules are too far from one another") : 0;
}

int capture__kcore(const char *store, struct error *err)
{
	struct perfstamp_identity identity = {0};
	struct error why = {0};
	struct capture capture = {.err = &why};
	char date[32], stamp[32];
	struct timespec now;
	struct tm tm;
	int code;

	proc_kernel__identity("", &identity);
	if (!identity.build_id_size)
		return error__set(err, -ENODATA, "the kernel's build-id is not known");
	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(date, sizeof(date), "%Y%m%d%H%M%S", &tm);
	snprintf(stamp, sizeof(stamp), "%.16s%02u", date,
		(unsigned int)(now.tv_nsec / 10000000) % 100);
	code = look(&capture, err);
	if (!code) {
		/* Only root may read the kernel's memory, as in /proc/kcore. */
		code = store__put_part(store, STORE_KCORE, identity.build_id,
			identity.build_id_size, stamp, "kcore", 0400, write_kcore, &capture, err);
		if (code && why.text[0])
			*err = why;
	}
	if (!code)
		code = store__put_part(store, STORE_KCORE, identity.build_id,
			identity.build_id_size, stamp, "modules", 0444, write_modules, &capture,
			err);
	/* perf finds the other files by this one. */
	if (!code)
		code = store__put_part(store, STORE_KCORE, identity.build_id,
			identity.build_id_size, stamp, "kallsyms", 0400, write_kallsyms, &capture,
			err);
	free(capture.lines);
	return code;
}
