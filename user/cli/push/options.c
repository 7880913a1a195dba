// SPDX-License-Identifier: GPL-2.0-only
/* See options.h. */
#include "user/cli/push/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/cli/option_value.h"

#define HEADERS_MAX 65536
#define TIMEOUT_S 60

enum {
	KEY_FOLLOW = 256,
	KEY_HOST,
	KEY_STATE,
	KEY_BUILDID_DIR,
	KEY_HEADERS,
	KEY_TIMEOUT,
	KEY_METRICS,
	KEY_PROTOCOL,
	KEY_LABEL,
	KEY_CACERT,
	KEY_BINARIES,
	KEY_PATH,
	KEY_BUDGET,
};

static const struct argp_option OPTIONS[] = {
	{"follow", KEY_FOLLOW, NULL, 0,
		"Continue with each file that is completed in DIR, and retry what fails", 0},
	{"force", 'f', NULL, 0, "Also push a FILE that was not closed properly", 0},
	{"protocol", KEY_PROTOCOL, "otlp|otlp-1.5|pyroscope|parca", 0,
		"Format for an HTTP receiver: OpenTelemetry profiles of opentelemetry-proto 1.11 "
		"(default) or 1.5, or pprof profiles by the interface of Pyroscope or Parca",
		0},
	{"label", KEY_LABEL, "NAME=VALUE", 0,
		"Give pprof profiles this label, for example service_name=web; can be repeated", 0},
	{"headers", KEY_HEADERS, "FILE", 0,
		"Send the header lines in FILE with each request, for example Authorization", 0},
	{"cacert", KEY_CACERT, "FILE", 0,
		"Trust the authorities in FILE (PEM) instead of the system's", 0},
	{"timeout", KEY_TIMEOUT, "SECONDS", 0,
		"Give up if an HTTP receiver does not respond for this long (default: 60)", 0},
	{"host", KEY_HOST, "NAME", 0, "Name of the host in the database (default: as recorded)", 0},
	{"buildid-dir", KEY_BUILDID_DIR, "DIR", 0, "Build-id cache (default: perf's, ~/.debug)", 0},
	{"binaries", KEY_BINARIES, NULL, 0,
		"Send the recorded builds' binaries and debug files from the build-id cache, "
		"in debuginfod's layout",
		0},
	{"path", KEY_PATH, "GLOB", 0,
		"With --binaries, send only binaries whose path matches; can be repeated", 0},
	{"budget", KEY_BUDGET, "SIZE", 0,
		"With --binaries, send at most SIZE for each recording, with suffix B, K, M or G; "
		"binaries with the most samples are sent first",
		0},
	{"state", KEY_STATE, "FILE", 0,
		"Record in FILE what has been sent (default: a file for each URL and DIR, in "
		"$STATE_DIRECTORY or ~/.local/state/perfstamp)",
		0},
	{"metrics-socket", KEY_METRICS, "PATH|ADDRESS:PORT", 0,
		"Serve OpenMetrics on this unix socket or loopback address (with --follow)", 0},
	{"verbose", 'v', NULL, 0, "Report each file", 0},
	{0},
};

static void take_argument(struct push_command *command, char *arg, struct argp_state *state)
{
	if (!command->url) {
		command->url = arg;
		return;
	}
	if (!command->n_paths)
		command->paths = &state->argv[state->next - 1];
	command->n_paths++;
}

static void take_timeout(struct push_command *command, const char *arg, struct argp_state *state)
{
	uint64_t value;

	if (option_value__number(arg, 1, 86400, &value))
		argp_error(state, "--timeout requires a number of seconds: `%s'", arg);
	command->timeout_s = (unsigned int)value;
}

static void take_protocol(struct push_command *command, const char *arg, struct argp_state *state)
{
	static const char *const NAMES[] = {
		[PUSH_OTLP] = "otlp",
		[PUSH_OTLP15] = "otlp-1.5",
		[PUSH_PYROSCOPE] = "pyroscope",
		[PUSH_PARCA] = "parca",
	};

	for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++) {
		if (strcmp(NAMES[i], arg) != 0)
			continue;
		command->protocol = i;
		return;
	}
	argp_error(state, "--protocol must be otlp, otlp-1.5, pyroscope or parca: `%s'", arg);
}

