// SPDX-License-Identifier: GPL-2.0-only
/* See code_silent.h. */
#include "user/record/capture/code_silent.h"

#include <stdlib.h>

#include "user/source/proc/file.h"
#include "user/source/proc/stat.h"

void code_silent__add(
	struct code_silent *silent, const struct mountinfo_device *device, uint64_t now_ns)
{
	unsigned int i = silent->next++ % CODE_SILENT_MAX;

	silent->devices[i].major = device->major;
	silent->devices[i].minor = device->minor;
	silent->devices[i].since_ns = now_ns;
}

bool code_silent__has(
	const struct code_silent *silent, const struct code_request *request, uint64_t now_ns)
{
	struct mountinfo_device device = {0};
	bool looked = false;

	for (unsigned int i = 0; i < CODE_SILENT_MAX; i++) {
		if (!silent->devices[i].since_ns ||
			now_ns - silent->devices[i].since_ns >= CODE_SILENT_NS)
			continue;
		if (!looked && !code_silent__find(request, &device))
			return false;
		looked = true;
		if (silent->devices[i].major == device.major &&
			silent->devices[i].minor == device.minor)
			return true;
	}
	return false;
}

bool code_silent__find(const struct code_request *request, struct mountinfo_device *ret)
{
	bool found = true;
	char *text;

	if (proc_file__read(
		    &text, NULL, "/proc/%d/mountinfo", proc_stat__living_thread(request->pid)))
		return false;
	if (request->kind == PERFSTAMP_CODE_PERF_MAP) {
		found = mountinfo__find(text, "/tmp", ret);
	} else {
		ret->major = request->dev_major;
		ret->minor = request->dev_minor;
		ret->served = mountinfo__is_served(text, ret->major, ret->minor);
	}
	free(text);
	return found;
}
