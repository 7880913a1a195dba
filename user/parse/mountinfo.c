// SPDX-License-Identifier: GPL-2.0-only
/* See mountinfo.h. */
#include "user/parse/mountinfo.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* "fuse" also matches fuseblk and fuse.sshfs. */
static const char *const SERVED[] = {"9p", "afs", "ceph", "cifs", "coda", "fuse", "lustre", "nfs",
	"ocfs2", "orangefs", "smb3", "vboxsf", "virtiofs"};

/* @type ends with a space. "nfs" also matches nfs4. */
static bool is_served(const char *type)
{
	size_t i, len;

	for (i = 0; i < sizeof(SERVED) / sizeof(*SERVED); i++) {
		len = strlen(SERVED[i]);
		if (strncmp(type, SERVED[i], len) == 0 &&
			(type[len] == ' ' || type[len] == '.' ||
				strncmp(type + len, "4 ", 2) == 0 ||
				strncmp(type + len, "blk", 3) == 0))
			return true;
	}
	return false;
}

bool mountinfo__is_served(const char *text, uint32_t major, uint32_t minor)
{
	const char *line, *end, *type;
	uint32_t line_major, line_minor;

	/* id, parent, device, root, mount point, options, tags…, "-", type */
	for (line = text; *line; line = end + (*end == '\n')) {
		end = line + strcspn(line, "\n");
		type = strstr(line, " - ");
		if (type && type < end &&
			sscanf(line, "%*u %*u %" SCNu32 ":%" SCNu32 " ", &line_major,
				&line_minor) == 2 &&
			line_major == major && line_minor == minor)
			return is_served(type + 3);
	}
	return false;
}

/* The last mount at @path hides those before it. */
static bool find_mount(const char *text, const char *path, struct mountinfo_device *ret)
{
	size_t len = strlen(path);
	const char *line, *end, *type;
	bool found = false;
	uint32_t major, minor;
	int at;

	for (line = text; *line; line = end + (*end == '\n')) {
		end = line + strcspn(line, "\n");
		type = strstr(line, " - ");
		at = 0;
		if (!type || type >= end ||
			sscanf(line, "%*u %*u %" SCNu32 ":%" SCNu32 " %*s %n", &major, &minor,
				&at) != 2 ||
			!at || strncmp(line + at, path, len) != 0 || line[at + len] != ' ')
			continue;
		*ret = (struct mountinfo_device){major, minor, is_served(type + 3)};
		found = true;
	}
	return found;
}

bool mountinfo__find(const char *text, const char *path, struct mountinfo_device *ret)
{
	return find_mount(text, path, ret) || find_mount(text, "/", ret);
}
