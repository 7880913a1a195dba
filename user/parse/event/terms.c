// SPDX-License-Identifier: GPL-2.0-only
/* See terms.h. */
#include "user/parse/event/terms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/parse/event/attr.h"
#include "user/parse/event/sample_fields.h"

int event_terms__call_graph(enum event_call_graph *ret, uint32_t *ret_stack, const char *text)
{
	static const struct {
		const char *name;
		enum event_call_graph value;
	} HOWS[] = {
		{"no", EVENT_CALL_GRAPH_NO},
		{"fp", EVENT_CALL_GRAPH_FP},
		{"dwarf", EVENT_CALL_GRAPH_DWARF},
		{"lbr", EVENT_CALL_GRAPH_LBR},
	};
	uint64_t size;
	char *end;

	*ret_stack = 0;
	if (!strncmp(text, "dwarf,", 6)) {
		errno = 0;
		size = strtoull(text + 6, &end, 10);
		if (errno || *end || end == text + 6 || text[6] == '-' ||
			attr__stack_size(ret_stack, size))
			return -EINVAL;
		*ret = EVENT_CALL_GRAPH_DWARF;
		return 0;
	}
	for (size_t i = 0; i < sizeof(HOWS) / sizeof(HOWS[0]); i++) {
		if (strcmp(HOWS[i].name, text) != 0)
			continue;
		*ret = HOWS[i].value;
		return 0;
	}
	return -EINVAL;
}

static int is_wrong(const char *event, const struct pmu_term *term, struct error *err)
{
	return error__set(
		err, -EINVAL, "event '%s': %s=%s is not understood", event, term->name, term->text);
}

/* Handles terms with a number or no value. Returns 1, or 0 for other terms. */
static int take_number(
	struct event_terms *ret, struct perf_event_attr *attr, const struct pmu_term *term)
{
	if (!strcmp(term->name, "config")) {
		attr->config = term->value;
	} else if (!strcmp(term->name, "config1")) {
		attr->config1 = term->value;
	} else if (!strcmp(term->name, "config2")) {
		attr->config2 = term->value;
	} else if (!strcmp(term->name, "period")) {
		attr->sample_period = term->value;
		attr->freq = 0;
	} else if (!strcmp(term->name, "freq")) {
		attr->sample_freq = term->value;
		attr->freq = 1;
	} else if (!strcmp(term->name, "max-stack")) {
		ret->max_stack = term->value > UINT16_MAX ? UINT16_MAX : term->value;
	} else if (!strcmp(term->name, "inherit") || !strcmp(term->name, "no-inherit")) {
		ret->inherit_given = true;
		ret->inherit = (*term->name == 'i') == !!term->value;
	} else {
		return 0;
	}
	return 1;
}

/*
 * Explains terms that perf has and perfstamp does not, so that they are not reported as typing
 * errors.
 */
static int refuse(const char *event, const struct pmu_term *term, struct error *err)
{
	static const char *const OTHERS[] = {"time", "no-time", "overwrite", "no-overwrite",
		"max-events", "percore", "aux-output", "aux-sample-size", "aux-action", "metric-id",
		"ratio-to-prev", "driver-config"};

	for (size_t i = 0; i < sizeof(OTHERS) / sizeof(OTHERS[0]); i++)
		if (!strcmp(OTHERS[i], term->name))
			return error__set(err, -EINVAL,
				"event '%s': perfstamp has no term %s; it has config, config1, "
				"config2, name, period, freq, call-graph, stack-size, max-stack, "
				"inherit, no-inherit and branch_type",
				event, term->name);
	return 0;
}

int event_terms__take(struct event_terms *ret, struct perf_event_attr *attr,
	const struct pmu_term *term, const char *event, struct error *err)
{
	uint32_t stack;
	size_t len;

	if (!strcmp(term->name, "name")) {
		len = strlen(term->text);
		/* perf also accepts the name in quotes. */
		if (len >= 2 && term->text[0] == '\'' && term->text[len - 1] == '\'')
			memcpy(ret->name, term->text + 1, len - 2);
		else
			memcpy(ret->name, term->text, len);
		return *ret->name ? 1 : is_wrong(event, term, err);
	}
	if (!strcmp(term->name, "call-graph")) {
		if (event_terms__call_graph(&ret->call_graph, &stack, term->text))
			return is_wrong(event, term, err);
		return 1;
	}
	if (!strcmp(term->name, "stack-size"))
		return attr__stack_size(&ret->stack_size, term->value) ? is_wrong(event, term, err)
								       : 1;
	if (!strcmp(term->name, "branch_type")) {
		ret->branch_given = true;
		return sample_fields__branches(&ret->branch_sample_type, term->text)
			       ? is_wrong(event, term, err)
			       : 1;
	}
	if (term->has_value && !term->value && term->text[strspn(term->text, "0x")])
		return refuse(event, term, err);
	if (take_number(ret, attr, term)) {
		if ((!strcmp(term->name, "period") || !strcmp(term->name, "freq")) && !term->value)
			return is_wrong(event, term, err);
		return 1;
	}
	return refuse(event, term, err);
}
