// SPDX-License-Identifier: GPL-2.0-only
/* See release.h. */
#include "user/source/machine/release.h"

#include <stdio.h>
#include <sys/utsname.h>

bool release__is_from(unsigned int major, unsigned int minor)
{
	unsigned int its_major, its_minor;
	struct utsname name;

	if (uname(&name) || sscanf(name.release, "%u.%u", &its_major, &its_minor) != 2)
		return false;
	return its_major > major || (its_major == major && its_minor >= minor);
}
