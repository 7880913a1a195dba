// SPDX-License-Identifier: GPL-2.0-only
/* See release.h. */
#include "user/source/machine/release.h"

#include <stdio.h>
#include <sys/utsname.h>

bool release__read(unsigned int *ret_major, unsigned int *ret_minor)
{
	struct utsname name;

	return !uname(&name) && sscanf(name.release, "%u.%u", ret_major, ret_minor) == 2;
}

bool release__is_from(unsigned int major, unsigned int minor)
{
	unsigned int its_major, its_minor;

	return release__read(&its_major, &its_minor) &&
	       (its_major > major || (its_major == major && its_minor >= minor));
}
