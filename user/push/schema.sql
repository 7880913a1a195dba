-- SPDX-License-Identifier: GPL-2.0-only
-- What `perfstamp push' fills and `perfstamp fleet' asks: docs/fleet.md. Applied as a whole in one
-- transaction, by the role that is to own it. A later version changes what is here by statements
-- of its own, and raises the number in perfstamp.version and SCHEMA_VERSION of
-- user/push/inventory.c.
CREATE SCHEMA perfstamp;

CREATE TABLE perfstamp.version (version integer NOT NULL);
INSERT INTO perfstamp.version VALUES (3);

CREATE TABLE perfstamp.hosts (
	host integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name text NOT NULL UNIQUE,
	newest bigint, -- its file that ends last
	newest_ends timestamptz,
	-- What adding up its files would give, which takes as long as there are files.
	files bigint NOT NULL DEFAULT 0,
	samples numeric NOT NULL DEFAULT 0,
	lost numeric NOT NULL DEFAULT 0 -- records and samples
);

CREATE TABLE perfstamp.files (
	file bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	host integer NOT NULL REFERENCES perfstamp.hosts,
	boot text NOT NULL, -- '' where the recording does not have it
	sha256 bytea NOT NULL,
	name text NOT NULL,
	number bigint, -- in a recording of several files
	begins timestamptz NOT NULL,
	ends timestamptz NOT NULL,
	clock_recorded boolean NOT NULL, -- otherwise times are derived from the file's own time
	complete boolean NOT NULL, -- false: damaged, or its recorder was killed
	kernel text NOT NULL,
	arch text NOT NULL,
	rung text NOT NULL,
	maps bigint NOT NULL,
	identified bigint NOT NULL,
	cookies bigint NOT NULL,
	samples bigint NOT NULL,
	lost_records bigint NOT NULL,
	lost_samples bigint NOT NULL,
	pushed timestamptz NOT NULL DEFAULT now(),
	UNIQUE (host, boot, sha256)
);
CREATE INDEX ON perfstamp.files (host, ends);

CREATE TABLE perfstamp.contents (
	content integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	build_id bytea NOT NULL, -- '' where there is none, as with the next two
	cookie bytea NOT NULL,
	reason text NOT NULL, -- why there is no build-id
	symbols boolean NOT NULL DEFAULT false, -- a host that has pushed it has a file of it
	UNIQUE (build_id, cookie, reason)
);
CREATE INDEX ON perfstamp.contents (content) WHERE NOT symbols;

