// SPDX-License-Identifier: GPL-2.0-only
/* See deploy.h. */
#include "user/cli/diff/deploy.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/cli/input.h"
#include "user/event/identity.h"
#include "user/model/replaced/replaced.h"

#define STAMP_DIGITS 16 /* YYYYmmddHHMMSSff behind the name of a file of a series */

/* A build of a path in one recording. */
struct build {
	const struct sighting *sighting;
	uint64_t since_ns; /* the last time at which it took over its path; 0: not seen */
	/* What had the path before, in the same mount namespace; NULL: not seen. */
	const struct sighting *replaced;
};

struct look {
	struct input input;
	uint64_t begin_ns; /* time of the first event that has one; 0: no event has a time */
};

static int take(void *ctx, const struct perfdata_reader *reader, const struct model *model,
	const struct event *event)
{
	struct look *look = ctx;

	(void)reader;
	(void)model;
	if (!look->begin_ns)
		look->begin_ns = event->time_ns;
	return 0;
}

static int look_into(struct look *ret, const char *path, struct error *err)
{
	const struct input_tap tap = {.fn = take, .ctx = ret, .lives = true, .again = true};

	*ret = (struct look){0};
	return input__read_with(&ret->input, path, &tap, err);
}

static int by_path_and_time(const void *a, const void *b)
{
	const struct build *x = a, *y = b;
	int order = strcmp(x->sighting->path, y->sighting->path);

	if (order)
		return order;
	if (x->since_ns != y->since_ns)
		return x->since_ns < y->since_ns ? -1 : 1;
	if (x->sighting->first_ns != y->sighting->first_ns)
		return x->sighting->first_ns < y->sighting->first_ns ? -1 : 1;
	return x->sighting->index < y->sighting->index ? -1 : 1;
}

static bool has_identity(const struct sighting *sighting)
{
	return sighting->identity.build_id_size || sighting->identity.cookie_size;
}

/*
 * Lists the builds that have samples, by path and time. The caller frees *@ret. Returns 0 or
 * -ENOMEM.
 */
