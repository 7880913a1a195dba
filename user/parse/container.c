// SPDX-License-Identifier: GPL-2.0-only
/*
 * See container.h. A cgroup counts as a container only if it has a runtime's name, or an id of 64
 * digits: the cgroups of conmon and containerd themselves are units of the host.
 *
 * Sources: docker and moby (daemon/daemon_unix.go), libpod (oci_conmon_linux.go), cri-o
 * (internal/config/cgmgr), containerd (internal/cri/server), kubelet
 * (pkg/kubelet/cm/cgroup_manager_linux.go), systemd (nspawn-register.c, unit-name.c), lxc
 * (cgroups/cgfsng.c).
 */
#include "user/parse/container.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ID_DIGITS 64

struct name { /* one component of the path */
	const char *at;
	size_t len;
};

struct state {
	struct container *ret;
	struct name parent;
	bool kubepods; /* an earlier component was kubelet's */
	bool in_pod;
	bool service; /* .unit is a service or scope */
	bool manager; /* below a user's service manager */
};

static bool is(struct name name, const char *text)
{
	return name.len == strlen(text) && !memcmp(name.at, text, name.len);
}

static bool begins(struct name name, const char *text)
{
	return name.len >= strlen(text) && !memcmp(name.at, text, strlen(text));
}

static bool ends(struct name name, const char *text)
{
	size_t len = strlen(text);

	return name.len > len && !memcmp(name.at + name.len - len, text, len);
}

static struct name without(struct name name, size_t front, size_t back)
{
	return (struct name){name.at + front, name.len - front - back};
}

static void copy(char ret[CONTAINER_TEXT_MAX], struct name name)
{
	size_t len = name.len < CONTAINER_TEXT_MAX ? name.len : CONTAINER_TEXT_MAX - 1;

	memcpy(ret, name.at, len);
	ret[len] = '\0';
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static bool is_id(struct name name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!is_hex(name.at[i]))
			return false;
	return name.len == ID_DIGITS;
}