/* Parses a label. Label names have to be valid in Prometheus. */
static void take_label(struct push_command *command, const char *arg, struct argp_state *state)
{
	static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	static const char MORE[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	size_t size = strspn(arg, MORE);
	struct push_label *label = &command->labels[command->n_labels];

	if (!strchr(LETTERS, *arg) || !size || arg[size] != '=' || !arg[size + 1]) {
		argp_error(state,
			"--label requires NAME=VALUE, where NAME is of letters, digits and _: `%s'",
			arg);
		return;
	}
	if (command->n_labels == PUSH_LABELS_MAX) {
		argp_error(state, "more than %d labels given", PUSH_LABELS_MAX);
		return;
	}
	label->name = strndup(arg, size);
	label->value = malloc(4 * strlen(arg) + 1);
	if (!label->name || !label->value)
		argp_failure(state, 1, ENOMEM, "--label");
	else
		text__escape(label->value, 4 * strlen(arg) + 1, arg + size + 1);
	command->n_labels++;
}

static void take_path(struct push_command *command, const char *arg, struct argp_state *state)
{
	if (command->n_globs == PUSH_GLOBS_MAX)
		argp_error(state, "more than %d paths given", PUSH_GLOBS_MAX);
	else
		command->globs[command->n_globs++] = arg;
}

static void check_binaries(const struct push_command *command, struct argp_state *state)
{
	if (command->host || command->protocol || command->n_labels)
		argp_error(
			state, "--host, --protocol and --label cannot be combined with --binaries");
	if ((command->headers || command->cacert || command->timeout_s) &&
		!strncmp(command->url, "file:", strlen("file:")))
		argp_error(state, "--headers, --cacert and --timeout require a server");
}

static void check(const struct push_command *command, struct argp_state *state)
{
	bool http = !strncmp(command->url, "http", strlen("http"));

	if (command->metrics && !command->follow)
		argp_error(state, "--metrics-socket requires --follow");
	if (command->binaries) {
		check_binaries(command, state);
		return;
	}
	if (command->n_globs || command->budget)
		argp_error(state, "--path and --budget require --binaries");
	if (!http &&
		(command->headers || command->cacert || command->timeout_s || command->protocol))
		argp_error(state,
			"--headers, --cacert, --timeout and --protocol require an HTTP receiver");
	if (command->n_labels &&
		(command->protocol == PUSH_OTLP || command->protocol == PUSH_OTLP15))
		argp_error(state, "--label requires --protocol pyroscope or parca");
	if (http && (command->host || command->buildid_dir))
		argp_error(state, "--host and --buildid-dir require a database");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct push_command *command = state->input;

	switch (key) {
	case KEY_FOLLOW:
		command->follow = true;
		return 0;
	case 'f':
		command->force = true;
		return 0;
	case KEY_HEADERS:
		command->headers = arg;
		return 0;
	case KEY_TIMEOUT:
		take_timeout(command, arg, state);
		return 0;
	case KEY_HOST:
		command->host = arg;
		return 0;
	case KEY_STATE:
		command->state = arg;
		return 0;
	case KEY_BUILDID_DIR:
		command->buildid_dir = arg;
		return 0;
	case KEY_PROTOCOL:
		take_protocol(command, arg, state);
		return 0;
	case KEY_CACERT:
		command->cacert = arg;
		return 0;
	case KEY_LABEL:
		take_label(command, arg, state);
		return 0;
	case KEY_BINARIES:
		command->binaries = true;
		return 0;
	case KEY_PATH:
		take_path(command, arg, state);
		return 0;
	case KEY_BUDGET:
		if (option_value__size(arg, &command->budget) || !command->budget)
			argp_error(state, "--budget requires a size with B, K, M or G: `%s'", arg);
		return 0;
	case KEY_METRICS:
		command->metrics = arg;
		return 0;
	case 'v':
		command->verbose = true;
		return 0;
	case ARGP_KEY_ARG:
		take_argument(command, arg, state);
		return 0;
	case ARGP_KEY_END:
		if (!command->n_paths)
			argp_error(state, "a URL, and a directory or file are required");
		else
			check(command, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int read_headers(const struct push_command *command, char **ret, struct error *err)
{
	const char *directory = getenv("CREDENTIALS_DIRECTORY"), *path = command->headers;
	char *credential = NULL;
	FILE *in = NULL;
	size_t n;
	int code = 0;

	*ret = NULL;
	if (!path && directory && asprintf(&credential, "%s/headers", directory) >= 0 &&
		!access(credential, F_OK))
		path = credential;
	if (path)
		in = fopen(path, "re");
	if (path && !in)
		code = error__errno(err, -errno, "%s", path);
	if (in) {
		*ret = calloc(1, HEADERS_MAX + 1);
		n = *ret ? fread(*ret, 1, HEADERS_MAX, in) : 0;
		if (!*ret)
			code = error__set(err, -ENOMEM, "out of memory");
		else if (ferror(in) || strlen(*ret) != n || !strchr(*ret, ':'))
			code = error__set(err, -EINVAL, "%s: it has no lines `NAME: VALUE'", path);
		fclose(in);
	}
	free(credential);
	return code;
}

int push_command__server(
	const struct push_command *command, struct push_server *ret, struct error *err)
{
	int code;

	*ret = (struct push_server){
		.authorities = command->cacert,
		.timeout_s = command->timeout_s ? command->timeout_s : TIMEOUT_S,
	};
	code = read_headers(command, &ret->headers, err);
	if (!code && command->cacert && access(command->cacert, R_OK))
		code = error__errno(err, -errno, "%s", command->cacert);
	return code;
}

const struct argp PUSH_ARGP = {
	.options = OPTIONS,
	.parser = parse,
	.args_doc = "URL DIR|FILE...",
	.doc = "Send recordings to a receiver of profiles (http://, https://), or to the database "
	       "of a fleet (postgresql://): which builds were mapped where and when, "
	       "which were replaced, and what was lost. With --binaries, send files of recorded "
	       "builds to a directory (file://), an HTTP server or S3 (s3://).",
};
