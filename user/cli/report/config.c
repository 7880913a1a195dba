// SPDX-License-Identifier: GPL-2.0-only
/* See config.h. perf's keys and values: tools/perf/Documentation/perf-config.txt of Linux. */
#include "user/cli/report/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "user/cli/option_value.h"
#include "user/cli/perfconfig.h"

static int is_wrong(const struct perfconfig_value *value, const char *wanted, struct error *err)
{
	return error__set(err, -EINVAL, "%s:%zu: %s is '%s'; it may be %s", value->path,
		value->line, value->key, value->value, wanted);
}

static bool parse_percent(const char *text, double *ret)
{
	char *end;

	*ret = strtod(text, &end);
	if (end != text && *end == '%')
		end++;
	return end != text && !*end && *ret >= 0 && *ret <= 100;
}

static bool parse_flag(const char *text, bool *ret)
{
	static const char *const YES[] = {"true", "yes", "on", "1"};
	static const char *const NO[] = {"false", "no", "off", "0"};

	for (size_t i = 0; i < sizeof(YES) / sizeof(YES[0]); i++) {
		*ret = !strcasecmp(text, YES[i]);
		if (*ret || !strcasecmp(text, NO[i]))
			return true;
	}
	return false;
}

static int take_children(
	struct report_command *ret, const struct perfconfig_value *value, struct error *err)
{
	bool children;

	if (!parse_flag(value->value, &children))
		return is_wrong(value, "true or false", err);
	ret->children = children ? CHILDREN_BY_CHAINS : CHILDREN_NO;
	return 0;
}

static int take_groups(
	struct report_command *ret, const struct perfconfig_value *value, struct error *err)
{
	bool groups;

	if (!parse_flag(value->value, &groups))
		return is_wrong(value, "true or false", err);
	ret->groups = groups ? GROUPS_RECORDED : GROUPS_NEVER;
	return 0;
}

static int take_graph_order(
	struct report_command *ret, const struct perfconfig_value *value, struct error *err)
{
	bool caller = !strcmp(value->value, "caller");

	if (!caller && strcmp(value->value, "callee") != 0)
		return is_wrong(value, "caller or callee", err);
	ret->config_order = caller ? ORDER_CALLER : ORDER_CALLEE;
	return 0;
}

static int take_branches(
	struct report_command *ret, const struct perfconfig_value *value, struct error *err)
{
	uint64_t n;

	if (option_value__number(value->value, 0, UINT32_MAX, &n))
		return is_wrong(value, "a number", err);
	ret->graph_branches = n;
	return 0;
}

static int take_screen(
	struct report_command *ret, const struct perfconfig_value *value, struct error *err)
{
	bool wanted;

	if (!parse_flag(value->value, &wanted))
		return is_wrong(value, "on or off", err);
	ret->screen = wanted ? SCREEN_ON_TERMINAL : SCREEN_NEVER;
	return 0;
}

static int take(void *ctx, const struct perfconfig_value *value, struct error *err)
{
	struct report_command *ret = ctx;
	const char *key = value->key;

	if (!strcmp(key, "report.percent-limit"))
		return parse_percent(value->value, &ret->percent_limit)
			       ? 0
			       : is_wrong(value, "a percentage", err);
	if (!strcmp(key, "call-graph.threshold"))
		return parse_percent(value->value, &ret->graph_percent)
			       ? 0
			       : is_wrong(value, "a percentage", err);
	if (!strcmp(key, "report.sort_order"))
		return report_columns__config(&ret->columns, value->value)
			       ? 0
			       : is_wrong(value, "keys of `perfstamp report --sort'", err);
	if (!strcmp(key, "report.children"))
		return take_children(ret, value, err);
	if (!strcmp(key, "report.group"))
		return take_groups(ret, value, err);
	if (!strcmp(key, "call-graph.order"))
		return take_graph_order(ret, value, err);
	if (!strcmp(key, "call-graph.print-limit"))
		return take_branches(ret, value, err);
	if (!strcmp(key, "call-graph.print-type") && !strcmp(value->value, "none"))
		ret->config_order = ORDER_NO_GRAPH;
	if (!strcmp(key, "tui.report"))
		return take_screen(ret, value, err);
	if (!strcmp(key, "hist.percentage"))
		ret->report.relative = !strcmp(value->value, "relative");
	return 0;
}

int report_config__read(struct report_command *ret, struct error *err)
{
	return perfconfig__read(take, ret, err);
}
