/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the container, its runtime and pod, and the systemd unit in the path of a cgroup
 * (v1 and v2), by the naming rules of runtimes. Pure. The outermost container counts,
 * because the host's runtime made it, while the container itself can choose names below it.
 */
#ifndef PERFSTAMP_PARSE_CONTAINER_H
#define PERFSTAMP_PARSE_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum container_runtime {
	CONTAINER_NONE, /* of the host */
	CONTAINER_DOCKER,
	CONTAINER_PODMAN,
	CONTAINER_CONTAINERD,
	CONTAINER_CRIO,
	CONTAINER_KUBERNETES, /* a pod's; the path does not name the runtime */
	CONTAINER_OCI,        /* an id as these runtimes give it, without a name of theirs */
	CONTAINER_NSPAWN,
	CONTAINER_LXC,
};

enum container_qos { QOS_NONE, QOS_GUARANTEED, QOS_BURSTABLE, QOS_BESTEFFORT };

#define CONTAINER_TEXT_MAX 256 /* NAME_MAX and a NUL: each is of one component */

struct container {
	enum container_runtime runtime;
	/* 64 hexadecimal digits; of LXC and nspawn the name; empty for what is a pod's alone. */
	char id[CONTAINER_TEXT_MAX];
	char pod[CONTAINER_TEXT_MAX]; /* uid of Kubernetes' pod, id of podman's; or empty */
	enum container_qos qos;       /* of Kubernetes' pod */
	/*
	 * The innermost service or scope of systemd, or where there is none slice,
	 * up to the container's own; empty where there is none.
	 */
	char unit[CONTAINER_TEXT_MAX];
	bool user_unit; /* the unit is of the service manager of user .uid */
	uint32_t uid;
	const char *inside; /* where in the path the cgroups within the container begin */
};

/* @path is relative to the cgroup mount, and must live as long as .inside is used. */
void container__parse(struct container *ret, const char *path);
/* "docker", "podman", …; "host" for CONTAINER_NONE. */
const char *container_runtime__name(enum container_runtime runtime);
/* "guaranteed", …, or NULL. */
const char *container_qos__name(enum container_qos qos);

/*
 * The path of the next cgroup in @text, which is /proc/PID/cgroup: *@cursor begins
 * as @text; cut to @size with its NUL. Returns 1, or 0 at the end.
 */
int proc_cgroup__next(const char **cursor, char *ret, size_t size);

#endif
