// SPDX-License-Identifier: GPL-2.0-only
/*
 * What replaced says: which command restarts what, never one made of a forged name; and
 * the rows to the letter.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "user/view/replaced.h"
#include "user/view/restart.h"

#define ID "2f5a1e9d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1"
#define POD "8a5c6d7e-1234-4abc-9def-0123456789ab"

static const struct {
	const char *path, *about, *advice;
	uint32_t pid;
	const char *comm;
} ADVICE[] = {
	{"/system.slice/nginx.service", NULL, "systemctl restart nginx.service", 7, "nginx"},
	{"/system.slice/getty@tty1.service", NULL, "systemctl restart getty@tty1.service", 7, "x"},
	{"/user.slice/user-1000.slice/user@1000.service/app.slice/foot.service", NULL,
		"systemctl --user --machine=1000@ restart foot.service", 7, "foot"},
	{"/user.slice/user-1000.slice/session-3.scope", NULL,
		"end the process, or log out of session-3.scope", 7, "bash"},
	{"/init.scope", NULL, "systemctl daemon-reexec", 1, "systemd"},
	{"/init.scope", NULL, "restart the process", 7, "systemd"},
	{"/", NULL, "restart the process", 7, "x"},
	{"/system.slice/docker-" ID ".scope", NULL, "docker restart " ID, 7, "x"},
	{"/docker/" ID, "name=web\n", "docker restart web", 7, "x"},
	{"/docker/" ID, "name=-f\n", "docker restart " ID, 7, "x"},
	{"/docker/" ID, "name=a;reboot\n", "docker restart " ID, 7, "x"},
	{"/machine.slice/libpod-" ID ".scope", "name=db\n", "podman restart db", 7, "x"},
	{"/machine.slice/machine-web.scope", NULL, "machinectl reboot web", 7, "x"},
	{"/lxc.payload.mail", NULL, "lxc-stop -r -n mail", 7, "x"},
	{"/lxc.payload.a b", NULL, "restart the container lxc:a b", 7, "x"},
	{"/kubepods/pod" POD "/" ID, "name=app\npod=shop-0\nnamespace=prod\n",
		"kubectl delete pod -n prod shop-0", 7, "x"},
	{"/kubepods/pod" POD "/" ID, NULL, "restart the container kubernetes:2f5a1e9d3c4b", 7, "x"},
	{"/system.slice/a$(reboot).service", NULL, "restart the process", 7, "x"},
};

static struct replaced_process process(size_t i)
{
	struct replaced_process ret = {.pid = ADVICE[i].pid};
	const char *about = ADVICE[i].about;

	strcpy(ret.comm, ADVICE[i].comm);
	container_facts__read(&ret.where, ADVICE[i].path, about, about ? strlen(about) : 0);
	return ret;
}

static void advice_restarts_what_holds_the_process(void **state)
{
	char text[1024];

	(void)state;
	for (size_t i = 0; i < sizeof(ADVICE) / sizeof(*ADVICE); i++) {
		struct replaced_process of = process(i);

		replaced_view__advice(&of, text, sizeof(text));
		assert_string_equal(text, ADVICE[i].advice);
	}
}

static void processes_of_a_unit_are_shown_together(void **state)
{
	struct replaced_process processes[] = {process(8), process(0), process(0)};
	struct replaced_row row = {
		.kind = REPLACED_CONTENT,
		.path = "/usr/lib/\x1b[2Jlibc.so.6",
		.old = {.build_id_size = 2, .build_id = {0xaa, 1}},
		.now = {.build_id_size = 2, .build_id = {0xbb, 2}},
		.wall_clock = true,
		.since_ns = 1000000000,
		.package = "libc6",
		.n_processes = 3,
		.n_threads = 5,
		.processes = processes,
		.n_shown = 3,
	};
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	processes[1].pid = 9;
	replaced_view__text(out, &row);
	replaced_view__json(out, &row);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text,
		"/usr/lib/\\x1b[2Jlibc.so.6 (package libc6)\n"
		"    aa01 is mapped by 3 processes, 5 threads; the path gives bb02 since "
		"1970-01-01T00:00:01Z\n"
		"    nginx.service: 7 nginx, 9 nginx -> systemctl restart nginx.service\n"
		"    docker:web: 7 x -> docker restart web\n"
		"{\"path\":\"/usr/lib/\\u001b[2Jlibc.so.6\",\"kind\":\"replaced\",\"old_build_id\":"
		"\"aa01\",\"old_cookie\":null,\"build_id\":\"bb02\",\"cookie\":null,"
		"\"same_build_id\":false,\"since_ns\":1000000000,\"since\":\"1970-01-01T00:00:"
		"01Z\","
		"\"mount_namespace\":0,\"package\":\"libc6\",\"processes\":3,\"threads\":5,"
		"\"users\":[{\"unit\":\"nginx.service\",\"container\":null,\"processes\":[{\"pid\":"
		"7,"
		"\"comm\":\"nginx\"},{\"pid\":9,\"comm\":\"nginx\"}],\"restart\":\"systemctl "
		"restart "
		"nginx.service\"},{\"unit\":null,\"container\":{\"runtime\":\"docker\",\"id\":\"" ID
		"\",\"name\":\"web\",\"image\":null,\"namespace\":null,\"pod\":null,\"pod_uid\":"
		"null,"
		"\"qos\":null},\"processes\":[{\"pid\":7,\"comm\":\"x\"}],\"restart\":\"docker "
		"restart "
		"web\"}]}\n");
	free(text);
}

static struct replaced_process process_of(size_t i, uint32_t pid)
{
	struct replaced_process ret = process(i);

	ret.pid = pid;
	return ret;
}

static void write_plan(const struct restart_plan *plan, const char *wanted)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	restart_plan__write(out, plan);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, wanted);
	free(text);
}

/* Two files below one process, several of one unit, more than are shown. */
static void each_is_restarted_once(void **state)
{
	struct replaced_process first[] = {process_of(0, 7), process_of(8, 20), process_of(3, 30)};
	struct replaced_process second[12];
	struct replaced_row rows[] = {
		{.processes = first, .n_shown = 3},
		{.processes = second, .n_shown = 12},
	};
	struct restart_plan plan = {0};

	(void)state;
	for (size_t i = 0; i < 10; i++)
		second[i] = process_of(0, 7 + i);
	second[10] = process_of(1, 40);
	second[11] = process_of(2, 50);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(restart_plan__add(&plan, &rows[i]), 0);
	write_plan(&plan,
		"Units that run replaced builds:\n"
		"    systemctl restart nginx.service  # 7 nginx, 8 nginx, 9 nginx, 10 nginx, "
		"11 nginx, 12 nginx, 13 nginx, 14 nginx and 2 more\n"
		"Containers that run replaced builds:\n"
		"    docker restart web  # 20 x\n"
		"Left to you:\n"
		"    session-3.scope: 30 bash -> end the process, or log out of session-3.scope\n"
		"    getty@tty1.service: 40 x -> systemctl restart getty@tty1.service (a restart "
		"ends the session of that terminal)\n"
		"    foot.service: 50 foot -> systemctl --user --machine=1000@ restart "
		"foot.service\n");
	restart_plan__leave(&plan, "nginx.service", "it is in use");
	restart_plan__leave(&plan, "other.service", "it is not there");
	assert_int_equal(restart_plan__count(&plan, RESTART_BY_SYSTEMD), 0);
	assert_int_equal(restart_plan__count(&plan, RESTART_BY_RUNTIME), 1);
	assert_int_equal(restart_plan__count(&plan, RESTART_BY_PEOPLE), 4);
	assert_string_equal(plan.items[0].reason, "it is in use");
	restart_plan__free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(advice_restarts_what_holds_the_process),
		cmocka_unit_test(processes_of_a_unit_are_shown_together),
		cmocka_unit_test(each_is_restarted_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
