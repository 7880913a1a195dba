// SPDX-License-Identifier: GPL-2.0-only
/* perfstamp diff: compares two builds or two recordings, and prints the differences. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "user/cli/cli.h"
#include "user/cli/diff/compare.h"
#include "user/cli/report/pager.h"
#include "user/view/headline.h"

/* Warnings about limits of the comparison. */
static void warn_of_losses(const struct counted *file)
{
	char lost[HEADLINE_MAX];

	headline__lost(lost, sizeof(lost), model__ledger(file->readings.input.model),
		file->readings.input.stamp, file->readings.input.stamp_size);
	if (*lost)
		cli__fail("warning: %s: %s", file->path, lost);
	place_names__warn_of_server(&file->names);
	place_names__warn_of_force(&file->names);
}

static void warn_of_names(const struct comparison *comparison)
{
	static const char *const SIDE_NAMES[SIDES] = {"before", "after"};

	for (int side = 0; side < SIDES; side++) {
		const struct side_total *total = &comparison->totals[side];
		uint64_t n = 0;

		for (size_t i = 0; i < comparison->n; i++)
			if (comparison->units[i].nameless)
				n += comparison->units[i].sides[side].n;
		if (n && n * 100 >= total->n)
			cli__fail("warning: %" PRIu64 " of %" PRIu64
				  " samples %s are in functions without a name, which are compared "
				  "as one; `perfstamp report' shows why",
				n, total->n, SIDE_NAMES[side]);
	}
}

static void warn(const struct compared *compared)
{
	const struct deploy *deploy = &compared->deploy;

	for (size_t i = 0; i < compared->n_files; i++)
		warn_of_losses(&compared->files[i]);
	warn_of_names(&compared->comparison);
	if (!deploy->path)
		return;
	if (!deploy->replaced)
		cli__fail("note: %s was not replaced by the other build: both were mapped, each in "
			  "a container of its own, or the replacement was not recorded",
			deploy->path);
	if (deploy->n_builds > SIDES)
		cli__fail("note: %s had %zu builds; two of them are compared. --before and "
			  "--after select others by build-id",
			deploy->path, deploy->n_builds);
	if (deploy->n_others)
		cli__fail("note: %zu other path%s replaced as well; --path selects one",
			deploy->n_others, deploy->n_others == 1 ? " was" : "s were");
}

static bool has_chains(const struct compared *compared)
{
	for (size_t i = 0; i < compared->n_files; i++)
		if (samples__has_chains(compared->files[i].samples))
			return true;
	return false;
}

static int write_view(const struct diff_command *command, const struct diff_view *view)
{
	if (command->folded)
		return diff_view__folded(stdout, view);
	if (command->json)
		return diff_view__json(stdout, view);
	return diff_view__text(stdout, view);
}

static int show(const struct diff_command *command, struct compared *compared)
{
	int failed;

	if (command->chains && !has_chains(compared))
		return cli__fail("the samples have no call chains; `perfstamp record -g' records "
				 "them");
	warn(compared);
	if (!command->no_pager)
		pager__begin();
	failed = write_view(command, &compared->view);
	pager__end();
	if (failed)
		return cli__fail("out of memory");
	for (size_t i = 0; i < compared->n_files; i++)
		if (compared->files[i].readings.input.damaged)
			return cli__fail("%s", compared->files[i].readings.input.damage.text);
	return CLI_DONE;
}

int cmd_diff(int argc, char **argv)
{
	struct diff_command command;
	struct compared compared = {0};
	struct error err;
	int status;

	diff_options__parse(&command, argc, argv);
	if ((!strcmp(command.files[BEFORE], "-") ||
		    (command.files[AFTER] && !strcmp(command.files[AFTER], "-"))) &&
		input__keep_standard(&err))
		return cli__fail("%s", err.text);
	if (compared__make(&compared, &command, &err))
		status = cli__fail("%s", err.text);
	else
		status = show(&command, &compared);
	compared__free(&compared);
	diff_options__free(&command);
	return status;
}
