// SPDX-License-Identifier: GPL-2.0-only
/*
 * The paths of cgroups as runtimes and systemd make them, and as nobody should.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "user/parse/container.h"

#define ID "2f5a1e9d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1"
#define ID2 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define UID "8a5c6d7e-1234-4abc-9def-0123456789ab"
#define UID_ "8a5c6d7e_1234_4abc_9def_0123456789ab"
#define STATIC "0d5f0b3c4e6a79881726354453627180"
#define USER "/user.slice/user-1000.slice/user@1000.service"

struct known {
	const char *path, *runtime, *id, *unit, *pod, *qos, *inside;
};

static const struct known KNOWN[] = {
	/* the host's own */
	{"/", "host", "", "", "", NULL, ""},
	{"", "host", "", "", "", NULL, ""},
	{"/init.scope", "host", "", "init.scope", "", NULL, ""},
	{"/system.slice", "host", "", "system.slice", "", NULL, ""},
	{"/system.slice/nginx.service", "host", "", "nginx.service", "", NULL, ""},
	{"/system.slice/docker.service", "host", "", "docker.service", "", NULL, ""},
	{"/system.slice/containerd.service", "host", "", "containerd.service", "", NULL, ""},
	{"/system.slice/system-getty.slice/getty@tty1.service", "host", "", "getty@tty1.service",
		"", NULL, ""},
	{"/system.slice/web.service/workers", "host", "", "web.service", "", NULL, ""},
	{"/system.slice/ssh.socket", "host", "", "ssh.socket", "", NULL, ""},
	{"/user.slice/user-1000.slice/session-3.scope", "host", "", "session-3.scope", "", NULL,
		""},
	{USER "/init.scope", "host", "", "init.scope", "", NULL, ""},
	{USER "/app.slice/foot.service", "host", "", "foot.service", "", NULL, ""},
	{USER, "host", "", "user@1000.service", "", NULL, ""},
	{USER "/app.slice/mail.service", "host", "", "mail.service", "", NULL, ""},
	/* Whoever has a unit's cgroup names those below it. */
	{"/system.slice/app.service/postgresql.service", "host", "", "app.service", "", NULL, ""},
	{"/system.slice/app.service/user@0.service/postgresql.service", "host", "", "app.service",
		"", NULL, ""},
	{"/machine.slice/libpod-conmon-" ID ".scope", "host", "", "libpod-conmon-" ID ".scope", "",
		NULL, ""},
	{"/lxc.monitor.web", "host", "", "", "", NULL, ""},
	{"/machine.slice/machine-qemu\\x2d1\\x2ddebian.scope/libvirt/emulator", "host", "",
		"machine-qemu\\x2d1\\x2ddebian.scope", "", NULL, ""},
	/* docker */
	{"/system.slice/docker-" ID ".scope", "docker", ID, "docker-" ID ".scope", "", NULL, ""},
	{"/docker/" ID, "docker", ID, "", "", NULL, ""},
	{"/docker/" ID "/system.slice/cron.service", "docker", ID, "", "", NULL,
		"/system.slice/cron.service"},
	{"/docker/" ID "/docker/" ID2, "docker", ID, "", "", NULL, "/docker/" ID2},
	{"/docker/buildkit/v6yk4p1dq0m2x8r3n5t7w9z1b", "docker", "v6yk4p1dq0m2x8r3n5t7w9z1b", "",
		"", NULL, ""},
	{USER "/user.slice/docker-" ID ".scope", "docker", ID, "docker-" ID ".scope", "", NULL, ""},
	{"/system.slice:docker:" ID, "docker", ID, "", "", NULL, ""},
	{"/build.slice/docker-" ID ".scope/init.scope", "docker", ID, "docker-" ID ".scope", "",
		NULL, "/init.scope"},
	/* docker by another parent: the id alone */
	{"/actions_job/" ID, "container", ID, "", "", NULL, ""},
	{"/ecs/fleet/0d5f0b3c4e6a79881726354453627180/" ID, "container", ID, "", "", NULL, ""},
	{"/ecstasks.slice/ecstasks-0d5f.slice/docker-" ID ".scope", "docker", ID,
		"docker-" ID ".scope", "", NULL, ""},
	/* podman */
	{"/machine.slice/libpod-" ID ".scope", "podman", ID, "libpod-" ID ".scope", "", NULL, ""},
	{"/machine.slice/libpod-" ID ".scope/container", "podman", ID, "libpod-" ID ".scope", "",
		NULL, "/container"},
	{USER "/user.slice/libpod-" ID ".scope/container", "podman", ID, "libpod-" ID ".scope", "",
		NULL, "/container"},
	{"/machine.slice/machine-libpod_pod_" ID2 ".slice/libpod-" ID ".scope", "podman", ID,
		"libpod-" ID ".scope", ID2, NULL, ""},
	{"/libpod_parent/libpod-" ID, "podman", ID, "", "", NULL, ""},
	{"/libpod_parent/" ID2 "/libpod-" ID, "podman", ID, "", ID2, NULL, ""},
	{"/libpod_parent/conmon", "host", "", "", "", NULL, ""},
	{"/system.slice/web.service/libpod-payload-" ID, "podman", ID, "web.service", "", NULL, ""},
	{"/system.slice/web.service/runtime", "host", "", "web.service", "", NULL, ""},
	/* containerd */
	{"/default/" ID, "containerd", ID, "", "", NULL, ""},
	{"/k8s.io/" ID, "containerd", ID, "", "", NULL, ""},
	{"/system.slice/nerdctl-" ID ".scope", "containerd", ID, "nerdctl-" ID ".scope", "", NULL,
		""},
	{"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_
	 ".slice/cri-containerd-" ID ".scope",
		"containerd", ID, "cri-containerd-" ID ".scope", UID, "burstable", ""},
	{"/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-besteffort.slice/"
	 "kubelet-kubepods-besteffort-pod" UID_ ".slice/cri-containerd-" ID ".scope",
		"containerd", ID, "cri-containerd-" ID ".scope", UID, "besteffort", ""},
	{"/kubepods.slice/kubepods-pod" UID_ ".slice/cri-containerd-" ID ".scope", "containerd", ID,
		"cri-containerd-" ID ".scope", UID, "guaranteed", ""},
	{"/system.slice/containerd.service/kubepods-burstable-pod" UID_ ".slice:cri-containerd:" ID,
		"containerd", ID, "containerd.service", UID, "burstable", ""},
	{"/kubepods-besteffort-pod" UID_ ".slice:cri-containerd:" ID, "containerd", ID, "", UID,
		"besteffort", ""},
	/* cri-o */
	{"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" UID_ ".slice/crio-" ID
	 ".scope",
		"cri-o", ID, "crio-" ID ".scope", UID, "besteffort", ""},
	{"/kubepods.slice/kubepods-pod" STATIC ".slice/crio-" ID ".scope/container", "cri-o", ID,
		"crio-" ID ".scope", STATIC, "guaranteed", "/container"},
	{"/kubepods/burstable/pod" UID "/crio-" ID, "cri-o", ID, "", UID, "burstable", ""},
	{"/kubepods.slice/kubepods-pod" UID_ ".slice/crio-conmon-" ID ".scope", "kubernetes", "",
		"crio-conmon-" ID ".scope", UID, "guaranteed", ""},
	/* Kubernetes, by cgroupfs: the runtime is not told */
	{"/kubepods/besteffort/pod" UID "/" ID, "kubernetes", ID, "", UID, "besteffort", ""},
	{"/kubepods/burstable/pod" STATIC "/" ID, "kubernetes", ID, "", STATIC, "burstable", ""},
	{"/kubepods/pod" UID "/" ID, "kubernetes", ID, "", UID, "guaranteed", ""},
	{"/kubelet/kubepods/pod" UID "/" ID, "kubernetes", ID, "", UID, "guaranteed", ""},
	{"/kubepods/pod" UID, "kubernetes", "", "", UID, "guaranteed", ""},
	{"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_ ".slice",
		"kubernetes", "", "kubepods-burstable-pod" UID_ ".slice", UID, "burstable", ""},
	{"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_ ".slice/docker-" ID
	 ".scope",
		"docker", ID, "docker-" ID ".scope", UID, "burstable", ""},
	{"/kubepods.slice", "host", "", "kubepods.slice", "", NULL, ""},
	/* a node in docker (kind): the host's own container counts, the rest is inside */
	{"/system.slice/docker-" ID
	 ".scope/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod" UID_
	 ".slice/cri-containerd-" ID2 ".scope",
		"docker", ID, "docker-" ID ".scope", "", NULL,
		"/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod" UID_
		".slice/cri-containerd-" ID2 ".scope"},
	/* from within a cgroup namespace */
	{"/../docker-" ID ".scope", "docker", ID, "docker-" ID ".scope", "", NULL, ""},
	{"/../../..", "host", "", "", "", NULL, ""},
	/* systemd-nspawn, and what else machined knows */
	{"/machine.slice/machine-web.scope", "nspawn", "web", "machine-web.scope", "", NULL, ""},
	{"/machine.slice/machine-web\\x2dtest.scope/payload/system.slice/nginx.service", "nspawn",
		"web-test", "machine-web\\x2dtest.scope", "", NULL,
		"/payload/system.slice/nginx.service"},
	{"/machine.slice/systemd-nspawn@db.service/payload", "nspawn", "db",
		"systemd-nspawn@db.service", "", NULL, "/payload"},
	{"/machine.slice/machine-lxc\\x2d4711\\x2dmail.scope", "lxc", "mail",
		"machine-lxc\\x2d4711\\x2dmail.scope", "", NULL, ""},
	/* LXC, LXD, Incus, Proxmox */
	{"/lxc.payload.web/system.slice/nginx.service", "lxc", "web", "", "", NULL,
		"/system.slice/nginx.service"},
	{"/lxc.payload.web-1", "lxc", "web-1", "", "", NULL, ""},
	{"/lxc/101/ns/init.scope", "lxc", "101", "", "", NULL, "/ns/init.scope"},
	{"/lxc.payload/old", "lxc", "old", "", "", NULL, ""},
	{"/user.slice/user-1000.slice/session-1.scope/lxc.payload.mine", "lxc", "mine",
		"session-1.scope", "", NULL, ""},
	/* names that only look like it */
	{"/system.slice/docker-web.service", "host", "", "docker-web.service", "", NULL, ""},
	{"/system.slice/docker-2f5a1e9d.scope", "host", "", "docker-2f5a1e9d.scope", "", NULL, ""},
	{"/system.slice/docker-" ID "0.scope", "host", "", "docker-" ID "0.scope", "", NULL, ""},
	{"/pod" UID, "host", "", "", "", NULL, ""},
	{"/kubepods/pod", "host", "", "", "", NULL, ""},
	{"/kubepods/podx y", "host", "", "", "", NULL, ""},
	{"/lxc.payload.", "host", "", "", "", NULL, ""},
	{"/lxc", "host", "", "", "", NULL, ""},
	{"::" ID, "container", ID, "", "", NULL, ""},
	{"/machine-web.scope", "host", "", "machine-web.scope", "", NULL, ""},
	{"/machine.slice/machine-.scope", "host", "", "machine-.scope", "", NULL, ""},
	{"/machine.slice/machine-a\\x00b.scope", "nspawn", "a\\x00b", "machine-a\\x00b.scope", "",
		NULL, ""},
	{"//system.slice//nginx.service//", "host", "", "nginx.service", "", NULL, ""},
};

