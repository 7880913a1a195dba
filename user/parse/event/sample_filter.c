// SPDX-License-Identifier: GPL-2.0-only
/* See sample_filter.h. */
#include "user/parse/event/sample_filter.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

/* The fields, with the words for messages, and the option that adds the field to samples. */
static const struct {
	const char *name;
	enum sample_filter_field field;
	uint64_t sample_type;
	const char *needs;
} FIELDS[] = {
	{"ip", SAMPLE_FILTER_IP, PERF_SAMPLE_IP, NULL},
	{"pid", SAMPLE_FILTER_PID, PERF_SAMPLE_TID, NULL},
	{"tid", SAMPLE_FILTER_TID, PERF_SAMPLE_TID, NULL},
	{"cpu", SAMPLE_FILTER_CPU, PERF_SAMPLE_CPU, "PERF_SAMPLE_CPU: add --sample-cpu"},
	{"time", SAMPLE_FILTER_TIME, PERF_SAMPLE_TIME, NULL},
	{"addr", SAMPLE_FILTER_ADDR, PERF_SAMPLE_ADDR, "PERF_SAMPLE_ADDR: add -d"},
	{"period", SAMPLE_FILTER_PERIOD, 0, NULL},
	{"uid", SAMPLE_FILTER_UID, 0, NULL},
	{"gid", SAMPLE_FILTER_GID, 0, NULL},
	{"cgroup", SAMPLE_FILTER_CGROUP, PERF_SAMPLE_CGROUP,
		"PERF_SAMPLE_CGROUP: add --all-cgroups"},
	{"comm", SAMPLE_FILTER_COMM_NAME, 0, NULL},
};

/* Longer operators precede their prefixes. */
static const struct {
	const char *text;
	enum sample_filter_op op;
} OPS[] = {
	{"==", SAMPLE_FILTER_EQ},
	{"!=", SAMPLE_FILTER_NE},
	{">=", SAMPLE_FILTER_GE},
	{"<=", SAMPLE_FILTER_LE},
	{">", SAMPLE_FILTER_GT},
	{"<", SAMPLE_FILTER_LT},
	{"&", SAMPLE_FILTER_AND},
};

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static void skip_spaces(const char **at)
{
	while (isspace((unsigned char)**at))
		(*at)++;
}

/* Fields that perf can filter by and perfstamp cannot, with the field of samples that they use. */
static const struct {
	const char *name;
	const char *sample_type;
} OTHERS[] = {
	{"id", "ID"},
	{"phys_addr", "PHYS_ADDR"},
	{"txn", "TRANSACTION"},
	{"weight", "WEIGHT"},
	{"code_pgsz", "CODE_PAGE_SIZE"},
	{"data_pgsz", "DATA_PAGE_SIZE"},
	{"mem_", "DATA_SRC"},
};

static const char *find_other(const char *text)
{
	for (size_t i = 0; i < sizeof(OTHERS) / sizeof(OTHERS[0]); i++)
		if (!strncmp(OTHERS[i].name, text, strlen(OTHERS[i].name)))
			return OTHERS[i].sample_type;
	return NULL;
}

static int parse_field(
	struct sample_filter_term *ret, const char **at, uint64_t sample_type, struct error *err)
{
	size_t len = 0;

	while (isalnum((unsigned char)(*at)[len]) || (*at)[len] == '_')
		len++;
	for (size_t i = 0; i < ARRAY_SIZE(FIELDS); i++) {
		if (strlen(FIELDS[i].name) != len || strncmp(FIELDS[i].name, *at, len) != 0)
			continue;
		if (FIELDS[i].needs && !(sample_type & FIELDS[i].sample_type))
			return error__set(err, -EINVAL, "--filter: %s needs %s", FIELDS[i].name,
				FIELDS[i].needs);
		ret->field = FIELDS[i].field;
		*at += len;
		return 0;
	}
	if (find_other(*at))
		return error__set(err, -EINVAL,
			"--filter: '%s' requires PERF_SAMPLE_%s, which filters cannot read here",
			*at, find_other(*at));
	return error__set(err, -EINVAL,
		"--filter: '%s' does not begin with one of ip, pid, tid, cpu, time, addr, period, "
		"uid, gid, cgroup and comm",
		*at);
}

static int parse_op(struct sample_filter_term *ret, const char **at, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(OPS); i++) {
		size_t len = strlen(OPS[i].text);

		if (strncmp(*at, OPS[i].text, len) != 0)
			continue;
		ret->op = OPS[i].op;
		*at += len;
		return 0;
	}
	return error__set(err, -EINVAL,
		"--filter: '%s' is not an operator; expected ==, !=, >, >=, <, <= or &", *at);
}

