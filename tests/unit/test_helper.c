// SPDX-License-Identifier: GPL-2.0-only
/*
 * Helper processes: what each layer of their confinement denies by itself to what took one over,
 * how they end, and when one counts as not answering.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/attacks.h"
#include "user/helper/confined.h"
#include "user/helper/fork_server.h"
#include "user/helper/patience.h"
#include "user/helper/sandbox.h"

static char directory[] = "/tmp/test_helper.XXXXXX";

static int set_up(void **state)
{
	(void)state;
	return !mkdtemp(directory) || chdir(directory) ? -1 : 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink("victim");
	unlink("moved");
	unlink("made");
	return chdir("/") || rmdir(directory);
}

/* The bits of the attacks that succeed in a process that is confined so; -1: it is not supported.
 */
static int allowed(int (*enter)(const struct sandbox *sandbox), const struct sandbox *sandbox)
{
	int pipes[2], bits = -1;
	pid_t pid;

	close(open("victim", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	assert_int_equal(pipe(pipes), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		int code = enter(sandbox), found = 0;

		if (code)
			_exit(code == -ENOSYS ? 0 : 1);
		for (size_t i = 0; i < ATTACKS_N; i++)
			found |= ATTACKS[i].succeeds() << i;
		_exit(write(pipes[1], &found, sizeof(found)) != sizeof(found));
	}
	close(pipes[1]);
	if (read(pipes[0], &bits, sizeof(bits)) != sizeof(bits))
		bits = -1;
	close(pipes[0]);
	assert_int_equal(waitpid(pid, &(int){0}, 0), pid);
	return bits;
}

/* The attacks of @bits, as words. */
static const char *words(int bits)
{
	static char text[256];

	text[0] = '\0';
	for (size_t i = 0; bits >= 0 && i < ATTACKS_N; i++)
		if (bits & 1 << i)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
				*text ? " " : "", ATTACKS[i].name);
	return text;
}

static void test_seccomp(void **state)
{
	struct sandbox_support support;
	struct sandbox sandbox = {0};

	(void)state;
	sandbox__look(&support);
	if (!support.seccomp)
		return;
	assert_string_equal(words(allowed(sandbox__enter_seccomp, &sandbox)), "");
	sandbox.needs = SANDBOX_READ;
	assert_string_equal(words(allowed(sandbox__enter_seccomp, &sandbox)), "read");
	sandbox.needs = SANDBOX_READ | SANDBOX_PROCESSES | SANDBOX_OPENAT2;
	assert_string_equal(words(allowed(sandbox__enter_seccomp, &sandbox)), "read");
	sandbox.needs = SANDBOX_WRITE;
	assert_string_equal(words(allowed(sandbox__enter_seccomp, &sandbox)),
		"read change create truncate mode remove");
	/* To servers, by threads, with libraries that are loaded; no processes. */
	sandbox.needs = SANDBOX_READ | SANDBOX_CONNECT;
	assert_string_equal(
		words(allowed(sandbox__enter_seccomp, &sandbox)), "read connect unix code");
}

static void test_landlock(void **state)
{
	struct sandbox_support support;
	struct sandbox sandbox = {0};

	(void)state;
	sandbox__look(&support);
	/* What it denies of the rest depends on the version. */
	if (support.landlock < 6)
		return;
	assert_string_equal(words(allowed(sandbox__enter_landlock, &sandbox) & 0x6f), "");
	sandbox.needs = SANDBOX_READ;
	assert_string_equal(words(allowed(sandbox__enter_landlock, &sandbox) & 0x6f), "read");
	sandbox.needs = SANDBOX_READ | SANDBOX_CONNECT;
	assert_string_equal(
		words(allowed(sandbox__enter_landlock, &sandbox) & 0x6f), "read connect");
	/* Elsewhere than below the directory that it may write to. */
	assert_int_equal(mkdir("below", 0700), 0);
	sandbox = (struct sandbox){SANDBOX_WRITE, "below"};
	assert_string_equal(words(allowed(sandbox__enter_landlock, &sandbox) & 0x6f), "");
	assert_int_equal(rmdir("below"), 0);
	sandbox.dir = ".";
	assert_string_equal(words(allowed(sandbox__enter_landlock, &sandbox) & 0x6f),
		"change create truncate remove");
}

/* ---- Processes ---- */

static void echo(void *ctx, int fd)
{
	const char *kept = ctx;
	char text[6];

	/* Nothing but its socket is open, and what it was to keep. */
	if (read(fd, text, sizeof(text)) != sizeof(text) || fcntl(*kept, F_GETFD) < 0 ||
		fcntl(*kept + 1, F_GETFD) >= 0)
		return;
	(void)!write(fd, text, sizeof(text));
}

static void test_answers(void **state)
{
	int kept = open("/dev/null", O_RDONLY | O_CLOEXEC), other;
	char number = (char)kept, *text;
	const struct confined_options options = {
		.what = "an echo",
		.silence_ms = 10000,
		.kept_fd = kept,
		.run = echo,
		.ctx = &number,
	};
	struct confined *child = calloc(1, sizeof(*child));
	struct error err;

	(void)state;
	other = fcntl(kept, F_DUPFD, kept + 1);
	assert_int_equal(other, kept + 1);
	assert_int_equal(confined__start(child, &options, &err), 0);
	assert_true(confined__give(child, "answer", 6));
	text = confined__take_text(child, 6, 6);
	assert_non_null(text);
	assert_string_equal(text, "answer");
	free(text);
	assert_null(confined__take_text(child, 7, 6));
	assert_int_equal(confined__end(child, false), 0);
	free(child);
	close(kept);
	close(other);
}

static void hang(void *ctx, int fd)
{
	(void)ctx;
	(void)fd;
	for (;;)
		poll(NULL, 0, -1);
}

static void test_silence(void **state)
{
	const struct confined_options options = {.what = "silence", .silence_ms = 1, .run = hang};
	struct confined *child = calloc(1, sizeof(*child));
	struct error err;
	int status;
	char byte;

	(void)state;
	assert_int_equal(confined__start(child, &options, &err), 0);
	assert_false(confined__take(child, &byte, 1));
	assert_true(child->timed_out);
	status = confined__end(child, true);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	free(child);
}

/* ---- Forks of a server ---- */

/* What it is asked: to tell the attacks that succeed, to crash, or to hang. */
enum { ATTACK, CRASH, HANG };

static void do_as_asked(void *ctx, int fd)
{
	int found = 0;
	char what;

	(void)ctx;
	if (read(fd, &what, 1) != 1)
		return;
	if (what == CRASH) {
		signal(SIGILL, SIG_DFL);
		__builtin_trap();
	}
	while (what == HANG)
		poll(NULL, 0, -1);
	for (size_t i = 0; i < ATTACKS_N; i++)
		found |= ATTACKS[i].succeeds() << i;
	(void)!write(fd, &found, sizeof(found));
}

static struct fork_server *make_server(void)
{
	const struct helper_options helpers = {
		.name = "forked",
		.type = SOCK_STREAM,
		.sandbox = {.needs = SANDBOX_READ},
		.run = do_as_asked,
	};
	struct fork_server *server;

	close(open("victim", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	assert_int_equal(fork_server__new(&server, &helpers), 0);
	return server;
}

static struct confined *ask(struct fork_server *server, char what)
{
	const struct confined_options options = {
		.what = "a test", .server = server, .silence_ms = what == HANG ? 1 : 10000};
	struct confined *child = calloc(1, sizeof(*child));
	struct error err;

	assert_int_equal(confined__start(child, &options, &err), 0);
	assert_true(confined__give(child, &what, 1));
	return child;
}

static void check_attacks(struct fork_server *server)
{
	struct confined *child = ask(server, ATTACK);
	struct sandbox_support support;
	int found = 0;

	sandbox__look(&support);
	assert_true(confined__take(child, &found, sizeof(found)));
	assert_int_equal(confined__end(child, false), 0);
	if (support.seccomp)
		assert_string_equal(words(found), "read");
	free(child);
}

/* Each is confined as one that is forked here, and its end is its own. */
static void test_forks(void **state)
{
	struct fork_server *server = make_server();
	struct confined *child;
	int status;
	char byte;

	(void)state;
	check_attacks(server);
	child = ask(server, CRASH);
	assert_false(confined__take(child, &byte, 1));
	status = confined__end(child, false);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGILL);
	free(child);
	child = ask(server, HANG);
	assert_false(confined__take(child, &byte, 1));
	assert_true(child->timed_out);
	status = confined__end(child, true);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	free(child);
	check_attacks(server);
	fork_server__free(server);
}

static void test_server_is_replaced(void **state)
{
	struct fork_server *server = make_server();
	pid_t first = fork_server__pid(server);

	(void)state;
	assert_int_equal(kill(first, SIGKILL), 0);
	check_attacks(server);
	assert_int_not_equal(fork_server__pid(server), first);
	check_attacks(server);
	fork_server__free(server);
}

/* ---- Patience ---- */

#define MS 1000000ull

static void test_patience(void **state)
{
	struct patience patience;
	uint64_t at = 1000 * MS;

	(void)state;
	patience__begin(&patience, at);
	assert_false(patience__is_due(&patience, at + 4999 * MS, 5000 * MS));
	/* However late: one look shows only that we are late. */
	at += 100000 * MS;
	for (int looks = 0; looks < 3; looks++) {
		assert_false(patience__is_over(&patience));
		assert_true(patience__is_due(&patience, at, 5000 * MS));
		patience__look(&patience, at, true);
		assert_false(patience__is_due(&patience, at + 499 * MS, 5000 * MS));
		at += 500 * MS;
	}
	assert_true(patience__is_over(&patience));
	patience__begin(&patience, at);
	assert_false(patience__is_over(&patience));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seccomp),
		cmocka_unit_test(test_landlock),
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_forks),
		cmocka_unit_test(test_server_is_replaced),
		cmocka_unit_test(test_patience),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