static void paths_as_runtimes_make_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(KNOWN) / sizeof(*KNOWN); i++) {
		const struct known *known = &KNOWN[i];
		struct container found;

		print_message("# %s\n", known->path);
		container__parse(&found, known->path);
		assert_string_equal(container_runtime__name(found.runtime), known->runtime);
		assert_string_equal(found.id, known->id);
		assert_string_equal(found.unit, known->unit);
		assert_string_equal(found.pod, known->pod);
		if (known->qos)
			assert_string_equal(container_qos__name(found.qos), known->qos);
		else
			assert_null(container_qos__name(found.qos));
		assert_string_equal(found.inside, known->inside);
	}
}

static void a_users_units_are_told_from_the_systems(void **state)
{
	struct container found;

	(void)state;
	container__parse(&found, USER "/app.slice/foot.service");
	assert_true(found.user_unit);
	assert_int_equal(found.uid, 1000);
	container__parse(&found, USER);
	assert_false(found.user_unit);
	container__parse(&found, "/user.slice/user-1000.slice/session-3.scope");
	assert_false(found.user_unit);
}

/* Copies of exactly their size, so that ASan sees each byte too many. */
static void every_beginning_and_changed_byte_is_read_within_bounds(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(KNOWN) / sizeof(*KNOWN); i++) {
		const char *path = KNOWN[i].path;
		struct container found;

		for (size_t len = 0; len <= strlen(path); len++) {
			char *copy = strndup(path, len);

			assert_non_null(copy);
			container__parse(&found, copy);
			assert_true(found.inside <= copy + len);
			if (len) {
				copy[len - 1] = (char)0xff;
				container__parse(&found, copy);
				assert_true(strlen(found.id) < CONTAINER_TEXT_MAX);
			}
			free(copy);
		}
	}
}