/* Returns the text in quotes, or up to a separator. */
static const char *word(const char **at, size_t *ret_len)
{
	const char *begin = *at, *end;

	if (*begin == '"' || *begin == '\'') {
		end = strchr(begin + 1, *begin);
		if (!end)
			return NULL;
		*ret_len = end - begin - 1;
		*at = end + 1;
		return begin + 1;
	}
	*ret_len = strcspn(begin, ",|& \t\n");
	*at = begin + *ret_len;
	return begin;
}

static int parse_comm(struct sample_filter_term *ret, const char **at, struct error *err)
{
	const char *all = *at, *begin;
	size_t len;

	begin = word(at, &len);
	if (!begin || !len)
		return error__set(err, -EINVAL, "--filter: '%s' is not a thread name", all);
	if (begin[len - 1] == '*') {
		ret->is_prefix = true;
		len--;
	}
	if (len >= sizeof(ret->comm))
		return error__set(err, -EINVAL,
			"--filter: a thread name has at most %zu bytes: '%s'",
			sizeof(ret->comm) - 1, all);
	memcpy(ret->comm, begin, len);
	ret->comm_len = len;
	return 0;
}

static int parse_value(struct sample_filter_term *ret, const char **at, struct error *err)
{
	const char *begin;
	size_t len;
	char *end;

	if (ret->field == SAMPLE_FILTER_COMM_NAME)
		return parse_comm(ret, at, err);
	if (ret->field == SAMPLE_FILTER_CGROUP && !isdigit((unsigned char)**at)) {
		begin = word(at, &len);
		if (!begin || !len)
			return error__set(err, -EINVAL, "--filter: cgroup requires a path");
		ret->path = strndup(begin, len);
		return ret->path ? 0 : error__set(err, -ENOMEM, "out of memory");
	}
	errno = 0;
	ret->value = strtoull(*at, &end, 0);
	if (errno || !isdigit((unsigned char)**at) || (*end && !strchr(",|& \t\n", *end)))
		return error__set(err, -EINVAL, "--filter: '%s' is not a number", *at);
	*at = end;
	return 0;
}

static int parse_term(
	struct sample_filter_term *ret, const char **at, uint64_t sample_type, struct error *err)
{
	bool is_name;
	int r;

	memset(ret, 0, sizeof(*ret));
	skip_spaces(at);
	r = parse_field(ret, at, sample_type, err);
	skip_spaces(at);
	if (!r)
		r = parse_op(ret, at, err);
	skip_spaces(at);
	is_name = ret->field == SAMPLE_FILTER_COMM_NAME || ret->field == SAMPLE_FILTER_CGROUP;
	if (!r && is_name && ret->op != SAMPLE_FILTER_EQ && ret->op != SAMPLE_FILTER_NE)
		r = error__set(err, -EINVAL,
			"--filter: comm and cgroup can only be compared with == and !=");
	return r ? r : parse_value(ret, at, err);
}

int sample_filter__parse(
	struct sample_filter *ret, const char *text, uint64_t sample_type, struct error *err)
{
	int r;

	memset(ret, 0, sizeof(*ret));
	for (;;) {
		if (ret->n == SAMPLE_FILTER_TERMS)
			return error__set(
				err, -EINVAL, "--filter: more than %d terms", SAMPLE_FILTER_TERMS);
		r = parse_term(&ret->terms[ret->n], &text, sample_type, err);
		ret->n++;
		if (r)
			return r;
		skip_spaces(&text);
		if (!*text)
			return 0;
		if (!strncmp(text, "||", 2)) {
			ret->terms[ret->n - 1].or_next = true;
			text += 2;
		} else if (*text == ',') {
			text++;
		} else if (!strncmp(text, "&&", 2)) {
			text += 2;
		} else {
			return error__set(err, -EINVAL,
				"--filter: '%s' where only a comma or || may follow", text);
		}
	}
}

void sample_filter__free(struct sample_filter *filter)
{
	for (size_t i = 0; i < filter->n; i++)
		free(filter->terms[i].path);
	filter->n = 0;
}

bool sample_filter__has_pids(const struct sample_filter *filter)
{
	for (size_t i = 0; i < filter->n; i++)
		if (filter->terms[i].field == SAMPLE_FILTER_PID ||
			filter->terms[i].field == SAMPLE_FILTER_TID)
			return true;
	return false;
}
