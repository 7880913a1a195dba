// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state files of container runtimes: what each says of a container, and what is wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/source/containers/state.h"

typedef int state_fn(const char *text, size_t size, struct buffer *out);

/* NULL: nothing is known. */
static void reads(state_fn *fn, const char *text, const char *expected)
{
	struct buffer out;
	int code;

	buffer__init(&out, 0);
	code = fn(text, strlen(text), &out);
	assert_int_equal(code, expected ? 0 : -ENOENT);
	assert_int_equal(out.size, expected ? strlen(expected) : 0);
	if (expected)
		assert_memory_equal(out.data, expected, out.size);
	buffer__free(&out);
}

static void docker(void **state)
{
	(void)state;
	reads(container_state__docker, "{\"Name\":\"/web\",\"Config\":{\"Image\":\"nginx:1\"}}",
		"name=web\nimage=nginx:1\n");
	/* Labels of Kubernetes are better names. */
	reads(container_state__docker,
		"{\"Name\":\"/k8s_x\",\"Config\":{\"Image\":\"sha256:1\",\"Labels\":{"
		"\"io.kubernetes.container.name\":\"c\",\"io.kubernetes.pod.name\":\"p\","
		"\"io.kubernetes.pod.namespace\":\"d\"}}}",
		"name=c\nimage=sha256:1\nnamespace=d\npod=p\n");
	reads(container_state__docker, "{\"Name\":7,\"Config\":[]}", NULL);
}

static void bundle(void **state)
{
	(void)state;
	reads(container_state__bundle,
		"{\"annotations\":{\"io.kubernetes.cri.container-name\":\"c\","
		"\"io.kubernetes.cri.sandbox-name\":\"p\",\"io.kubernetes.cri.image-name\":\"i\"}}",
		"name=c\nimage=i\npod=p\n");
	reads(container_state__bundle, "{\"annotations\":{\"nerdctl/name\":\"n\"}}", "name=n\n");
	reads(container_state__bundle, "{\"annotations\":{\"other\":\"n\"}}", NULL);
}

static int listed_0123(const char *text, size_t size, struct buffer *out)
{
	return container_state__listed(text, size, "0123", out);
}

static void listed(void **state)
{
	(void)state;
	reads(listed_0123,
		"[{\"id\":\"9\",\"names\":[\"other\"]},{\"id\":\"0123\",\"names\":[\"n\"],"
		"\"metadata\":\"{\\\"image-name\\\":\\\"i:1\\\"}\"}]",
		"name=n\nimage=i:1\n");
	reads(listed_0123, "[{\"id\":\"0123\",\"names\":[],\"metadata\":\"{\"}]", NULL);
	reads(listed_0123, "[{\"id\":\"9\",\"names\":[\"other\"]}]", NULL);
}

/* A name cannot make a line of its own. */
static void names_are_escaped(void **state)
{
	(void)state;
	reads(container_state__bundle,
		"{\"annotations\":{\"nerdctl/name\":\"a\\nimage=b\\u001b\"}}",
		"name=a\\nimage=b\\x1b\n");
}

static void what_is_no_json(void **state)
{
	char deep[1001];

	(void)state;
	memset(deep, '[', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	reads(container_state__docker, "", NULL);
	reads(container_state__docker, "{\"Name\":\"/web", NULL);
	reads(container_state__bundle, deep, NULL);
	reads(listed_0123, "{}", NULL);
}

static void docker_root(void **state)
{
	const char *text = "{\"data-root\":\"/srv/docker\"}";
	char *root = container_state__docker_root(text, strlen(text));

	(void)state;
	assert_string_equal(root, "/srv/docker");
	free(root);
	assert_null(container_state__docker_root("{\"data-root\":\"\"}", 16));
	assert_null(container_state__docker_root("{}", 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(docker),
		cmocka_unit_test(bundle),
		cmocka_unit_test(listed),
		cmocka_unit_test(names_are_escaped),
		cmocka_unit_test(what_is_no_json),
		cmocka_unit_test(docker_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
