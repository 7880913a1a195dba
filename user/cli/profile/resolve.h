/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Resolves every place of a report to its function. Iterates over the DSOs and calls user/symbols.
 */
#ifndef PERFSTAMP_CLI_PROFILE_RESOLVE_H
#define PERFSTAMP_CLI_PROFILE_RESOLVE_H

#include "user/cli/input.h"
#include "user/model/profile/report.h"
#include "user/parse/kernel/ids.h"
#include "user/symbols/symbols.h"

struct symbols_batch;

struct place_names {
	struct resolved *resolved;             /* by place */
	struct perfstamp_identity *identities; /* by sighting */
	struct symbol_file *files;             /* the file of each DSO, by sighting */
	struct symbols_batch *batches;
	/* Release of the recorded kernel, owned by the input; NULL: not known. */
	const char *osrelease;
	struct kernel_dso running; /* the running kernel's build-id; size 0: not known */
	size_t n_unproven;         /* DSOs that were resolved with --force */
	bool server_failed;        /* a debuginfod server failed, and is not used any more */
	char said[256];            /* the first error text of a debuginfod server, or "" */
};

/*
 * Finds the identity of each sighting: from its mappings, or else from the recording's table by its
 * path. The caller frees *@ret with free(). Returns 0 or -ENOMEM.
 */
int place_names__identities(struct perfstamp_identity **ret, const struct input *input);
/* Whether there can be a file: the sighting is not anonymous memory. */
bool place_names__has_content(const struct sighting *sighting);

/*
 * @code_names are the names that @samples were made with, or NULL. Returns 0 or -errno. The caller
 * frees @ret in either case.
 */
int place_names__find(struct place_names *ret, const struct samples *samples,
	const struct input *input, struct symbols_options *options,
	const struct code_names *code_names, struct error *err);
void place_names__free(struct place_names *names);
/* Returns the DSO of @place, which has a sighting. All functions that read its files use this. */
struct symbols_dso place_names__dso(const struct place_names *names, const struct samples *samples,
	struct model *model, const struct place *place);

/* Print warnings to stderr about limits of the names. */
void place_names__warn_of_force(const struct place_names *names);
void place_names__warn_of_server(const struct place_names *names);
/*
 * Warns in the same way about the error text @said of a debuginfod server. @of is a prefix: "" or a
 * text that ends with ": ".
 */
void place_names__warn_of(const char *of, const char *said, bool server_failed);

#endif