static int find_builds(struct model *model, struct build **ret, size_t *ret_n)
{
	size_t n = model__n_sightings(model);

	*ret_n = 0;
	*ret = calloc(n + 1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct sighting *sighting = model__sighting(model, i);
		struct sighting_lives lives;

		if (sighting->kernel || sighting->symbol || !has_identity(sighting) ||
			!replaced__concerns(sighting))
			continue;
		model__lives(model, i, &lives);
		(*ret)[*ret_n] = (struct build){.sighting = sighting};
		if (lives.n_switches) {
			const struct model_switch *last = &lives.switches[lives.n_switches - 1];

			(*ret)[*ret_n].since_ns = last->time_ns;
			(*ret)[*ret_n].replaced = model__sighting(model, last->replaced);
		}
		++*ret_n;
	}
	qsort(*ret, *ret_n, sizeof(**ret), by_path_and_time);
	return 0;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Sorts the best candidate first: replaced builds, then those with the most samples. */
static int by_weight(const void *a, const void *b)
{
	const struct deploy *x = a, *y = b;
	uint64_t one = lesser(x->samples[BEFORE], x->samples[AFTER]);
	uint64_t other = lesser(y->samples[BEFORE], y->samples[AFTER]);

	if (x->replaced != y->replaced)
		return x->replaced ? -1 : 1;
	if (one != other)
		return one > other ? -1 : 1;
	return strcmp(x->path, y->path);
}

static const struct build *find_sighting(
	const struct build *builds, size_t n, const struct sighting *sighting)
{
	for (size_t i = 0; i < n; i++)
		if (builds[i].sighting == sighting)
			return &builds[i];
	return NULL;
}

/* Returns the last build before @after, in its mount namespace, that has samples; or NULL. */
static const struct build *find_before(
	const struct build *builds, size_t n, const struct build *after)
{
	const struct build *before = after;

	/* A build can replace one that has replaced it. */
	for (size_t i = 0; i < n && before && before->replaced; i++) {
		before = find_sighting(builds, n, before->replaced);
		if (before && before != after && before->sighting->samples)
			return before;
	}
	return NULL;
}

/*
 * Takes the last build of one path that replaced another one, and that one. If none did, takes the
 * last two. Both have samples; returns false if there are no such builds.
 */
static bool take_path(const struct build *builds, size_t n, struct deploy *ret)
{
	const struct build *sides[SIDES] = {NULL, NULL}, *last = NULL;

	*ret = (struct deploy){0};
	for (size_t i = 0; i < n; i++)
		ret->n_builds += builds[i].sighting->samples != 0;
	for (size_t i = n; i > 0 && !sides[BEFORE]; i--) {
		if (!builds[i - 1].sighting->samples)
			continue;
		sides[AFTER] = &builds[i - 1];
		sides[BEFORE] = find_before(builds, n, sides[AFTER]);
	}
	ret->replaced = sides[BEFORE];
	for (size_t i = n; i > 0 && !sides[BEFORE]; i--) {
		if (!builds[i - 1].sighting->samples)
			continue;
		if (last)
			sides[BEFORE] = &builds[i - 1];
		else
			sides[AFTER] = last = &builds[i - 1];
	}
	if (!sides[BEFORE] || !replaced__have_other_content(&sides[BEFORE]->sighting->identity,
				      &sides[AFTER]->sighting->identity))
		return false;
	for (int side = 0; side < SIDES; side++) {
		ret->builds[side] = sides[side]->sighting->identity;
		ret->samples[side] = sides[side]->sighting->samples;
	}
	ret->time_ns = ret->replaced ? sides[AFTER]->since_ns : sides[AFTER]->sighting->first_ns;
	return true;
}

static int add_path(struct deploy *deploys, size_t *n, const struct build *builds, size_t n_builds,
	const char *glob)
{
	struct deploy *deploy = &deploys[*n];

	if ((glob && fnmatch(glob, builds->sighting->path, 0)) ||
		!take_path(builds, n_builds, deploy))
		return 0;
	deploy->path = strdup(builds->sighting->path);
	if (!deploy->path)
		return -ENOMEM;
	(*n)++;
	return 0;
}

int deploy__list(struct deploy **ret, size_t *ret_n, struct model *model, const char *glob)
{
	struct build *builds = NULL;
	size_t n = 0, from = 0;
	int err = find_builds(model, &builds, &n);

	*ret_n = 0;
	*ret = calloc(n + 1, sizeof(**ret));
	if (!*ret)
		err = -ENOMEM;
	for (size_t i = 1; i <= n && !err; i++) {
		if (i < n && !strcmp(builds[i].sighting->path, builds[from].sighting->path))
			continue;
		err = add_path(*ret, ret_n, builds + from, i - from, glob);
		from = i;
	}
	if (!err)
		qsort(*ret, *ret_n, sizeof(**ret), by_weight);
	free(builds);
	return err;
}

int deploy__find(struct deploy *ret, const char *path, const char *glob, struct error *err)
{
	struct deploy *deploys = NULL;
	struct look look;
	size_t n = 0;
	int failed;

	*ret = (struct deploy){0};
	failed = look_into(&look, path, err);
	if (!failed && deploy__list(&deploys, &n, look.input.model, glob))
		failed = error__set(err, -ENOMEM, "out of memory");
	if (!failed && !n)
		failed = error__set(err, -ENOENT,
			"%s: no path%s%s had two builds with samples; give two recordings, or "
			"--before and --after",
			path, glob ? " that matches " : "", glob ? glob : "");
	if (!failed) {
		*ret = deploys[0];
		deploys[0] = (struct deploy){0};
	}
	for (size_t i = 0; i < n; i++) {
		ret->n_others += i && deploys[i].replaced;
		deploy__free(&deploys[i]);
	}
	free(deploys);
	input__free(&look.input);
	return failed;
}

/* ---- A series ---- */

static bool is_of_series(const char *name, const char *base)
{
	size_t len = strlen(base);

	if (strncmp(name, base, len) != 0 || name[len] != '.')
		return false;
	name += len + 1;
	for (int i = 0; i < STAMP_DIGITS; i++)
		if (!isdigit((unsigned char)name[i]))
			return false;
	return !name[STAMP_DIGITS];
}

static int add_file(struct deploy *deploy, const char *name)
{
	if (array__extend(&deploy->files, deploy->n_files, sizeof(char *)))
		return -ENOMEM;
	deploy->files[deploy->n_files] = strdup(name);
	return deploy->files[deploy->n_files++] ? 0 : -ENOMEM;
}

/* Escapes the special characters of a pattern. */
static char *pattern_of(const char *base)
{
	char *escaped = malloc(2 * strlen(base) + 1), *at = escaped, *pattern = NULL;

	if (!escaped)
		return NULL;
	for (; *base; base++) {
		if (strchr("*?[\\", *base))
			*at++ = '\\';
		*at++ = *base;
	}
	*at = '\0';
	if (asprintf(&pattern, "%s.*", escaped) < 0)
		pattern = NULL;
	free(escaped);
	return pattern;
}

static bool is_written(const struct deploy *deploy, const char *name)
{
	struct stat written, st;

	return deploy->written && !fstat(deploy->written_fd, &written) && !stat(name, &st) &&
	       st.st_dev == written.st_dev && st.st_ino == written.st_ino;
}

/*
 * Lists the files by name, which sorts them by time. The file that is being written is the newest.
 * It is opened before the others are listed, so that a file is read exactly once even if it is
 * renamed meanwhile.
 */
static int list_series(struct deploy *deploy, const char *base)
{
	char *pattern = pattern_of(base), fd_path[32];
	glob_t found = {0};
	int err = pattern ? 0 : -ENOMEM;

	deploy->written_fd = open(base, O_RDONLY | O_CLOEXEC);
	if (deploy->written_fd >= 0)
		deploy->written = base;

	if (!err && glob(pattern, 0, NULL, &found) == GLOB_NOSPACE)
		err = -ENOMEM;
	for (size_t i = 0; i < found.gl_pathc && !err; i++)
		if (is_of_series(found.gl_pathv[i], base) && !is_written(deploy, found.gl_pathv[i]))
			err = add_file(deploy, found.gl_pathv[i]);
	snprintf(fd_path, sizeof(fd_path), "/proc/self/fd/%d", deploy->written_fd);
	if (!err && deploy->written)
		err = add_file(deploy, fd_path);
	else if (!err && !access(base, F_OK))
		/* Reading this file fails later, with an error text. */
		err = add_file(deploy, base);
	globfree(&found);
	free(pattern);
	return err;
}

/* What the files record about the path. The newest file is read first. */
struct search {
	struct deploy *deploy;
	const struct selection *after; /* selects the new build; NULL: the last one */
	bool known[SIDES];
	/* The last other build, which may have been mapped in another container. */
	struct perfstamp_identity other;
	bool has_other;
	bool in_file; /* the new build is in this file */
};

static bool is_same(const struct perfstamp_identity *a, const struct perfstamp_identity *b)
{
	return identity__same_build_id(a, b) && identity__same_cookie(a, b);
}

static void take_build(struct search *search, const struct build *build, uint64_t begin_ns)
{
	struct deploy *deploy = search->deploy;
	const struct perfstamp_identity *identity = &build->sighting->identity;

	if (!search->known[AFTER]) {
		if (search->after && !selection__matches(search->after, build->sighting))
			return;
		deploy->builds[AFTER] = *identity;
		search->known[AFTER] = true;
	}
	if (!is_same(identity, &deploy->builds[AFTER])) {
		if (!search->has_other)
			search->other = *identity;
		search->has_other = true;
		return;
	}
	search->in_file = true;
	/* It took over the path last in a newer file. */
	if (search->known[BEFORE])
		return;
	deploy->time_ns = build->sighting->first_ns;
	if (deploy->time_ns < begin_ns)
		deploy->time_ns = begin_ns;
	if (!build->replaced)
		return;
	deploy->time_ns = build->since_ns;
	deploy->builds[BEFORE] = build->replaced->identity;
	search->known[BEFORE] = true;
}

/* Whether the files from @path to the newest are sufficient. */
static int search_file(struct search *search, const char *path, const char *dso, uint64_t window_ns,
	bool *ret_enough, struct error *err)
{
	struct build *builds = NULL;
	struct look look;
	size_t n = 0;
	int failed = look_into(&look, path, err);

	if (!failed && find_builds(look.input.model, &builds, &n))
		failed = error__set(err, -ENOMEM, "out of memory");
	search->in_file = false;
	/* Read the newest file first. */
	for (size_t i = n; !failed && i > 0; i--)
		if (!strcmp(builds[i - 1].sighting->path, dso))
			take_build(search, &builds[i - 1], look.begin_ns);
	/* Files from before the new build do not show what it replaced. */
	*ret_enough = (search->known[BEFORE] || (search->has_other && !search->in_file)) &&
		      look.begin_ns && look.begin_ns + window_ns <= search->deploy->time_ns;
	free(builds);
	input__free(&look.input);
	return failed;
}

/* If no file shows what the new build replaced, it is compared with the last other one. */
static void take_other(struct search *search)
{
	if (search->known[BEFORE] || !search->has_other)
		return;
	search->deploy->builds[BEFORE] = search->other;
	search->deploy->replaced = false;
	search->known[BEFORE] = true;
}

void deploy__name_in_error(const struct deploy *deploy, size_t file, struct error *err)
{
	struct error of_fd = *err;

	if (deploy->written && file + 1 == deploy->n_files)
		error__set(err, -EIO, "%s: %s", deploy->written, of_fd.text);
}

int deploy__find_in_series(struct deploy *ret, const char *path, const char *dso,
	const struct selection *after, uint64_t window_ns, struct error *err)
{
	struct search search = {.deploy = ret, .after = after};
	bool enough = false;
	size_t first;
	int failed = 0;

	*ret = (struct deploy){.path = strdup(dso), .replaced = true};
	if (!ret->path || list_series(ret, path))
		return error__set(err, -ENOMEM, "out of memory");
	if (!ret->n_files)
		return error__set(
			err, -ENOENT, "%s: neither this file nor a series of it exists", path);
	for (first = ret->n_files; first > 0 && !enough && !failed; first--) {
		failed = search_file(&search, ret->files[first - 1], dso, window_ns, &enough, err);
		if (failed)
			deploy__name_in_error(ret, first - 1, err);
	}
	for (size_t i = 0; i < first; i++)
		free(ret->files[i]);
	memmove(ret->files, ret->files + first, (ret->n_files - first) * sizeof(char *));
	ret->n_files -= first;
	if (failed)
		return failed;
	take_other(&search);
	if (!search.known[AFTER] && after)
		return error__set(
			err, -ENOENT, "%s: the build of --after was not mapped at %s", path, dso);
	if (!search.known[AFTER])
		return error__set(err, -ENOENT,
			"%s: nothing mapped %s; the path has to be absolute, as in `perfstamp "
			"list'",
			path, dso);
	if (!search.known[BEFORE])
		return error__set(err, -ENOENT,
			"%s: %s was not replaced while it was recorded: there is one build of it",
			path, dso);
	return 0;
}

void deploy__free(struct deploy *deploy)
{
	if (deploy->written)
		close(deploy->written_fd);
	for (size_t i = 0; i < deploy->n_files; i++)
		free(deploy->files[i]);
	free(deploy->files);
	free(deploy->path);
}
