// SPDX-License-Identifier: GPL-2.0-only
/* perfstamp kernel: shows a kernel's identity, or compares two. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/cli/cli.h"
#include "user/cli/input.h"
#include "user/source/kernel/sources.h"
#include "user/source/kernel/vmlinux.h"
#include "user/store/files/store.h"
#include "user/view/kernel.h"

enum { KEY_SSH = 256, KEY_SSH_COMMAND, KEY_NOTES, KEY_RUNNING, KEY_JSON };

static const struct argp_option OPTIONS[] = {
	{"running", KEY_RUNNING, NULL, 0, "Show the running kernel (default)", 0},
	{"input", 'i', "FILE", 0,
		"Show the kernel of the recording FILE, or of standard input for -", 0},
	{"ssh", KEY_SSH, "[USER@]HOST", 0, "Show the kernel of another machine, using ssh", 0},
	{"notes", KEY_NOTES, "FILE", 0, "Show the kernel of FILE, a copy of /sys/kernel/notes", 0},
	{"ssh-command", KEY_SSH_COMMAND, "COMMAND", 0,
		"Shell command to use as ssh; the host and a command are appended", 0},
	{"json", KEY_JSON, NULL, 0, "Write JSON, one object per line", 0},
	{0},
};

struct asked {
	int key; /* KEY_RUNNING, 'i', KEY_SSH or KEY_NOTES */
	const char *what;
};

struct options {
	struct asked asked[2];
	size_t n;
	const char *ssh_command;
	bool json;
};

static void ask(struct options *options, int key, const char *what, struct argp_state *state)
{
	if (options->n == 2)
		argp_error(state, "no more than two kernels can be compared");
	options->asked[options->n++] = (struct asked){.key = key, .what = what};
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case KEY_RUNNING:
		ask(options, key, NULL, state);
		return 0;
	case ARGP_KEY_ARG:
		ask(options, 'i', arg, state);
		return 0;
	case KEY_SSH:
		if (!*arg || *arg == '-')
			argp_error(state, "--ssh requires a host: `%s'", arg);
		ask(options, key, arg, state);
		return 0;
	case 'i':
	case KEY_NOTES:
		ask(options, key, arg, state);
		return 0;
	case KEY_SSH_COMMAND:
		options->ssh_command = arg;
		return 0;
	case KEY_JSON:
		options->json = true;
		return 0;
	case ARGP_KEY_END:
		if (!options->n)
			ask(options, KEY_RUNNING, NULL, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int read_recording(
	struct kernel_side *side, const char *path, bool *ret_damaged, struct error *err)
{
	struct input input;
	int code;

	code = input__read(&input, path, err);
	if (!code && input.osrelease)
		snprintf(side->ids.release, sizeof(side->ids.release), "%s", input.osrelease);
	if (!code && input.arch)
		snprintf(side->ids.machine, sizeof(side->ids.machine), "%s", input.arch);
	if (!code && kernel_side__from_recording(
			     side, input.model, &input.header_ids, input.stamp, input.stamp_size))
		code = error__set(err, -ENOMEM, "out of memory");
	/* The identity may precede the damage in the file: print only the identity. */
	*ret_damaged = !code && input.damaged;
	if (*ret_damaged)
		cli__fail("%s", input.damage.text);
	input__free(&input);
	return code;
}

/* Finds the installed vmlinux of the running kernel. */
static int find_vmlinux(struct kernel_side *side)
{
	const struct kernel_dso *kernel = &side->ids.kernel;
	char *store = NULL;
	struct error why;
	int code;

	if (!kernel->size)
		return 0;
	if (store__directory(&store, NULL, NULL))
		store = NULL;
	code = vmlinux__find(
		&side->vmlinux, "", store, side->ids.release, kernel->build_id, kernel->size, &why);
	free(store);
	if (!code)
		return 0;
	side->vmlinux_why = strdup(why.text);
	return side->vmlinux_why && code != -ENOMEM ? 0 : -ENOMEM;
}

static int read_side(
	struct kernel_side *side, const struct options *options, size_t i, bool *ret_damaged)
{
	const struct asked *asked = &options->asked[i];
	struct error err;
	int code;

	kernel_ids__init(&side->ids);
	snprintf(side->name, sizeof(side->name), "%s", asked->what ? asked->what : "running");
	switch (asked->key) {
	case KEY_SSH:
		code = kernel_sources__ssh(&side->ids, options->ssh_command, asked->what, &err);
		break;
	case KEY_NOTES:
		code = kernel_sources__notes_file(&side->ids, asked->what, &err);
		break;
	case 'i':
		code = read_recording(side, asked->what, ret_damaged, &err);
		break;
	default:
		code = kernel_sources__running(&side->ids, "", &err);
		if (!code && find_vmlinux(side))
			code = error__set(&err, -ENOMEM, "out of memory");
	}
	return code ? cli__fail("%s", err.text) : 0;
}

int cmd_kernel(int argc, char **argv)
{
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[FILE [FILE]]",
		.doc = "Show the build-ids of a kernel and its modules: the running one, that of a "
		       "recording, or that of another machine. If two are given, compare them.",
	};
	struct options options = {.ssh_command = "ssh"};
	struct kernel_side sides[2] = {0};
	bool damaged[2] = {false, false};
	int status = CLI_DONE;

	cli__parse(&ARGP, argc, argv, &options);
	for (size_t i = 0; !status && i < options.n; i++)
		status = read_side(&sides[i], &options, i, &damaged[i]);
	for (size_t i = 0; !status && i < options.n && (options.n == 1 || options.json); i++)
		kernel_view__show(stdout, &sides[i], options.json);
	if (!status && options.n == 1 && !sides[0].ids.kernel.size)
		status = CLI_FAILED;
	if (!status && options.n == 2 &&
		!kernel_view__compare(stdout, &sides[0], &sides[1], options.json))
		status = CLI_FAILED;
	if (damaged[0] || damaged[1])
		status = CLI_FAILED;
	kernel_side__free(&sides[0]);
	kernel_side__free(&sides[1]);
	return status;
}
