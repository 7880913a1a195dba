/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the container, its runtime and pod, and the systemd unit in the path of a cgroup (v1 and
 * v2), by the naming rules of runtimes. Pure. The outermost container counts, because the host's
 * runtime made it, while a container can choose the names of cgroups below its own.
 */
#ifndef PERFSTAMP_PARSE_CONTAINER_H
#define PERFSTAMP_PARSE_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum container_runtime {
	CONTAINER_NONE, /* a process of the host */
	CONTAINER_DOCKER,
	CONTAINER_PODMAN,
	CONTAINER_CONTAINERD,
	CONTAINER_CRIO,
	CONTAINER_KUBERNETES, /* in a pod; the path does not name the runtime */
	CONTAINER_OCI,        /* only an id, as several runtimes use it */
	CONTAINER_NSPAWN,
	CONTAINER_LXC,
};

enum container_qos { QOS_NONE, QOS_GUARANTEED, QOS_BURSTABLE, QOS_BESTEFFORT };

#define CONTAINER_TEXT_MAX 256 /* NAME_MAX and a NUL: each text is one component */

struct container {
	enum container_runtime runtime;
	/* 64 hexadecimal digits; for LXC and nspawn the name; empty for a pod's own cgroup. */
	char id[CONTAINER_TEXT_MAX];
	char pod[CONTAINER_TEXT_MAX]; /* uid of Kubernetes' pod, or id of podman's; or empty */
	enum container_qos qos;       /* of Kubernetes' pod */
	/*
	 * The innermost service or scope of systemd, up to the container's own; without one, the
	 * slice; or empty.
	 */
	char unit[CONTAINER_TEXT_MAX];
	bool user_unit; /* the unit belongs to the service manager of user .uid */
	uint32_t uid;
	const char *inside; /* rest of the path: cgroups inside of the container */
};

/* @path is relative to the cgroup mount. It must be valid as long as .inside is used. */
void container__parse(struct container *ret, const char *path);
/* "docker", "podman", …; "host" for CONTAINER_NONE. */
const char *container_runtime__name(enum container_runtime runtime);
/* "guaranteed", …, or NULL. */
const char *container_qos__name(enum container_qos qos);

/*
 * Finds the path of the next cgroup in @text, the content of /proc/PID/cgroup. *@cursor must be
 * @text at first. The path is cut to @size including its NUL. Returns 1, or 0 at the end.
 */
int proc_cgroup__next(const char **cursor, char *ret, size_t size);
/*
 * Whether a path from there has a component "..": it does if the cgroup is outside of the reader's
 * cgroup namespace.
 */
bool proc_cgroup__is_outside(const char *path);

#endif