static void components_longer_than_a_name_are_passed_over(void **state)
{
	struct container found;
	char path[4096] = "/docker-";

	(void)state;
	memset(path + 8, 'a', 3000);
	strcat(path, "/system.slice/docker-" ID ".scope");
	container__parse(&found, path);
	assert_int_equal(found.runtime, CONTAINER_DOCKER);
}

static void lines_of_proc_cgroup_of_v1_and_v2(void **state)
{
	static const char TEXT[] = "12:pids:/docker/" ID "\n"
				   "1:name=systemd:/a:b\n"
				   "0::/system.slice/nginx.service\n"
				   "nonsense\n"
				   "0::/last";
	const char *cursor = TEXT;
	char path[128];

	(void)state;
	assert_int_equal(proc_cgroup__next(&cursor, path, sizeof(path)), 1);
	assert_string_equal(path, "/docker/" ID);
	assert_int_equal(proc_cgroup__next(&cursor, path, sizeof(path)), 1);
	assert_string_equal(path, "/a:b");
	assert_int_equal(proc_cgroup__next(&cursor, path, sizeof(path)), 1);
	assert_string_equal(path, "/system.slice/nginx.service");
	assert_int_equal(proc_cgroup__next(&cursor, path, sizeof(path)), 1);
	assert_string_equal(path, "");
	assert_int_equal(proc_cgroup__next(&cursor, path, 4), 1);
	assert_string_equal(path, "/la");
	assert_int_equal(proc_cgroup__next(&cursor, path, sizeof(path)), 0);
}

static void a_cgroup_is_outside_by_whole_components(void **state)
{
	(void)state;
	assert_true(proc_cgroup__is_outside("/.."));
	assert_true(proc_cgroup__is_outside("/../../a"));
	assert_true(proc_cgroup__is_outside("/..a/.."));
	assert_false(proc_cgroup__is_outside("/"));
	assert_false(proc_cgroup__is_outside("/..a/b"));
	assert_false(proc_cgroup__is_outside("/a/..."));
	assert_false(proc_cgroup__is_outside("/a../.b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_as_runtimes_make_them),
		cmocka_unit_test(a_users_units_are_told_from_the_systems),
		cmocka_unit_test(every_beginning_and_changed_byte_is_read_within_bounds),
		cmocka_unit_test(components_longer_than_a_name_are_passed_over),
		cmocka_unit_test(lines_of_proc_cgroup_of_v1_and_v2),
		cmocka_unit_test(a_cgroup_is_outside_by_whole_components),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
