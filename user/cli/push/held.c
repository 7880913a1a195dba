// SPDX-License-Identifier: GPL-2.0-only
/* See held.h. */
#include "user/cli/push/held.h"

#include <errno.h>
#include <stdlib.h>

#include "user/base/array.h"

void held_files__free(struct held_files *held)
{
	free(held->v);
}

static struct held_file *find(const struct held_files *held, const struct stat *st)
{
	for (size_t i = 0; i < held->n; i++) {
		struct held_file *file = &held->v[i];

		if (file->inode == st->st_ino && file->mtime.tv_sec == st->st_mtim.tv_sec &&
			file->mtime.tv_nsec == st->st_mtim.tv_nsec)
			return file;
	}
	return NULL;
}

bool held_files__has(const struct held_files *held, const struct stat *st)
{
	const struct held_file *file = find(held, st);

	return file && !file->due;
}

int held_files__add(struct held_files *held, const struct stat *st, uint64_t now_ns,
	unsigned int max_s, bool *ret_new)
{
	struct held_file *file = find(held, st);

	*ret_new = !file;
	if (!file) {
		if (array__reserve(&held->v, &held->room, held->n + 1, sizeof(*held->v)))
			return -ENOMEM;
		file = &held->v[held->n++];
	}
	*file = (struct held_file){.inode = st->st_ino, .mtime = st->st_mtim};
	if (!held->again_ns) {
		held->wait_s = held->wait_s ? 2 * held->wait_s : 1;
		if (held->wait_s > max_s)
			held->wait_s = max_s;
		held->again_ns = now_ns + held->wait_s * 1000000000ull;
	}
	return 0;
}

void held_files__remove(struct held_files *held, const struct stat *st)
{
	struct held_file *file = find(held, st);

	if (!file)
		return;
	*file = held->v[--held->n];
	if (!held->n)
		held->wait_s = 0;
}

void held_files__update(struct held_files *held, uint64_t now_ns)
{
	if (!held->again_ns || now_ns < held->again_ns)
		return;
	held->again_ns = 0;
	for (size_t i = 0; i < held->n; i++)
		held->v[i].due = true;
}
