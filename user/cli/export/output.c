// SPDX-License-Identifier: GPL-2.0-only
/* See output.h. */
#include "user/cli/export/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/cli/cli.h"
#include "user/cli/new_file.h"

static bool is_standard(const struct export_command *command)
{
	return !strcmp(command->output, "-");
}

int export_output__check(const struct export_command *command, struct error *err)
{
	if (is_standard(command)) {
		if (!command->format->text && isatty(STDOUT_FILENO))
			return error__set(err, -EINVAL,
				"standard output is a terminal: redirect it, or name a file with "
				"--output");
		return 0;
	}
	if (cli__is_same_file(command->output, command->path))
		return error__set(err, -EINVAL,
			"%s: this is the recording itself; name another file with --output",
			command->output);
	return 0;
}

static int write_to(FILE *out, const struct export_command *command, struct export_profile *profile,
	struct error *err)
{
	int code = command->format->write(out, profile);

	if (code)
		return error__set(err, code, "out of memory");
	errno = 0;
	if (fflush(out) || ferror(out))
		return error__errno(err, errno ? -errno : -EIO, "%s", command->output);
	return 0;
}

static int write_file(const struct export_command *command, struct export_profile *profile,
	char *partial, struct error *err)
{
	int fd = mkostemp(partial, O_CLOEXEC), code;
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (!out) {
		code = error__errno(err, -errno, "%s", command->output);
		if (fd >= 0)
			close(fd);
		return code;
	}
	new_file__remember(partial);
	code = write_to(out, command, profile, err);
	errno = 0;
	if (fclose(out) && !code)
		code = error__errno(err, errno ? -errno : -EIO, "%s", command->output);
	if (!code && rename(partial, command->output))
		code = error__errno(err, -errno, "%s", command->output);
	if (code)
		unlink(partial);
	new_file__forget(partial);
	return code;
}

/* A device or a pipe stays what it is. */
static int write_special(
	const struct export_command *command, struct export_profile *profile, struct error *err)
{
	FILE *out = fopen(command->output, "we");
	int code;

	if (!out)
		return error__errno(err, -errno, "%s", command->output);
	code = write_to(out, command, profile, err);
	errno = 0;
	if (fclose(out) && !code)
		code = error__errno(err, errno ? -errno : -EIO, "%s", command->output);
	return code;
}

int export_output__write(
	const struct export_command *command, struct export_profile *profile, struct error *err)
{
	struct stat st;
	char *partial;
	int code;

	if (is_standard(command))
		return write_to(stdout, command, profile, err);
	if (!stat(command->output, &st) && !S_ISREG(st.st_mode))
		return write_special(command, profile, err);
	if (asprintf(&partial, "%s.XXXXXX", command->output) < 0)
		return error__set(err, -ENOMEM, "out of memory");
	code = write_file(command, profile, partial, err);
	free(partial);
	return code;
}
