// SPDX-License-Identifier: GPL-2.0-only
/* See sbom.h. */
#include "user/cli/fleet/sbom.h"

#include <ctype.h>
#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "user/base/buffer.h"
#include "user/view/format/json.h"

static const char MEANING[] =
	"A component is listed because a file of it was seen mapped as executable code. This is "
	"evidence of use. A component that is not listed was not seen; that is no proof that it "
	"is absent or unused.";

enum column {
	KIND,
	OS,
	PACKAGE,
	VERSION,
	ARCHITECTURE,
	SOURCE,
	SOURCE_VERSION,
	BUILD_ID,
	COOKIE,
	PATH,
	HOST,
	FIRST,
	LAST,
	RUNNING,
	IN,
};

struct row {
	const struct database_answer *answer;
	size_t n;
};

static const char *cell(const struct row *row, enum column column)
{
	const char *text = database_answer__text(row->answer, row->n, column);

	return text ? text : "";
}

static void add_text(struct json_object *object, const char *key, const char *text)
{
	json_object_object_add(object, key, json_object_new_string(text));
}

static void add_property(struct json_object *properties, const char *name, const char *value)
{
	struct json_object *property = json_object_new_object();

	add_text(property, "name", name);
	add_text(property, "value", value);
	json_object_array_add(properties, property);
}

/* ---- Package URLs: https://github.com/package-url/purl-spec ---- */

static void put_encoded(struct buffer *out, const char *text)
{
	for (; *text; text++) {
		if (isalnum((unsigned char)*text) || strchr(".-_~", *text))
			buffer__u8(out, *text);
		else
			buffer__printf(out, "%%%02X", (unsigned char)*text);
	}
}

/* Returns the package type of the distribution, by ID of os-release(5). */
static const char *type_of(const struct row *row)
{
	static const char *const DEB[] = {"debian", "ubuntu", "raspbian", "linuxmint"};
	static const char *const RPM[] = {"fedora", "rhel", "centos", "rocky", "almalinux", "amzn",
		"ol", "sles", "opensuse-leap", "opensuse-tumbleweed", "azurelinux"};

	if (!strcmp(cell(row, KIND), "dpkg"))
		return "deb";
	if (!strcmp(cell(row, KIND), "rpm"))
		return "rpm";
	for (size_t i = 0; i < sizeof(DEB) / sizeof(DEB[0]); i++)
		if (!strcmp(cell(row, OS), DEB[i]))
			return "deb";
	for (size_t i = 0; i < sizeof(RPM) / sizeof(RPM[0]); i++)
		if (!strcmp(cell(row, OS), RPM[i]))
			return "rpm";
	return "generic";
}

/*
 * Adds the package URL. Returns 0 or -ENOMEM. The version of an rpm has its epoch before a colon;
 * in the URL the epoch is a qualifier at the end.
 */
static int add_purl(struct json_object *component, const struct row *row)
{
	const char *type = type_of(row), *os = cell(row, OS), *version = cell(row, VERSION);
	const char *epoch = strcmp(type, "rpm") ? NULL : strchr(version, ':');
	char separator = '?';
	struct buffer out;
	int code;

	/* Versions from the metadata of a file are untrusted. */
	if (epoch && (epoch == version || version + strspn(version, "0123456789") != epoch))
		epoch = NULL;
	buffer__init(&out, 0);
	buffer__printf(&out, "pkg:%s/", type);
	if (strcmp(type, "generic") != 0) {
		put_encoded(&out, *os ? os : !strcmp(type, "deb") ? "debian" : "redhat");
		buffer__u8(&out, '/');
	}
	put_encoded(&out, cell(row, PACKAGE));
	if (*version) {
		buffer__u8(&out, '@');
		put_encoded(&out, epoch ? epoch + 1 : version);
	}
	if (*cell(row, ARCHITECTURE)) {
		buffer__printf(&out, "%carch=", separator);
		put_encoded(&out, cell(row, ARCHITECTURE));
		separator = '&';
	}
	if (epoch)
		buffer__printf(&out, "%cepoch=%.*s", separator, (int)(epoch - version), version);
	buffer__u8(&out, '\0');
	code = out.error;
	if (!code)
		add_text(component, "purl", (const char *)out.data);
	buffer__free(&out);
	return code;
}

/* ---- Components ---- */

static bool is_same(const struct row *a, const struct row *b)
{
	static const enum column OF_PACKAGE[] = {KIND, OS, PACKAGE, VERSION, ARCHITECTURE};
	static const enum column OF_FILE[] = {PACKAGE, BUILD_ID, COOKIE, PATH};
	bool package = *cell(a, PACKAGE);
	const enum column *columns = package ? OF_PACKAGE : OF_FILE;
	size_t n = package ? sizeof(OF_PACKAGE) / sizeof(OF_PACKAGE[0])
			   : sizeof(OF_FILE) / sizeof(OF_FILE[0]);

	for (size_t i = 0; i < n; i++)
		if (strcmp(cell(a, columns[i]), cell(b, columns[i])) != 0)
			return false;
	return true;
}

