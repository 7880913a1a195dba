/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Resolves every place of a report to its function: goes through the DSOs and calls
 * user/symbols.
 */
#ifndef PERFSTAMP_CLI_PROFILE_RESOLVE_H
#define PERFSTAMP_CLI_PROFILE_RESOLVE_H

#include "user/cli/input.h"
#include "user/model/profile/report.h"
#include "user/parse/kernel/ids.h"
#include "user/symbols/symbols.h"

struct symbols_batch;

struct place_names {
	struct resolved *resolved;             /* one for each place */
	struct perfstamp_identity *identities; /* one for each sighting */
	struct symbol_file *files;             /* their files, by sighting */
	struct symbols_batch *batches;
	const char *osrelease;     /* the recorded kernel's, of the input; NULL: not known */
	struct kernel_dso running; /* the running kernel's build-id; size 0: not known */
	size_t n_unproven;         /* DSOs that were resolved by force */
	bool server_failed;        /* a debuginfod; it was asked no more */
	char said[256];            /* by a debuginfod: the first of what went wrong; "" */
};

/*
 * The identity of each sighting: what its mappings have, else what the recording's table
 * has of its path. To be freed by free(). Returns 0 or -ENOMEM.
 */
int place_names__identities(struct perfstamp_identity **ret, const struct input *input);
/* Whether there may be a file of it: it is no anonymous memory. */
bool place_names__has_content(const struct sighting *sighting);

/*
 * @code_names are those that @samples were found with; or NULL. Returns 0 or -errno; free it in
 * either case.
 */
int place_names__find(struct place_names *ret, const struct samples *samples,
	const struct input *input, struct symbols_options *options,
	const struct code_names *code_names, struct error *err);
void place_names__free(struct place_names *names);
/* The DSO of @place, which has a sighting, for reading its files: the same for all that read them.
 */
struct symbols_dso place_names__dso(const struct place_names *names, const struct samples *samples,
	struct model *model, const struct place *place);

/* Print warnings to stderr about what limits the names. */
void place_names__warn_of_force(const struct place_names *names);
void place_names__warn_of_server(const struct place_names *names);
/* Warns in the same way of what a debuginfod @said about @of, which is "" or ends with ": ". */
void place_names__warn_of(const char *of, const char *said, bool server_failed);

#endif