-- Paths are longer than an index entry may be.
CREATE FUNCTION perfstamp.text_key(text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	AS $$ SELECT sha256(convert_to($1, 'UTF8')) $$;

CREATE TABLE perfstamp.paths (
	path_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	path text NOT NULL
);
CREATE UNIQUE INDEX ON perfstamp.paths (perfstamp.text_key(path));

-- Whose files contents are: by the metadata in the content itself, or by the package that owned its
-- path on a host that pushed it, when the file there had this content.
CREATE TABLE perfstamp.packages (
	content integer NOT NULL,
	kind text NOT NULL, -- note, dpkg, rpm
	os text NOT NULL, -- '' where it is not known, as with the next ones
	name text NOT NULL,
	version text NOT NULL,
	architecture text NOT NULL,
	source text NOT NULL, -- the source package
	source_version text NOT NULL, -- its version, which a binary rebuild (+b1) does not change
	PRIMARY KEY (content, kind, os, name, version, architecture)
);
CREATE INDEX ON perfstamp.packages (name, version);

-- Containers, and units of systemd on the host itself.
CREATE TABLE perfstamp.places (
	place integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	key bytea NOT NULL UNIQUE, -- a hash of the columns that follow
	label text NOT NULL, -- as `perfstamp list' shows it
	runtime text NOT NULL,
	id text NOT NULL,
	name text NOT NULL,
	image text NOT NULL,
	namespace text NOT NULL,
	pod text NOT NULL,
	unit text NOT NULL
);

-- One line of `perfstamp list' of one file. The day is that of the file's end.
CREATE TABLE perfstamp.sightings (
	day date NOT NULL,
	host integer NOT NULL,
	file bigint NOT NULL,
	first_seen timestamptz, -- NULL: before the recording began
	last_seen timestamptz NOT NULL,
	mappings bigint NOT NULL,
	samples bigint NOT NULL,
	content integer NOT NULL,
	path_id integer NOT NULL,
	processes integer NOT NULL,
	kernel boolean NOT NULL,
	alive boolean NOT NULL, -- when the file ended
	read_late boolean NOT NULL, -- the build-id is what perf read when its recording ended
	places integer[] NOT NULL
) PARTITION BY RANGE (day);
CREATE INDEX ON perfstamp.sightings (content, host);

-- The sightings of all files together: one row for a content at a path of a host.
CREATE TABLE perfstamp.runs (
	path_id integer NOT NULL,
	content integer NOT NULL,
	host integer NOT NULL,
	file bigint NOT NULL, -- the newest that has it
	ends timestamptz NOT NULL, -- of that
	first_seen timestamptz NOT NULL,
	last_seen timestamptz NOT NULL,
	processes integer NOT NULL, -- in the newest file
	earlier boolean NOT NULL, -- it was mapped before first_seen, when recording began
	kernel boolean NOT NULL,
	alive boolean NOT NULL, -- when the newest file ended
	places integer[] NOT NULL,
	PRIMARY KEY (path_id, content, host)
) WITH (fillfactor = 80);
CREATE INDEX ON perfstamp.runs (content, host);
CREATE INDEX ON perfstamp.runs (file);

-- How many hosts have each content: what counting them in runs would give, which takes seconds.
CREATE TABLE perfstamp.uses (
	content integer PRIMARY KEY,
	path_id integer NOT NULL, -- one of its paths
	hosts integer NOT NULL,
	running integer NOT NULL, -- when the newest files of these hosts ended
	last_seen timestamptz NOT NULL -- to the hour, so that not each file of each host writes here
) WITH (fillfactor = 70);

-- What `perfstamp replaced' reports of a file.
CREATE TABLE perfstamp.replacements (
	day date NOT NULL,
	host integer NOT NULL,
	file bigint NOT NULL,
	since timestamptz, -- NULL: before the recording began
	path_id integer NOT NULL,
	old integer NOT NULL,
	new integer, -- NULL: nothing is at the path, or it is not known
	kind text NOT NULL, -- replaced, gone, unlinked
	same_build_id boolean NOT NULL,
	processes integer NOT NULL,
	places integer[] NOT NULL
) PARTITION BY RANGE (day);
CREATE INDEX ON perfstamp.replacements (file);

CREATE TABLE perfstamp.modules (
	day date NOT NULL,
	host integer NOT NULL,
	file bigint NOT NULL,
	name text NOT NULL,
	path text NOT NULL, -- '': not known
	build_id bytea NOT NULL,
	loaded timestamptz, -- NULL: before the recording began
	unloaded timestamptz, -- NULL: it was still loaded
	state text NOT NULL, -- loaded, unloaded, init-failed
	inferred boolean NOT NULL
) PARTITION BY RANGE (day);
CREATE INDEX ON perfstamp.modules (file);

CREATE TABLE perfstamp.losses (
	day date NOT NULL,
	host integer NOT NULL,
	file bigint NOT NULL,
	cause text NOT NULL,
	n bigint NOT NULL,
	begins timestamptz NOT NULL,
	ends timestamptz NOT NULL
) PARTITION BY RANGE (day);
CREATE INDEX ON perfstamp.losses (file);

-- Makes the partitions of a day. It runs with the rights of the owner, so that who pushes does not
-- need them. A table is attached, not created as a partition, because that would wait for readers.
CREATE FUNCTION perfstamp.add_day(which date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = perfstamp, pg_temp AS $$
DECLARE
	parent text;
	part text;
BEGIN
	IF which < '2000-01-01' OR which > current_date + 366 THEN
		RAISE EXCEPTION 'a recording of %: is the clock of its host right?', which
			USING ERRCODE = 'datetime_field_overflow';
	END IF;
	PERFORM pg_advisory_xact_lock(hashtext('perfstamp.add_day'));
	FOREACH parent IN ARRAY '{sightings,replacements,modules,losses}'::text[] LOOP
		part := parent || '_' || to_char(which, 'YYYYMMDD');
		CONTINUE WHEN to_regclass('perfstamp.' || part) IS NOT NULL;
		EXECUTE format('CREATE TABLE perfstamp.%I (LIKE perfstamp.%I)', part, parent);
		EXECUTE format('ALTER TABLE perfstamp.%I ATTACH PARTITION perfstamp.%I FOR VALUES FROM (%L) TO (%L)',
			parent, part, which, which + 1);
	END LOOP;
END $$;

-- Removes what ended before a day: files with their sightings, and runs that no newer file has.
-- Returns how many files.
CREATE FUNCTION perfstamp.drop_before(which date) RETURNS bigint LANGUAGE plpgsql
	SET search_path = perfstamp, pg_temp AS $$
DECLARE
	part record;
	n bigint;
BEGIN
	-- Whoever pushes waits: `uses' is counted anew.
	PERFORM pg_advisory_xact_lock(hashtext('perfstamp.uses'));
	FOR part IN
		SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
		WHERE i.inhparent IN ('sightings'::regclass, 'replacements'::regclass,
			'modules'::regclass, 'losses'::regclass)
			AND right(c.relname, 8) < to_char(which, 'YYYYMMDD')
	LOOP
		EXECUTE format('DROP TABLE perfstamp.%I', part.relname);
	END LOOP;
	DELETE FROM runs WHERE ends < which::timestamp AT TIME ZONE 'UTC';
	UPDATE hosts SET newest = NULL, newest_ends = NULL
		WHERE newest_ends < which::timestamp AT TIME ZONE 'UTC';
	DELETE FROM files WHERE ends < which::timestamp AT TIME ZONE 'UTC';
	GET DIAGNOSTICS n = ROW_COUNT;
	UPDATE hosts h SET (files, samples, lost) = (SELECT count(*), coalesce(sum(f.samples), 0),
			coalesce(sum(f.lost_records::numeric + f.lost_samples), 0)
		FROM files f WHERE f.host = h.host);
	DELETE FROM uses;
	INSERT INTO uses (content, path_id, hosts, running, last_seen)
		SELECT content, min(path_id), count(*), count(*) FILTER (WHERE running), max(last_seen)
		FROM (SELECT r.content, r.host, min(r.path_id) AS path_id,
				bool_or(r.alive AND r.file = h.newest) AS running,
				date_trunc('hour', max(r.last_seen)) AS last_seen
			FROM runs r JOIN hosts h USING (host) GROUP BY r.content, r.host) u
		GROUP BY content;
	RETURN n;
END $$;

-- Takes a file whose rows stand in the temporary tables of the connection (`perfstamp push' makes
-- them), and returns its number, or NULL if it has been taken before. Each table of what files
-- share gets its new rows in order, so that two that push do not wait for each other in a circle.
CREATE FUNCTION perfstamp.add_file(of_host text, of_boot text, of_sha256 bytea, of_name text,
	of_number bigint, of_begins timestamptz, of_ends timestamptz, of_clock_recorded boolean,
	of_complete boolean, of_kernel text, of_arch text, of_rung text, of_maps bigint,
	of_identified bigint, of_cookies bigint, of_samples bigint, of_lost_records bigint,
	of_lost_samples bigint) RETURNS bigint LANGUAGE plpgsql
	-- Of few rows each is looked up in large tables, whatever the planner knows of these.
	SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
	SET search_path = perfstamp, pg_temp AS $$
DECLARE
	a_host integer;
	a_file bigint;
	is_newest boolean;
	ran integer[]; -- what the host ran when its newest file so far ended
	had integer[]; -- what it has had so far, of the file's contents
	a_day date := (of_ends AT TIME ZONE 'UTC')::date;
BEGIN
	SELECT host INTO a_host FROM hosts WHERE name = of_host;
	IF a_host IS NULL THEN
		INSERT INTO hosts (name) VALUES (of_host) ON CONFLICT DO NOTHING;
		SELECT host INTO a_host FROM hosts WHERE name = of_host;
	END IF;
	PERFORM pg_advisory_xact_lock_shared(hashtext('perfstamp.uses'));
	PERFORM FROM hosts WHERE host = a_host FOR NO KEY UPDATE;
	INSERT INTO files (host, boot, sha256, name, number, begins, ends, clock_recorded, complete,
			kernel, arch, rung, maps, identified, cookies, samples, lost_records, lost_samples)
		VALUES (a_host, of_boot, of_sha256, of_name, of_number, of_begins, of_ends,
			of_clock_recorded, of_complete, of_kernel, of_arch, of_rung, of_maps,
			of_identified, of_cookies, of_samples, of_lost_records, of_lost_samples)
		ON CONFLICT DO NOTHING RETURNING file INTO a_file;
	IF a_file IS NULL THEN
		RETURN NULL;
	END IF;

	INSERT INTO contents (build_id, cookie, reason)
		SELECT DISTINCT i.build_id, i.cookie, i.reason FROM pg_temp.in_contents i
		WHERE NOT EXISTS (SELECT FROM contents c WHERE c.build_id = i.build_id
			AND c.cookie = i.cookie AND c.reason = i.reason)
		ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING;
	INSERT INTO pg_temp.of_contents (n, content)
		SELECT i.n, c.content FROM pg_temp.in_contents i
		JOIN contents c USING (build_id, cookie, reason);
	PERFORM FROM pg_temp.in_contents i JOIN pg_temp.of_contents o USING (n)
		JOIN contents c USING (content) WHERE i.symbols AND NOT c.symbols
		ORDER BY c.content FOR NO KEY UPDATE OF c;
	UPDATE contents c SET symbols = true FROM pg_temp.in_contents i
		JOIN pg_temp.of_contents o USING (n)
		WHERE i.symbols AND c.content = o.content AND NOT c.symbols;

	INSERT INTO packages (content, kind, os, name, version, architecture, source, source_version)
		SELECT DISTINCT ON (o.content, i.kind, i.os, i.name, i.version, i.architecture)
			o.content, i.kind, i.os, i.name, i.version, i.architecture, i.source,
			i.source_version
		FROM pg_temp.in_packages i JOIN pg_temp.of_contents o ON o.n = i.content
		WHERE NOT EXISTS (SELECT FROM packages p WHERE p.content = o.content
			AND p.kind = i.kind AND p.os = i.os AND p.name = i.name
			AND p.version = i.version AND p.architecture = i.architecture)
		ORDER BY 1, 2, 3, 4, 5, 6 ON CONFLICT DO NOTHING;

	INSERT INTO pg_temp.of_paths (n, key) SELECT n, text_key(path) FROM pg_temp.in_paths;
	INSERT INTO paths (path)
		SELECT i.path FROM pg_temp.in_paths i JOIN pg_temp.of_paths o USING (n)
		WHERE NOT EXISTS (SELECT FROM paths p WHERE text_key(p.path) = o.key)
		ORDER BY o.key ON CONFLICT DO NOTHING;
	UPDATE pg_temp.of_paths o SET path_id = p.path_id FROM paths p WHERE text_key(p.path) = o.key;

	INSERT INTO pg_temp.of_places (n, key) SELECT n, text_key(
			jsonb_build_array(label, runtime, id, name, image, namespace, pod, unit)::text)
		FROM pg_temp.in_places;
	INSERT INTO places (key, label, runtime, id, name, image, namespace, pod, unit)
		SELECT DISTINCT o.key, i.label, i.runtime, i.id, i.name, i.image, i.namespace, i.pod,
			i.unit
		FROM pg_temp.in_places i JOIN pg_temp.of_places o USING (n)
		WHERE NOT EXISTS (SELECT FROM places p WHERE p.key = o.key)
		ORDER BY o.key ON CONFLICT DO NOTHING;
	UPDATE pg_temp.of_places o SET place = p.place FROM places p WHERE p.key = o.key;

	INSERT INTO pg_temp.of_sightings
		SELECT i.first_seen, i.last_seen, i.mappings, i.samples, c.content, p.path_id,
			i.processes, i.kernel, i.alive, i.read_late,
			ARRAY(SELECT o.place FROM unnest(i.places) n JOIN pg_temp.of_places o USING (n)
				ORDER BY 1)
		FROM pg_temp.in_sightings i JOIN pg_temp.of_contents c ON c.n = i.content
		JOIN pg_temp.of_paths p ON p.n = i.path;
	INSERT INTO sightings (day, host, file, first_seen, last_seen, mappings, samples, content,
			path_id, processes, kernel, alive, read_late, places)
		SELECT a_day, a_host, a_file, s.* FROM pg_temp.of_sightings s;
	SELECT newest_ends IS NULL OR newest_ends <= of_ends INTO is_newest FROM hosts WHERE host = a_host;
	ran := ARRAY(SELECT DISTINCT r.content FROM runs r JOIN hosts h ON r.file = h.newest
		WHERE h.host = a_host AND r.host = a_host AND r.alive);
	had := ARRAY(SELECT o.content FROM pg_temp.of_contents o
		WHERE EXISTS (SELECT FROM runs r WHERE r.content = o.content AND r.host = a_host));
	INSERT INTO runs AS r (path_id, content, host, file, ends, first_seen, last_seen, processes,
			earlier, kernel, alive, places)
		SELECT path_id, content, a_host, a_file, of_ends, min(coalesce(first_seen, of_begins)),
			max(last_seen), sum(processes), bool_or(first_seen IS NULL), bool_or(kernel),
			bool_or(alive), ((array_agg(places ORDER BY last_seen DESC))[1])::integer[]
		FROM (SELECT path_id, content, first_seen, last_seen, processes, kernel, alive,
			places::text AS places FROM pg_temp.of_sightings) s
		GROUP BY path_id, content
		ON CONFLICT (path_id, content, host) DO UPDATE SET
			first_seen = least(r.first_seen, EXCLUDED.first_seen),
			earlier = CASE WHEN EXCLUDED.first_seen < r.first_seen THEN EXCLUDED.earlier
				ELSE r.earlier END,
			last_seen = greatest(r.last_seen, EXCLUDED.last_seen),
			(file, ends, processes, kernel, alive, places) = (SELECT t.* FROM (VALUES
				(EXCLUDED.file, EXCLUDED.ends, EXCLUDED.processes, EXCLUDED.kernel,
					EXCLUDED.alive, EXCLUDED.places),
				(r.file, r.ends, r.processes, r.kernel, r.alive, r.places))
				AS t (file, ends, processes, kernel, alive, places)
				ORDER BY t.ends DESC, t.file DESC LIMIT 1);

	INSERT INTO replacements (day, host, file, since, path_id, old, new, kind, same_build_id,
			processes, places)
		SELECT a_day, a_host, a_file, i.since, p.path_id, o.content, n.content, i.kind,
			i.same_build_id, i.processes,
			ARRAY(SELECT o.place FROM unnest(i.places) n JOIN pg_temp.of_places o USING (n)
				ORDER BY 1)
		FROM pg_temp.in_replacements i JOIN pg_temp.of_paths p ON p.n = i.path
		JOIN pg_temp.of_contents o ON o.n = i.old
		LEFT JOIN pg_temp.of_contents n ON n.n = i.new;
	INSERT INTO modules (day, host, file, name, path, build_id, loaded, unloaded, state, inferred)
		SELECT a_day, a_host, a_file, i.* FROM pg_temp.in_modules i;
	INSERT INTO losses (day, host, file, cause, n, begins, ends)
		SELECT a_day, a_host, a_file, i.* FROM pg_temp.in_losses i;

	UPDATE hosts SET files = files + 1, samples = samples + of_samples,
			lost = lost + of_lost_records::numeric + of_lost_samples,
			newest = CASE WHEN is_newest THEN a_file ELSE newest END,
			newest_ends = CASE WHEN is_newest THEN of_ends ELSE newest_ends END
		WHERE host = a_host;

	-- Last, because all hosts write here, and in order. What has not changed is not written.
	INSERT INTO uses AS u (content, path_id, hosts, running, last_seen)
		SELECT content, coalesce(min(path_id), 0), CASE WHEN bool_or(seen) AND content <> ALL (had) THEN 1 ELSE 0 END,
			CASE WHEN NOT is_newest THEN 0
				ELSE bool_or(alive)::integer - (content = ANY (ran))::integer END,
			coalesce(date_trunc('hour', max(last_seen)), '-infinity')
		FROM (SELECT s.content, s.path_id, true AS seen, s.alive, s.last_seen
				FROM pg_temp.of_sightings s
			UNION ALL SELECT c, NULL, false, false, NULL FROM unnest(ran) c) s
		GROUP BY content ORDER BY content
		ON CONFLICT (content) DO UPDATE SET hosts = u.hosts + EXCLUDED.hosts,
			running = u.running + EXCLUDED.running,
			last_seen = greatest(u.last_seen, EXCLUDED.last_seen)
			WHERE EXCLUDED.hosts <> 0 OR EXCLUDED.running <> 0 OR EXCLUDED.last_seen > u.last_seen;
	RETURN a_file;
END $$;

CREATE FUNCTION perfstamp.labels(which integer[]) RETURNS text[] LANGUAGE sql STABLE
	AS $$ SELECT ARRAY(SELECT p.label FROM perfstamp.places p WHERE p.place = ANY (which) ORDER BY 1) $$;

CREATE FUNCTION perfstamp.images(which integer[]) RETURNS text[] LANGUAGE sql STABLE
	AS $$ SELECT ARRAY(SELECT DISTINCT p.image FROM perfstamp.places p
		WHERE p.place = ANY (which) AND p.image <> '' ORDER BY 1) $$;

-- Views: setup applies what follows again where the tables are there already. A view can only get
-- further columns, behind the others.

-- Who runs or ran what.
CREATE OR REPLACE VIEW perfstamp.running AS
	SELECT h.name AS host, p.path, encode(c.build_id, 'hex') AS build_id,
		encode(c.cookie, 'hex') AS cookie, c.reason,
		r.alive AND r.file = h.newest AS running, r.first_seen, r.earlier, r.last_seen,
		r.processes, perfstamp.labels(r.places) AS places,
		perfstamp.images(r.places) AS images, h.newest_ends AS as_of, r.kernel,
		r.content, r.path_id
	FROM perfstamp.runs r JOIN perfstamp.hosts h USING (host)
	JOIN perfstamp.contents c USING (content) JOIN perfstamp.paths p USING (path_id);

-- Which packages' files are or were mapped where: evidence of use. That a package is not here does
-- not prove that it is not used.
CREATE OR REPLACE VIEW perfstamp.packaged AS
	SELECT u.*, p.kind, p.os, p.name AS package, p.version, p.architecture, p.source,
		p.source_version
	FROM perfstamp.running u JOIN perfstamp.packages p USING (content);

-- The same, with what is of no known package, and each content of one: an installed one before what
-- its own metadata says.
CREATE OR REPLACE VIEW perfstamp.components AS
	SELECT u.*, coalesce(p.kind, '') AS kind, coalesce(p.os, '') AS os,
		coalesce(p.name, '') AS package, coalesce(p.version, '') AS version,
		coalesce(p.architecture, '') AS architecture, coalesce(p.source, '') AS source,
		coalesce(p.source_version, '') AS source_version
	FROM perfstamp.running u LEFT JOIN (SELECT DISTINCT ON (content) * FROM perfstamp.packages
		ORDER BY content, kind = 'note', kind, os, name, version, architecture) p USING (content)
	WHERE NOT u.kernel AND u.path LIKE '/%' AND (u.build_id <> '' OR u.cookie <> '');

-- Which hosts still run a build that was replaced, when their newest file ended.
CREATE OR REPLACE VIEW perfstamp.still_replaced AS
	SELECT h.name AS host, p.path, r.kind, encode(o.build_id, 'hex') AS old_build_id,
		encode(o.cookie, 'hex') AS old_cookie, encode(n.build_id, 'hex') AS new_build_id,
		encode(n.cookie, 'hex') AS new_cookie, r.same_build_id, r.since, r.processes,
		perfstamp.labels(r.places) AS places, h.newest_ends AS as_of, r.old, r.new, r.path_id,
		perfstamp.images(r.places) AS images
	FROM perfstamp.hosts h JOIN perfstamp.replacements r ON r.file = h.newest
		AND r.day = (h.newest_ends AT TIME ZONE 'UTC')::date
	JOIN perfstamp.paths p USING (path_id) JOIN perfstamp.contents o ON o.content = r.old
	LEFT JOIN perfstamp.contents n ON n.content = r.new;

-- Builds of which no host that pushed them has a file.
CREATE OR REPLACE VIEW perfstamp.without_symbols AS
	SELECT encode(c.build_id, 'hex') AS build_id, encode(c.cookie, 'hex') AS cookie, p.path,
		u.hosts, u.running, u.last_seen, c.content
	FROM perfstamp.contents c JOIN perfstamp.uses u USING (content)
	JOIN perfstamp.paths p USING (path_id)
	WHERE NOT c.symbols AND (c.build_id <> '' OR c.cookie <> '');

-- Build-ids of several contents.
CREATE OR REPLACE VIEW perfstamp.shared_build_ids AS
	SELECT encode(s.build_id, 'hex') AS build_id, s.contents, encode(c.cookie, 'hex') AS cookie,
		h.name AS host, p.path, r.alive AND r.file = h.newest AS running, r.last_seen
	FROM (SELECT build_id, count(DISTINCT cookie) AS contents FROM perfstamp.contents
		WHERE build_id <> '' AND cookie <> '' GROUP BY build_id
		HAVING count(DISTINCT cookie) > 1) s
	JOIN perfstamp.contents c USING (build_id) JOIN perfstamp.runs r USING (content)
	JOIN perfstamp.hosts h USING (host) JOIN perfstamp.paths p USING (path_id);
