// SPDX-License-Identifier: GPL-2.0-only
/*
 * The only file that includes libpfm4. The library is opened only for a name that perf, tracefs and
 * sysfs do not know, because its tables take 2 MiB of memory. This file must not include
 * <linux/perf_event.h>: both define struct perf_event_attr, with the same layout.
 */
#include "user/source/events/pfm.h"

#include <dlfcn.h>
#include <errno.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libpfm.so.4"

struct pfm {
	__typeof__(pfm_initialize) *initialize;
	__typeof__(pfm_strerror) *strerror;
	__typeof__(pfm_get_os_event_encoding) *get_os_event_encoding;
};

static struct pfm pfm; /* with all functions, or with none */

/* The library stays open. */
static bool open_library(void)
{
	struct pfm found;
	void *library;

	if (pfm.initialize)
		return true;
	library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return false;
	found.initialize = (__typeof__(found.initialize))dlsym(library, "pfm_initialize");
	found.strerror = (__typeof__(found.strerror))dlsym(library, "pfm_strerror");
	found.get_os_event_encoding = (__typeof__(found.get_os_event_encoding))dlsym(
		library, "pfm_get_os_event_encoding");
	if (!found.initialize || !found.strerror || !found.get_os_event_encoding) {
		dlclose(library);
		return false;
	}
	pfm = found;
	return true;
}

int perf_pfm__encode(const char *text, void *ret_attr, size_t attr_size, const char **ret_reason)
{
	struct perf_event_attr attr;
	pfm_perf_encode_arg_t arg;
	char *full_name = NULL;
	int r;

	if (!open_library()) {
		*ret_reason = "the names of this processor's manual need " LIBRARY
			      " (Debian's package libpfm4)";
		return -ELIBACC;
	}
	/* libpfm4 counts the calls: a second one does nothing. */
	r = pfm.initialize();
	if (r != PFM_SUCCESS) {
		*ret_reason = pfm.strerror(r);
		return -ENOENT;
	}
	memset(&attr, 0, sizeof(attr));
	memset(&arg, 0, sizeof(arg));
	arg.attr = &attr;
	arg.fstr = &full_name;
	arg.size = sizeof(arg);
	arg.cpu = -1;
	/* All privilege levels, as in perf: the text says which of them to leave out. */
	r = pfm.get_os_event_encoding(
		text, PFM_PLM0 | PFM_PLM3 | PFM_PLMH, PFM_OS_PERF_EVENT_EXT, &arg);
	free(full_name);
	if (r != PFM_SUCCESS) {
		*ret_reason = pfm.strerror(r);
		return r == PFM_ERR_NOTFOUND || r == PFM_ERR_NOTSUPP ? -ENOENT : -EINVAL;
	}
	memset(ret_attr, 0, attr_size);
	memcpy(ret_attr, &attr, attr_size < sizeof(attr) ? attr_size : sizeof(attr));
	return 0;
}