static int hex_value(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/*
 * Reverses systemd's escaping of names in the names of units: "-" for "/", \xNN for characters that
 * are not allowed.
 */
static void copy_unescaped(char ret[CONTAINER_TEXT_MAX], struct name name)
{
	size_t n = 0;

	for (size_t i = 0; i < name.len && n < CONTAINER_TEXT_MAX - 1; i++) {
		const char *at = name.at + i;

		if (name.len - i >= 4 && at[0] == '\\' && at[1] == 'x' && is_hex(at[2]) &&
			is_hex(at[3]) && hex_value(at[2]) + hex_value(at[3])) {
			ret[n++] = (char)(hex_value(at[2]) << 4 | hex_value(at[3]));
			i += 3;
		} else {
			ret[n++] = *at;
		}
	}
	ret[n] = '\0';
}

static bool found(struct state *state, enum container_runtime runtime, struct name id)
{
	state->ret->runtime = runtime;
	copy(state->ret->id, id);
	return true;
}

/* A uid of kubelet is a UUID, or 32 digits for a pod from a file. */
static bool take_pod_uid(struct state *state, struct name uid, enum container_qos qos)
{
	struct container *ret = state->ret;

	if (!uid.len || uid.len > 63)
		return false;
	for (size_t i = 0; i < uid.len; i++)
		if (!is_hex(uid.at[i]) && uid.at[i] != '-' && uid.at[i] != '_')
			return false;
	copy(ret->pod, uid);
	/* With systemd's driver, the name has no "-", which would begin another slice. */
	for (char *c = ret->pod; *c; c++)
		if (*c == '_')
			*c = '-';
	ret->qos = qos;
	ret->runtime = CONTAINER_KUBERNETES;
	state->in_pod = true;
	return true;
}

static bool has_tail(const char *end, const char *begin, const char *tail)
{
	size_t len = strlen(tail);

	return (size_t)(end - begin) >= len && !memcmp(end - len, tail, len);
}

/* Parses kubepods-burstable-podUID.slice, which may have a prefix of kubelet's. */
static bool take_pod_slice(struct state *state, struct name name)
{
	enum container_qos qos = QOS_GUARANTEED;
	const char *kubepods, *pod, *end;

	if (ends(name, ".slice"))
		name.len -= strlen(".slice");
	end = name.at + name.len;
	kubepods = memmem(name.at, name.len, "kubepods", 8);
	if (!kubepods)
		return false;
	pod = memmem(kubepods, end - kubepods, "-pod", 4);
	if (!pod)
		return false;
	if (has_tail(pod, kubepods, "-burstable"))
		qos = QOS_BURSTABLE;
	else if (has_tail(pod, kubepods, "-besteffort"))
		qos = QOS_BESTEFFORT;
	return take_pod_uid(state, (struct name){pod + 4, end - pod - 4}, qos);
}

/* Parses kubepods/burstable/podUID. */
static bool take_pod_directory(struct state *state, struct name name)
{
	enum container_qos qos = QOS_GUARANTEED;

	if (!state->kubepods || !begins(name, "pod"))
		return false;
	if (is(state->parent, "burstable"))
		qos = QOS_BURSTABLE;
	else if (is(state->parent, "besteffort"))
		qos = QOS_BESTEFFORT;
	return take_pod_uid(state, without(name, 3, 0), qos);
}

/* Parses "RUNTIME-ID", or as a scope of systemd "RUNTIME-ID.scope". */
static bool take_prefixed(struct state *state, struct name name)
{
	static const struct {
		const char *prefix;
		enum container_runtime runtime;
	} KNOWN[] = {
		{"docker-", CONTAINER_DOCKER},
		{"libpod-", CONTAINER_PODMAN},
		{"libpod-payload-", CONTAINER_PODMAN}, /* in the cgroup of the service itself */
		{"cri-containerd-", CONTAINER_CONTAINERD},
		{"nerdctl-", CONTAINER_CONTAINERD},
		{"crio-", CONTAINER_CRIO},
	};

	if (ends(name, ".scope"))
		name.len -= strlen(".scope");
	for (size_t i = 0; i < sizeof(KNOWN) / sizeof(*KNOWN); i++) {
		struct name id;

		if (!begins(name, KNOWN[i].prefix))
			continue;
		id = without(name, strlen(KNOWN[i].prefix), 0);
		if (is_id(id))
			return found(state, KNOWN[i].runtime, id);
	}
	return false;
}

/*
 * Parses "SLICE:RUNTIME:ID". This is a name for systemd's driver, but the other driver has also
 * created directories of this name.
 */
static bool take_colons(struct state *state, struct name name)
{
	const char *id, *runtime;
	struct name middle;

	id = memrchr(name.at, ':', name.len);
	runtime = id ? memrchr(name.at, ':', id - name.at) : NULL;
	if (!runtime || !is_id((struct name){id + 1, name.at + name.len - id - 1}))
		return false;
	take_pod_slice(state, (struct name){name.at, runtime - name.at});
	middle = (struct name){runtime + 1, id - runtime - 1};
	name = without(name, id + 1 - name.at, 0);
	if (is(middle, "docker"))
		return found(state, CONTAINER_DOCKER, name);
	if (is(middle, "libpod"))
		return found(state, CONTAINER_PODMAN, name);
	if (is(middle, "crio"))
		return found(state, CONTAINER_CRIO, name);
	if (is(middle, "cri-containerd") || is(middle, "nerdctl"))
		return found(state, CONTAINER_CONTAINERD, name);
	return found(state, CONTAINER_OCI, name);
}

/* Parses an id alone. The cgroup above it names the runtime. */
static bool take_bare(struct state *state, struct name name)
{
	if (is(state->parent, "buildkit") && name.len >= 20)
		return found(state, CONTAINER_DOCKER, name);
	if (!is_id(name))
		return false;
	/* Pods of podman have ids of this length, and their containers are below them. */
	if (is(state->parent, "libpod_parent")) {
		copy(state->ret->pod, name);
		return false;
	}
	if (state->in_pod)
		return found(state, CONTAINER_KUBERNETES, name);
	if (is(state->parent, "docker"))
		return found(state, CONTAINER_DOCKER, name);
	if (is(state->parent, "default") || is(state->parent, "k8s.io"))
		return found(state, CONTAINER_CONTAINERD, name);
	return found(state, CONTAINER_OCI, name);
}

/* "qemu-1-NAME" is a virtual machine, "lxc-1234-NAME" a container of libvirt. */
static bool take_machine(struct state *state, const char *id)
{
	size_t digits;

	if (!strncmp(id, "qemu-", 5) || !*id)
		return false;
	state->ret->runtime = CONTAINER_NSPAWN;
	if (!strncmp(id, "lxc-", 4)) {
		digits = strspn(id + 4, "0123456789");
		if (digits && id[4 + digits] == '-') {
			state->ret->runtime = CONTAINER_LXC;
			id += 4 + digits + 1;
		}
	}
	memmove(state->ret->id, id, strlen(id) + 1);
	return true;
}

static bool take_nspawn(struct state *state, struct name name)
{
	char id[CONTAINER_TEXT_MAX];

	if (begins(name, "systemd-nspawn@") && ends(name, ".service"))
		name = without(name, strlen("systemd-nspawn@"), strlen(".service"));
	else if (is(state->parent, "machine.slice") && begins(name, "machine-") &&
		 ends(name, ".scope"))
		name = without(name, strlen("machine-"), strlen(".scope"));
	else
		return false;
	copy_unescaped(id, name);
	return take_machine(state, id);
}

static bool take_lxc(struct state *state, struct name name)
{
	if (begins(name, "lxc.payload.") && name.len > 12)
		return found(state, CONTAINER_LXC, without(name, 12, 0));
	if ((is(state->parent, "lxc") || is(state->parent, "lxc.payload")) && name.len)
		return found(state, CONTAINER_LXC, name);
	return false;
}

static bool take_podman_pod(struct state *state, struct name name)
{
	if (!begins(name, "machine-libpod_pod_") || !ends(name, ".slice"))
		return false;
	copy(state->ret->pod, without(name, strlen("machine-libpod_pod_"), strlen(".slice")));
	return true;
}

static void take_unit(struct state *state, struct name name)
{
	struct container *ret = state->ret;
	bool service = ends(name, ".service") || ends(name, ".scope") || ends(name, ".socket") ||
		       ends(name, ".mount") || ends(name, ".swap");

	if (!service && (state->service || !ends(name, ".slice")))
		return;
	/*
	 * Only a user's service manager has units below its own unit. Other units there were named
	 * from inside.
	 */
	if (state->service && !state->manager)
		return;
	if (begins(name, "user@") && ends(name, ".service")) {
		state->manager = true;
		ret->uid = strtoul(name.at + 5, NULL, 10);
	} else if (service) {
		ret->user_unit = state->manager;
	}
	state->service |= service;
	copy(ret->unit, name);
}

static bool take(struct state *state, struct name name)
{
	take_unit(state, name);
	if (take_prefixed(state, name) || take_colons(state, name) || take_nspawn(state, name) ||
		take_lxc(state, name))
		return true;
	if (take_pod_slice(state, name) || take_pod_directory(state, name) ||
		take_podman_pod(state, name))
		return false;
	if (take_bare(state, name))
		return true;
	state->kubepods |= is(name, "kubepods");
	return false;
}

void container__parse(struct container *ret, const char *path)
{
	struct state state = {.ret = ret, .parent = {"", 0}};
	struct name name;

	memset(ret, 0, sizeof(*ret));
	while (*path) {
		path += strspn(path, "/");
		name = (struct name){path, strcspn(path, "/")};
		path += name.len;
		/*
		 * "..": the path was read in a cgroup namespace. A name that is too long is not
		 * valid.
		 */
		if (!name.len || is(name, "..") || name.len >= CONTAINER_TEXT_MAX)
			continue;
		if (take(&state, name))
			break;
		state.parent = name;
	}
	ret->inside = path;
}

const char *container_runtime__name(enum container_runtime runtime)
{
	static const char *const NAMES[] = {"host", "docker", "podman", "containerd", "cri-o",
		"kubernetes", "container", "nspawn", "lxc"};

	return NAMES[runtime];
}

const char *container_qos__name(enum container_qos qos)
{
	static const char *const NAMES[] = {NULL, "guaranteed", "burstable", "besteffort"};

	return NAMES[qos];
}

int proc_cgroup__next(const char **cursor, char *ret, size_t size)
{
	const char *line = *cursor, *end = strchrnul(line, '\n'), *path;

	if (!*line)
		return 0;
	*cursor = *end ? end + 1 : end;
	path = memchr(line, ':', end - line);
	path = path ? memchr(path + 1, ':', end - path - 1) : NULL;
	path = path ? path + 1 : end;
	snprintf(ret, size, "%.*s", (int)(end - path), path);
	return 1;
}

bool proc_cgroup__is_outside(const char *path)
{
	for (const char *at = path; (at = strstr(at, "/..")); at++)
		if (!at[3] || at[3] == '/')
			return true;
	return false;
}
