// SPDX-License-Identifier: GPL-2.0-only
/* Writes a report in its format, and warnings: see reporting.h. Does not read the recording. */
#include "user/cli/report/reporting.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "user/base/text.h"
#include "user/cli/cli.h"
#include "user/cli/report/about.h"
#include "user/cli/report/annotate.h"
#include "user/cli/report/browser.h"
#include "user/cli/report/pager.h"
#include "user/view/headline.h"

bool report_is_text(const struct report_command *command)
{
	return !command->folded && !command->recording.json;
}

/* Lists samples without names by DSO and function, whatever the rows are sorted by. */
static int write_lacks(FILE *out, const struct reporting *reporting)
{
	const struct report_options options = report_options__by(
		&reporting->command.report, REPORT_DSO, REPORT_SYM);
	struct report *report;
	struct lacks lacks = {0};
	int err;

	err = report__new(&report, reporting->samples, reporting->readings.input.model,
		reporting->names.resolved, &options);
	if (!err)
		err = lacks__find(&lacks, report, reporting->names.resolved);
	if (!err)
		report_view__lacks(
			out, &reporting->view, &lacks, reporting->command.recording.json);
	lacks__free(&lacks);
	report__free(report);
	return err;
}

/*
 * Warns about files without a build-id: if they are equal at their start, they cannot be
 * distinguished.
 */
static void warn_of_cookies(struct model *model)
{
	const struct sighting *first = NULL;
	char shown[4 * PERFSTAMP_PATH_MAX];
	size_t n = 0;

	for (size_t i = 0; i < model__n_sightings(model); i++) {
		const struct sighting *sighting = model__sighting(model, i);

		if (!sighting->several_files || !(sighting->samples || sighting->frames))
			continue;
		first = first ? first : sighting;
		n++;
	}
	if (!first)
		return;
	text__escape(shown, sizeof(shown), first->path);
	cli__fail("warning: %s%s: files without a build-id replaced one another; they have one "
		  "cookie and are shown as one, with the names of one of them, but may differ "
		  "(link with --build-id)",
		shown, n > 1 ? ", and other paths" : "");
}

/* Prints warnings about limits of the report, which JSON and folded chains cannot contain. */
static void warn(const struct reporting *reporting)
{
	char lost[HEADLINE_MAX];

	if (reporting->command.quiet)
		return;
	headline__lost(lost, sizeof(lost), model__ledger(reporting->readings.input.model),
		reporting->readings.input.stamp, reporting->readings.input.stamp_size);
	if (*lost)
		cli__fail("warning: %s", lost);
	warn_of_cookies(reporting->readings.input.model);
	place_names__warn_of_force(&reporting->names);
	if (reporting->readings.stacks)
		place_names__warn_of(
			"stacks: ", sample_stacks__outcome(reporting->readings.stacks)->said,
			sample_stacks__outcome(reporting->readings.stacks)->server_failed);
	place_names__warn_of_server(&reporting->names);
	recorded_code__warn(reporting->readings.code);
	if (reporting->sources && *report_sources__said(reporting->sources))
		cli__fail("warning: sources: %s", report_sources__said(reporting->sources));
	if (report_is_text(&reporting->command))
		return;
	if (reporting->readings.stacks)
		report_view__unwinding(stderr, sample_stacks__unwinding(reporting->readings.stacks),
			"perfstamp report: warning: ");
}

/* Like perf, reports this and exits with status 0. */
static void warn_of_no_samples(const struct reporting *reporting)
{
	const struct report_command *command = &reporting->command;
	if (command->quiet)
		return;
	cli__fail("warning: %s: %s", command->recording.path,
		report_filters__are_set(command)
			? "no samples match the options that select samples"
			: "the recording has no samples");
}

static void name_events(struct reporting *reporting)
{
	reporting->view.resolved = reporting->names.resolved;
	reporting->view.events = (const char *const *)reporting->events.names;
	reporting->view.n_events = reporting->events.n;
}

static int write_table(const struct reporting *reporting)
{
	const struct report_command *command = &reporting->command;
	struct error err;

	if (command->header &&
		report_about__header(command->recording.path, command->header_all, &err))
		cli__fail("warning: %s", err.text);
	if (!command->quiet)
		report_view__headline(stdout, &reporting->view);
	return report_view__text(stdout, &reporting->view);
}

static int write_objects(const struct report_view *view)
{
	report_view__json_recording(stdout, view);
	return report_view__json(stdout, view);
}

static struct annotate_request annotation_of(struct reporting *reporting)
{
	const struct report_command *command = &reporting->command;

