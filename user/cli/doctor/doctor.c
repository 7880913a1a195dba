// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp doctor: tries what record does, without recording. Reports what works, and how to
 * enable more.
 */
#include <stdio.h>

#include "user/cli/cli.h"
#include "user/cli/doctor/runtimes.h"
#include "user/source/diagnosis.h"
#include "user/view/findings.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
	bool *json = state->input;

	(void)arg;
	if (key != 'j')
		return ARGP_ERR_UNKNOWN;
	*json = true;
	return 0;
}

int cmd_doctor(int argc, char **argv)
{
	static const struct argp_option OPTIONS[] = {
		{"json", 'j', NULL, 0, "Write one JSON object", 0},
		{0},
	};
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.doc = "Check what this system supports, which method to observe mappings will be "
		       "used, and how to enable a better one.",
	};
	struct diagnosis diagnosis;
	bool json = false;
	int status;

	cli__parse(&ARGP, argc, argv, &json);
	diagnosis__make(&diagnosis);
	if (doctor_runtimes__look(&diagnosis) ||
		findings__write(stdout, diagnosis.findings, diagnosis.n, json) < 0)
		status = cli__fail("out of memory");
	else
		status = diagnosis.complete ? CLI_DONE : CLI_FAILED;
	return status;
}
