// SPDX-License-Identifier: GPL-2.0-only
/*
 * The attributes of a resource, by the semantic conventions of OpenTelemetry. A part of otlp.c;
 * see otlp_private.h.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/export/otlp_private.h"

#define ATTRIBUTES_MAX 16

static int add(struct otlp *otlp, Otlp__Resource *resource, const char *key, const char *value)
{
	Otlp__KeyValue *attribute;
	Otlp__AnyValue *any;
	size_t size;
	char *text;

	if (!value || !*value)
		return 0;
	size = text__escape(NULL, 0, value) + 1;
	attribute = arena__alloc(&otlp->arena, 1, sizeof(*attribute));
	any = arena__alloc(&otlp->arena, 1, sizeof(*any));
	text = arena__alloc(&otlp->arena, size, 1);
	if (!attribute || !any || !text)
		return -ENOMEM;
	text__escape(text, size, value);
	otlp__key_value__init(attribute);
	otlp__any_value__init(any);
	attribute->key = (char *)key;
	attribute->value = any;
	any->value_case = OTLP__ANY_VALUE__VALUE_STRING_VALUE;
	any->string_value = text;
	resource->attributes[resource->n_attributes++] = attribute;
	return 0;
}

/*
 * The container's name in its pod, the container's name or id, or the unit; otherwise the
 * conventions' name for an unknown service.
 */
static void service_name(const struct home *home, char *ret, size_t size)
{
	const struct container_facts *facts = home->container;
	const char *dot = strrchr(home->unit, '.');
	int len = (int)strlen(home->unit);

	if (facts) {
		const char *name = *facts->name  ? facts->name
				   : *facts->pod ? facts->pod
						 : facts->is.id;

		snprintf(ret, size, "%s", name);
	} else {
		if (dot && !strcmp(dot, ".service"))
			len = (int)(dot - home->unit);
		snprintf(ret, size, "%.*s", len, home->unit);
	}
	if (!*ret)
		snprintf(ret, size, "unknown_service");
}

static int add_container(
	struct otlp *otlp, Otlp__Resource *ret, const struct container_facts *facts)
{
	bool in_pod = *facts->pod;

	return add(otlp, ret, "container.id", facts->is.id) ||
			       add(otlp, ret, "container.runtime.name",
				       container_runtime__name(facts->is.runtime)) ||
			       add(otlp, ret, in_pod ? "k8s.container.name" : "container.name",
				       facts->name) ||
			       add(otlp, ret, "container.image.name", facts->image) ||
			       add(otlp, ret, "k8s.namespace.name", facts->namespace) ||
			       add(otlp, ret, "k8s.pod.name", facts->pod) ||
			       add(otlp, ret, "k8s.pod.uid",
				       facts->is.runtime == CONTAINER_PODMAN ? "" : facts->is.pod)
		       ? -ENOMEM
		       : 0;
}

int otlp__make_resource(struct otlp *otlp, const struct home *home, Otlp__Resource *ret)
{
	const struct export_source *of = otlp->profile->of;
	char name[2 * CONTAINER_TEXT_MAX];

	otlp__resource__init(ret);
	ret->attributes = arena__alloc(&otlp->arena, ATTRIBUTES_MAX, sizeof(Otlp__KeyValue *));
	if (!ret->attributes)
		return -ENOMEM;
	service_name(home, name, sizeof(name));
	if (add(otlp, ret, "service.name", name) || add(otlp, ret, "host.name", of->host) ||
		add(otlp, ret, "os.type", "linux") || add(otlp, ret, "os.version", of->release) ||
		add(otlp, ret, "systemd.unit", home->unit))
		return -ENOMEM;
	return home->container ? add_container(otlp, ret, home->container) : 0;
}