	/* If a server failed for the names, it would fail as slowly for the code. */
	reporting->files.symbols.debuginfod &= !reporting->names.server_failed;
	return (struct annotate_request){
		.symbol = command->annotate,
		.intel = command->intel,
		.json = command->recording.json,
		.percent = command->annotation_percent,
		.names = &reporting->names,
		.options = &reporting->files.symbols,
		.view = &reporting->view,
	};
}

/* Annotates instead of writing the table. Returns the exit status. */
static int annotate(struct reporting *reporting)
{
	const struct report_command *command = &reporting->command;
	const struct annotate_request request = annotation_of(reporting);
	struct report *report;
	struct error err;
	int status = CLI_DONE;
	size_t n;

	if (report__new(&report, reporting->samples, reporting->readings.input.model,
		    reporting->names.resolved, &command->report)) {
		report__free(report);
		return cli__fail("out of memory");
	}
	reporting->view.report = report;
	name_events(reporting);
	if (!command->no_pager)
		pager__begin();
	if (report_annotate__write(stdout, &request, &n, &err))
		status = cli__fail("%s", err.text);
	else if (!n)
		status = cli__fail("%s: no samples in a function `%s'; `perfstamp report' lists "
				   "those that have some",
			command->recording.path, command->annotate);
	pager__end();
	report__free(report);
	return status;
}

static bool is_browsed(const struct report_command *command)
{
	return report_is_text(command) && !command->source && !command->quiet &&
	       !command->separator && !command->hierarchy && !command->no_pager &&
	       command->screen != SCREEN_NEVER &&
	       (command->screen == SCREEN_ALWAYS || report_browser__is_possible());
}

/* Returns 0, -ENOTTY or -ENOMEM. */
static int browse(struct reporting *reporting)
{
	struct annotate_request annotation = annotation_of(reporting);
	struct symbols_options options = reporting->files.symbols;
	struct report_browser_request request = {.file = reporting->command.recording.path,
		.view = &reporting->view,
		.annotate = &annotation};
	char *about = NULL;
	size_t size;
	FILE *out = open_memstream(&about, &size);
	int err = out ? 0 : -ENOMEM;

	/* A progress line would be overwritten. */
	options.progress = NULL;
	annotation.options = &options;
	if (out) {
		report_view__headline(out, &reporting->view);
		err = write_lacks(out, reporting);
		if (reporting->readings.stacks)
			report_view__unwinding(
				out, sample_stacks__unwinding(reporting->readings.stacks), "# ");
		if (fclose(out))
			err = -ENOMEM;
	}
	request.about = about;
	if (!err)
		err = report_browser__run(&request);
	free(about);
	return err;
}

static int write_report(struct reporting *reporting)
{
	const struct report_command *command = &reporting->command;
	struct report_view *view = &reporting->view;
	struct report *report;
	int err;

	err = report__new(&report, reporting->samples, reporting->readings.input.model,
		reporting->names.resolved, &command->report);
	view->report = report;
	name_events(reporting);
	if (err)
		goto cleanup;
	if (!report__n_wanted(report))
		warn_of_no_samples(reporting);
	else if (is_browsed(command)) {
		err = browse(reporting);
		if (err != -ENOTTY)
			goto cleanup;
		cli__fail("warning: the report cannot be browsed on the terminal \"%s\"; this is "
			  "the text",
			getenv("TERM") ? getenv("TERM") : "");
	}
	symbol_files__free(&reporting->files);
	if (!command->no_pager)
		pager__begin();
	if (command->folded)
		err = report_view__folded(stdout, view);
	else if (command->recording.json)
		err = write_objects(view);
	else
		err = write_table(reporting);
	if (!err && reporting->sources)
		err = report_sources__write(
			stdout, reporting->sources, view, command->recording.json);
	/* The sources have their own report. Free this one first to save memory. */
	report__free(report);
	view->report = report = NULL;
	if (!err && !command->folded && !(command->quiet && report_is_text(command)))
		err = write_lacks(stdout, reporting);
	if (!err && report_is_text(command) && !command->quiet && reporting->readings.stacks)
		report_view__unwinding(
			stdout, sample_stacks__unwinding(reporting->readings.stacks), "# ");
	pager__end();
cleanup:
	report__free(report);
	return err;
}

int report_write(struct reporting *reporting)
{
	int status = CLI_DONE;

	warn(reporting);
	if (reporting->command.annotate)
		status = annotate(reporting);
	else if (write_report(reporting))
		status = cli__fail("out of memory");
	if (reporting->readings.input.damaged)
		return cli__fail("%s", reporting->readings.input.damage.text);
	return status;
}