static int add_occurrence(struct json_object *occurrences, const struct row *row)
{
	struct json_object *occurrence;
	struct buffer text;
	int code;

	buffer__init(&text, 0);
	buffer__printf(&text, "host %s", cell(row, HOST));
	if (*cell(row, IN))
		buffer__printf(&text, "; in %s", cell(row, IN));
	if (*cell(row, BUILD_ID))
		buffer__printf(&text, "; build-id %s", cell(row, BUILD_ID));
	else if (*cell(row, COOKIE))
		buffer__printf(&text, "; cookie %s", cell(row, COOKIE));
	buffer__printf(&text, "; first seen %s; last seen %s; %s", cell(row, FIRST),
		cell(row, LAST), *cell(row, RUNNING) == 't' ? "running" : "ended");
	buffer__u8(&text, '\0');
	code = text.error;
	if (!code) {
		occurrence = json_object_new_object();
		add_text(occurrence, "location", cell(row, PATH));
		add_text(occurrence, "additionalContext", (const char *)text.data);
		json_object_array_add(occurrences, occurrence);
	}
	buffer__free(&text);
	return code;
}

/* Returns the time in `before TIME' or `TIME', which sort alike. */
static const char *time_in(const char *text)
{
	return strncmp(text, "before ", strlen("before ")) ? text : text + strlen("before ");
}

static int describe(struct json_object *component, const struct row *row)
{
	if (!*cell(row, PACKAGE)) {
		add_text(component, "type", "file");
		add_text(component, "name", cell(row, PATH));
		return 0;
	}
	add_text(component, "type", "library");
	add_text(component, "name", cell(row, PACKAGE));
	if (*cell(row, VERSION))
		add_text(component, "version", cell(row, VERSION));
	return add_purl(component, row);
}

/* Adds the rows of one component, which begin at *@row. Sets *@row to the row behind them. */
static int add_component(struct json_object *components, struct row *row)
{
	struct json_object *component = json_object_new_object();
	struct json_object *properties = json_object_new_array();
	struct json_object *evidence = json_object_new_object();
	struct json_object *occurrences = json_object_new_array();
	const struct row begin = *row;
	const char *first = cell(row, FIRST), *last = cell(row, LAST);
	char reference[32];
	int code = describe(component, row);

	snprintf(reference, sizeof(reference), "component-%zu",
		json_object_array_length(components) + 1);
	add_text(component, "bom-ref", reference);
	for (; !code && row->n < row->answer->n_rows && is_same(&begin, row); row->n++) {
		if (strcmp(time_in(cell(row, FIRST)), time_in(first)) < 0)
			first = cell(row, FIRST);
		if (strcmp(cell(row, LAST), last) > 0)
			last = cell(row, LAST);
		code = add_occurrence(occurrences, row);
	}
	add_property(properties, "perfstamp:first-seen", first);
	add_property(properties, "perfstamp:last-seen", last);
	if (*cell(&begin, PACKAGE))
		add_property(properties, "perfstamp:package-known-by", cell(&begin, KIND));
	if (*cell(&begin, SOURCE))
		add_property(properties, "perfstamp:source-package", cell(&begin, SOURCE));
	if (*cell(&begin, SOURCE_VERSION))
		add_property(properties, "perfstamp:source-version", cell(&begin, SOURCE_VERSION));
	json_object_object_add(component, "properties", properties);
	json_object_object_add(evidence, "occurrences", occurrences);
	json_object_object_add(component, "evidence", evidence);
	json_object_array_add(components, component);
	return code;
}

static struct json_object *make_metadata(const char *now)
{
	struct json_object *metadata = json_object_new_object();
	struct json_object *phases = json_object_new_array(), *phase = json_object_new_object();
	struct json_object *tools = json_object_new_object(), *tool = json_object_new_object();
	struct json_object *all = json_object_new_array(), *properties = json_object_new_array();

	add_text(metadata, "timestamp", now);
	add_text(phase, "phase", "operations");
	json_object_array_add(phases, phase);
	json_object_object_add(metadata, "lifecycles", phases);
	add_text(tool, "type", "application");
	add_text(tool, "name", "perfstamp");
	add_text(tool, "version", PERFSTAMP_VERSION);
	json_object_array_add(all, tool);
	json_object_object_add(tools, "components", all);
	json_object_object_add(metadata, "tools", tools);
	add_property(properties, "perfstamp:meaning", MEANING);
	json_object_object_add(metadata, "properties", properties);
	return metadata;
}

int sbom__write(struct database *database, const struct database_answer *answer, FILE *out,
	struct error *err)
{
	struct json_object *bom, *components;
	struct row row = {.answer = answer};
	struct database_answer made;
	int code = database__ask(database,
		"SELECT 'urn:uuid:' || gen_random_uuid(), to_char(now() AT TIME ZONE 'UTC', "
		"'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')",
		NULL, 0, &made, err);

	if (code)
		return code;
	bom = json_object_new_object();
	components = json_object_new_array();
	add_text(bom, "$schema", "http://cyclonedx.org/schema/bom-1.6.schema.json");
	add_text(bom, "bomFormat", "CycloneDX");
	add_text(bom, "specVersion", "1.6");
	add_text(bom, "serialNumber", database_answer__text(&made, 0, 0));
	json_object_object_add(bom, "version", json_object_new_int(1));
	json_object_object_add(bom, "metadata", make_metadata(database_answer__text(&made, 0, 1)));
	while (!code && row.n < answer->n_rows)
		code = add_component(components, &row);
	json_object_object_add(bom, "components", components);
	if (!code)
		json__write_line(bom, out);
	else
		json_object_put(bom);
	database_answer__free(&made);
	return code;
}
