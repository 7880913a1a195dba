/* SPDX-License-Identifier: GPL-2.0-only */
/* The open store. Only for the files of this folder. */
#ifndef PERFSTAMP_STORE_CACHE_PRIVATE_H
#define PERFSTAMP_STORE_CACHE_PRIVATE_H

struct cache {
	const char *dir;
	int root;
};

#endif
