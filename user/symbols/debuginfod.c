// SPDX-License-Identifier: GPL-2.0-only
/* See debuginfod.h. */
#include "user/symbols/debuginfod.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/helper/capability.h"

#define LIBRARY "libdebuginfod.so.1"
#define SECONDS_MAX "300" /* default time limit for one file, in seconds */

struct debuginfod {
	void *library;
	debuginfod_client *client;
	debuginfod_progress_fn *progress;
	void *ctx;
	__typeof__(debuginfod_begin) *begin;
	__typeof__(debuginfod_end) *end;
	__typeof__(debuginfod_find_executable) *find_executable;
	__typeof__(debuginfod_find_debuginfo) *find_debuginfo;
	__typeof__(debuginfod_find_source) *find_source;
	__typeof__(debuginfod_set_progressfn) *set_progress;
	__typeof__(debuginfod_set_user_data) *set_user_data;
	__typeof__(debuginfod_get_url) *get_url;
};

/* The only context that the library passes is the client's user data, which has to be requested. */
static int show_progress(debuginfod_client *client, long done, long total)
{
	__typeof__(debuginfod_get_user_data) *get = (__typeof__(get))dlsym(
		RTLD_DEFAULT, "debuginfod_get_user_data");
	struct debuginfod *of = get ? get(client) : NULL;
	const char *url = of ? of->get_url(client) : NULL;

	if (of && of->progress)
		of->progress(of->ctx, url ? url : "debuginfod", done, total);
	return 0;
}

static bool load(struct debuginfod *client)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_GLOBAL);

	client->library = library;
	if (!library)
		return false;
	client->begin = (__typeof__(client->begin))dlsym(library, "debuginfod_begin");
	client->end = (__typeof__(client->end))dlsym(library, "debuginfod_end");
	client->find_executable = (__typeof__(client->find_executable))dlsym(
		library, "debuginfod_find_executable");
	client->find_debuginfo = (__typeof__(client->find_debuginfo))dlsym(
		library, "debuginfod_find_debuginfo");
	client->find_source = (__typeof__(client->find_source))dlsym(
		library, "debuginfod_find_source");
	client->set_progress = (__typeof__(client->set_progress))dlsym(
		library, "debuginfod_set_progressfn");
	client->set_user_data = (__typeof__(client->set_user_data))dlsym(
		library, "debuginfod_set_user_data");
	client->get_url = (__typeof__(client->get_url))dlsym(library, "debuginfod_get_url");
	return client->begin && client->end && client->find_executable && client->find_debuginfo &&
	       client->find_source && client->set_progress && client->set_user_data &&
	       client->get_url;
}

int debuginfod__new(
	struct debuginfod **ret, debuginfod_progress_fn *progress, void *ctx, struct error *err)
{
	const char *urls = getenv(DEBUGINFOD_URLS_ENV_VAR);
	struct debuginfod *client;

	*ret = NULL;
	if (!urls || !*urls)
		return error__set(err, -ENODEV, DEBUGINFOD_URLS_ENV_VAR " is not set");
	client = calloc(1, sizeof(*client));
	if (!client)
		return error__set(err, -ENOMEM, "out of memory");
	client->progress = progress;
	client->ctx = ctx;
	if (!load(client)) {
		debuginfod__free(client);
		return error__set(err, -ENOENT,
			LIBRARY " is not installed: apt-get install "
				"libdebuginfod1");
	}
	setenv(DEBUGINFOD_MAXTIME_ENV_VAR, SECONDS_MAX, 0);
	client->client = client->begin();
	if (!client->client) {
		debuginfod__free(client);
		return error__set(err, -ENOMEM, LIBRARY " cannot be initialized");
	}
	client->set_user_data(client->client, client);
	client->set_progress(client->client, show_progress);
	*ret = client;
	return 0;
}

void debuginfod__free(struct debuginfod *client)
{
	if (!client)
		return;
	if (client->client)
		client->end(client->client);
	if (client->library)
		dlclose(client->library);
	free(client);
}

/* If there are several servers, the library does not report which of them failed. */
static int take(int fd, char *const *ret, struct error *err)
{
	const char *urls = getenv(DEBUGINFOD_URLS_ENV_VAR);
	const char *why = fd == -ETIME || fd == -ETIMEDOUT ? "no answer in time" : strerror(-fd);

	if (fd >= 0) {
		close(fd);
		return *ret ? 0 : error__set(err, -ENOMEM, "debuginfod: out of memory");
	}
	return fd == -ENOENT ? error__set(err, fd, "debuginfod: no server has it")
			     : error__set(err, fd, "debuginfod: %s, from %s", why,
				       urls ? urls : "nowhere");
}

int debuginfod__find(struct debuginfod *client, bool content, const uint8_t *build_id, size_t size,
	char **ret, struct error *err)
{
	int fd;

	*ret = NULL;
	fd = content ? client->find_executable(client->client, build_id, size, ret)
		     : client->find_debuginfo(client->client, build_id, size, ret);
	return take(fd, ret, err);
}

int debuginfod__find_source(struct debuginfod *client, const uint8_t *build_id, size_t size,
	const char *path, char **ret, struct error *err)
{
	*ret = NULL;
	return take(client->find_source(client->client, build_id, size, path, ret), ret, err);
}

/*
 * Finds the cache as described in debuginfod_find_debuginfo(3), "CACHE". Returns false if there is
 * no place for one.
 */
static bool find_cache(char *ret, size_t size)
{
	const char *cache = getenv(DEBUGINFOD_CACHE_PATH_ENV_VAR);
	const char *home = getenv("HOME"), *xdg = getenv("XDG_CACHE_HOME");
	int n = -1;

	if (cache && *cache)
		return (size_t)snprintf(ret, size, "%s", cache) < size;
	if (home) {
		n = snprintf(ret, size, "%s/.debuginfod_client_cache", home);
		if (n > 0 && (size_t)n < size && !access(ret, F_OK))
			return true;
		n = snprintf(ret, size, "%s/.cache/debuginfod_client", home);
	}
	if (xdg && *xdg)
		n = snprintf(ret, size, "%s/debuginfod_client", xdg);
	return n > 0 && (size_t)n < size;
}

/* Creates the directory and those above it. */
static bool make_cache(char *path)
{
	struct stat st;

	for (char *end = strchr(path + 1, '/'); end; end = strchr(end + 1, '/')) {
		*end = '\0';
		mkdir(path, 0700);
		*end = '/';
	}
	mkdir(path, 0700);
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

void debuginfod__confine(struct confined_options *ret, bool asks)
{
	static char cache[PATH_MAX];

	ret->capabilities = CAPABILITY_READ;
	ret->sandbox = (struct sandbox){.needs = SANDBOX_READ};
	if (!asks)
		return;
	ret->sandbox.needs |= SANDBOX_CONNECT;
	/* Without a cache the library reports what is missing. */
	if (find_cache(cache, sizeof(cache)) && make_cache(cache)) {
		ret->capabilities |= CAPABILITY_FILES;
		ret->sandbox.needs |= SANDBOX_WRITE;
		ret->sandbox.dir = cache;
	}
}
