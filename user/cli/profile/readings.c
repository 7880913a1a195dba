// SPDX-License-Identifier: GPL-2.0-only
/* See readings.h. */
#include "user/cli/profile/readings.h"

#include <errno.h>

#include "user/cli/progress_bar.h"
#include "user/symbols/symbols.h"

int readings__first(struct readings *ret, readings_fn read, void *ctx, struct error *err)
{
	int failed;

	*ret = (struct readings){0};
	symbols__prepare();
	if (recorded_code__new(&ret->code))
		return error__set(err, -ENOMEM, "out of memory");
	failed = read(ctx, err);
	if (failed)
		return failed;
	if (recorded_code__names(ret->code, &ret->code_names))
		return error__set(err, -ENOMEM, "out of memory");
	return 0;
}

int readings__second(struct readings *readings, bool unwinds, struct symbols_options *symbols,
	readings_fn read, void *ctx, struct error *err)
{
	int failed;

	readings->again = true;
	readings->first = readings->input;
	readings->input = (struct input){0};
	if (unwinds && sample_stacks__new(
			       &readings->stacks, &readings->first, symbols, readings->code_names))
		return error__set(err, -ENOMEM, "out of memory");
	failed = read(ctx, err);
	if (unwinds) {
		if (failed && *sample_stacks__error(readings->stacks)->text)
			*err = *sample_stacks__error(readings->stacks);
		/* If a server failed for the stacks, it would fail as slowly for the names. */
		symbols->debuginfod &= !sample_stacks__outcome(readings->stacks)->server_failed;
	}
	progress_bar__hide();
	return failed;
}

void readings__free(struct readings *readings)
{
	recorded_code__free(readings->code);
	sample_stacks__free(readings->stacks);
	input__free(&readings->input);
	input__free(&readings->first);
}

int readings__take(struct readings *readings, const struct event *event)
{
	if (readings->stacks)
		sample_stacks__follow(readings->stacks, event);
	return readings->again ? 0 : recorded_code__take(readings->code, event);
}

static int unwind(void *ctx, const struct model *model, const struct event *event,
	const uint64_t **ret, size_t *ret_n)
{
	return sample_stacks__unwind(ctx, model, event, ret, ret_n);
}

void readings__of_samples(const struct readings *readings, struct samples_options *ret)
{
	ret->unwind = readings->stacks ? unwind : NULL;
	ret->unwind_ctx = readings->stacks;
	ret->code_names = readings->code_names;
}
