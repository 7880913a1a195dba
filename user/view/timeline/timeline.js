// SPDX-License-Identifier: GPL-2.0-only
// The timeline's page: draws what is in #data (data.c). Times are ns since the
// beginning of the recording, null is before it. Whatever comes from the recording goes
// into the page as text, never as HTML.
"use strict";
(() => {
	const data = JSON.parse(document.getElementById("data").textContent);
	const span = Math.max(data.span, 1000);
	const LANES_MAX = 6, ROWS_FIRST = 60, DETAILS_MAX = 60, SAMPLES_A_BAR = 4;
	const $ = (id) => document.getElementById(id);
	const view = { from: 0, to: span };
	const rows = [];
	const onScreen = new Set();
	let focused = null, change = -1, mark = null, tab = "details";
	// Functions that are shown on the axis, and what they are called there; searched, or chosen.
	let hits = null, hitsName = "";

	const cursor = element("div", { id: "cursor", hidden: "" });
	const selection = element("div", { id: "select", hidden: "" });

	// ---- Text ----

	const HARMFUL = /[\\\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

	// What is shown of a text of the recording; where it was no UTF-8 it is escaped already.
	function shown(object, key) {
		const text = object[key];
		if (text === null || text === undefined) return "";
		if (object[key + "_hex"]) return text;
		return text.replace(HARMFUL, (c) => (c === "\\" ? "\\\\" : c === "\n" ? "\\n" :
			"\\u" + c.charCodeAt(0).toString(16).padStart(4, "0")));
	}

	const number = (n) => n.toLocaleString("en");
	const plural = (n, one, many) => number(n) + " " + (n === 1 ? one : many || one + "s");

	function duration(ns, step) {
		const negative = ns < 0;
		const fine = step === undefined ? span / 1000 : step;
		const digits = Math.max(0, Math.min(9, Math.ceil(9 - Math.log10(Math.max(fine, 1)))));
		// Rounded first: else a minute would have 60 seconds.
		let s = Math.round(Math.abs(ns) / 10 ** (9 - digits)) / 10 ** digits;
		const days = Math.floor(s / 86400);
		s -= days * 86400;
		const hours = Math.floor(s / 3600);
		s -= hours * 3600;
		const minutes = Math.floor(s / 60);
		s -= minutes * 60;
		let text = s.toFixed(digits);
		if (days || hours || minutes) {
			text = (s < 10 ? "0" : "") + text;
			text = days || hours ? hours + ":" + String(minutes).padStart(2, "0") + ":" + text
				: minutes + ":" + text;
			if (days) text = days + "d " + text;
		} else {
			text += " s";
		}
		return (negative ? "-" : "") + text;
	}

	function moment(ns) {
		if (ns === null || ns === undefined) return "before";
		if (data.wall_ms === null) return duration(ns);
		const wall = new Date(data.wall_ms + ns / 1e6);
		return duration(ns) + " · " + wall.toISOString().replace("T", " ").slice(0, 23) + "Z";
	}

	function element(name, attributes, ...children) {
		const node = document.createElement(name);
		for (const key in attributes || {}) node.setAttribute(key, attributes[key]);
		node.append(...children);
		return node;
	}

	function drawn(name, attributes, ...children) {
		const node = document.createElementNS("http://www.w3.org/2000/svg", name);
		for (const key in attributes || {}) node.setAttribute(key, attributes[key]);
		node.append(...children);
		return node;
	}

	// ---- Rows: what there is to draw ----

	// Each on the first lane that is free by then: what was mapped at once stands side by side.
	function pack(segments) {
		const ends = [];
		for (const s of segments) {
			let lane = ends.findIndex((end) => end <= s.from);
			if (lane < 0) lane = ends.length < LANES_MAX ? ends.push(0) - 1 : LANES_MAX - 1;
			ends[lane] = Math.max(ends[lane], s.to);
			s.lane = lane;
		}
		return Math.max(1, ends.length);
	}

	function peak(series) {
		let max = 0;
		for (let i = 1; i < series.length; i += 2) max = Math.max(max, series[i]);
		return max;
	}

	function addRow(group, row) {
		row.group = group;
		row.lanes = pack(row.segments);
		row.height = row.height || Math.max(20, row.lanes * 12 + 6);
		row.peak = row.peak || Math.max(1, ...row.segments.map((s) => peak(s.series || [])));
		row.changes = row.segments.flatMap((s) => (s.changes || []).map((t, i) => ({ t, to: s,
			from: s.replaced && s.replaced[i] >= 0 ? row.segments[s.replaced[i]] : null })));
		row.from = Math.min(...row.segments.map((s) => s.from), span);
		row.to = Math.max(...row.segments.map((s) => s.to), 0);
		row.text = row.text.toLowerCase();
		group.rows.push(row);
		rows.push(row);
	}

	const groups = [];
	function addGroup(title, note, first) {
		const group = { title, note, rows: [], first: first === undefined ? ROWS_FIRST : first };
		groups.push(group);
		return group;
	}

	const omitted = (n) => (n ? "; " + number(n) + " more are left out of this page" : "");

	function leftOut(key) {
		const n = data.left_out[key];
		return n ? omitted(n) + ", see perfstamp list" : "";
	}

	// Colours distinguish contents of one row, in order of appearance.
	function colours() {
		const known = new Map();
		return (id) => {
			if (!id) return "none";
			if (!known.has(id)) known.set(id, known.size % 8);
			return known.get(id);
		};
	}

	function pathName(text) {
		const at = text.lastIndexOf("/") + 1;
		return at > 0 && at < text.length ? [element("i", {}, text.slice(0, at)), element("b", {}, text.slice(at))]
			: [element("b", {}, text)];
	}

	const cgroupNames = new Map();

	const pairs = (list) => (list || []).reduce((all, t, i) => (i % 2 ? all[all.length - 1].push(t) : all.push([t]), all), []);

	// The parts of its lives in which a sighting was outdated.
	function overlap(lives, sighting) {
		const whole = lives.length ? lives : [[sighting.first || 0, sighting.last || 0]];
		return pairs(sighting.outdated).flatMap(([from, to]) => whole
			.map(([a, b]) => [Math.max(a, from), Math.min(b, to)]).filter(([a, b]) => a < b));
	}

	function sightingSegment(sighting, colour) {
		const id = sighting.kind === "cookie" ? "cookie:" + sighting.id : sighting.id || "";
		const notes = [];
		const lives = pairs(sighting.lives);
		if (sighting.replaces) notes.push(sighting.n_switches === 1 ? "replaces what was there"
			: `replaces what was there ${number(sighting.n_switches)} times`);
		const outdated = overlap(lives, sighting);
		if (outdated.length) notes.push("hatched: still running after another build replaced it");
		if (lives.length) notes.push(plural(lives.length + (sighting.merged || 0), "separate life", "separate lives") +
			(sighting.merged ? `, the ${number(sighting.merged)} shortest gaps are not shown` : ""));
		if (!id && sighting.why) notes.push(sighting.why);
		if (sighting.why === "header") notes.push("read when the recording ended");
		if (sighting.contents) notes.push(sighting.content ? `content ${sighting.content} of ${sighting.contents}`
			: `one of ${sighting.contents} contents`);
		if (sighting.alive) notes.push("still mapped at the end");
		const named = sighting.cgroups.map((c) => cgroupNames.get(c) || c);
		if (sighting.n_cgroups > named.length) named.push("…");
		return {
			from: sighting.first === null ? 0 : sighting.first,
			to: sighting.last === null ? 0 : sighting.last,
			before: sighting.first === null, after: sighting.alive,
			colour: colour(id), series: sighting.series, changes: sighting.switches, replaced: sighting.replaced, id,
			isBuildId: sighting.kind === "build-id",
			spans: lives, outdated, n_changes: sighting.n_switches || 0,
			cells: [id || "-", moment(sighting.first), moment(sighting.last), number(sighting.mappings),
				number(sighting.processes), number(sighting.samples), notes.join(", "), named.join(" ")],
		};
	}

	const SIGHTING_HEAD = ["identity", "first mapped", "last mapped", "mappings", "processes", "samples", "", "containers"];

	function addPaths(list, title, key) {
		if (!list.length) return;
		const changed = list.filter((p) => p.replacements).length;
		const group = addGroup(title, plural(list.length, key === "paths" ? "path" : "symbol") +
			(changed ? ", " + number(changed) + " with another content later" : "") + leftOut(key) +
			(key === "paths" && data.left_out.comparisons
				? "; " + plural(data.left_out.comparisons, "comparison") + " not shown" : ""),
		key === "paths" ? ROWS_FIRST : 0);
		for (const p of list) {
			const colour = colours(), name = shown(p, "path");
			const segments = p.sightings.map((s) => sightingSegment(s, colour));
			addRow(group, {
				name: pathName(name), title: name, segments, head: SIGHTING_HEAD,
				text: name + " " + segments.map((s) => s.id).join(" "),
				badge: p.replacements ? plural(p.replacements, "replacement") : "",
				says: plural(p.samples, "sample"), path: name,
				comparison: data.comparisons.find((c) => shown(c, "path") === name),
			});
		}
	}

	function lifeSegment(life, colour) {
		const notes = [];
		if (life.failed) notes.push("refused by its init function" + (life.errno ? " (error " + life.errno + ")" : ""));
		if (life.inferred) notes.push("time inferred");
		if (life.from_memory) notes.push("loaded from memory");
		if (!life.id && life.why) notes.push(life.why);
		if (life.alive) notes.push("loaded at the end");
		return {
			from: life.first === null ? 0 : life.first, to: Math.max(life.last, life.first || 0),
			before: life.first === null, after: life.alive, init: life.init,
			colour: life.failed ? "loss" : colour(life.id || life.path), changes: life.first !== null ? [life.first] : [], id: life.id || "",
			cells: [life.id || "-", moment(life.first), life.init === null ? "-" : moment(life.init),
				life.alive ? "-" : moment(life.last), number(life.samples), notes.join(", "), shown(life, "path")],
		};
	}

	const LIFE_HEAD = ["build-id", "loaded", "init returned", "unloaded", "samples", "", "file"];

	function addModules() {
		const names = new Map();
		for (const life of data.modules) {
			const name = shown(life, "name");
			if (!names.has(name)) names.set(name, []);
			names.get(name).push(life);
		}
		const moved = [], steady = [];
		for (const [name, lives] of names)
			(lives.every((l) => l.first === null && l.alive) ? steady : moved).push([name, lives]);
		const add = (group, list) => {
			for (const [name, lives] of list) {
				const colour = colours();
				const segments = lives.map((l) => lifeSegment(l, colour)).sort((a, b) => a.from - b.from);
				const loads = lives.filter((l) => l.first !== null).length;
				addRow(group, {
					name: pathName(name), title: name, segments, head: LIFE_HEAD,
					text: name + " " + lives.map((l) => (l.id || "") + " " + shown(l, "path")).join(" "),
					badge: loads ? plural(loads, "load") : "",
					says: plural(lives.length, "life", "lives"),
				});
			}
		};
		moved.sort((a, b) => a[0] < b[0] ? -1 : 1);
		steady.sort((a, b) => a[0] < b[0] ? -1 : 1);
		if (moved.length)
			add(addGroup("Kernel modules that came or went", plural(moved.length, "module") + leftOut("modules")), moved);
		if (steady.length)
			add(addGroup("Kernel modules that were there all the time",
				plural(steady.length, "module") + (moved.length ? "" : leftOut("modules")), 0), steady);
	}

	function addContainers() {
		// Without cgroups all is in the root.
		if (!data.cgroups.some((c) => c.label || c.path !== "/")) return;
		const group = addGroup("Containers", plural(data.cgroups.length, "cgroup") + ", " +
			number(data.cgroups.filter((c) => c.label).length) + " of known containers" + leftOut("cgroups"), 20);
		for (const c of data.cgroups) {
			const path = c.path === null ? "cgroup " + c.id : shown(c, "path");
			const name = c.label ? shown(c, "label") : path;
			const image = c.image ? shown(c, "image") : "";
			addRow(group, {
				name: c.label ? [element("b", {}, name)] : pathName(name), title: name,
				text: [name, path, image, c.id].join(" "), badge: "",
				says: plural(c.samples, "sample"), head: ["cgroup", "first seen", "last seen", "mappings", "samples", "path", "image"],
				segments: [{
					from: c.first === null ? 0 : c.first, to: c.last === null ? 0 : c.last,
					before: c.first === null, colour: 5, series: c.series, id: c.id,
					cells: [c.id, moment(c.first), moment(c.last), number(c.mappings), number(c.samples),
						c.label ? path : "", image],
				}],
			});
		}
	}

	function addCpus() {
		if (data.cpus.length < 2) return;
		const group = addGroup("CPUs", plural(data.cpus.length, "CPU") + " with samples, all at one scale" +
			omitted(data.left_out.cpus), 16);
		const most = Math.max(1, ...data.cpus.map((c) => peak(c.series)));
		const all = data.cpu_samples;
		for (const c of data.cpus) {
			const title = "CPU " + c.cpu;
			addRow(group, {
				name: [element("b", {}, title)], title, text: title, badge: "", peak: most,
				says: `${plural(c.samples, "sample")}, ${(100 * c.samples / all).toFixed(1)} % of all`,
				head: ["CPU", "samples", "share"],
				segments: [{ from: 0, to: span, colour: 2, series: c.series, bin: data.bin * 2 ** data.cpu_shift, id: "",
					cells: [String(c.cpu), number(c.samples), (100 * c.samples / all).toFixed(1) + " %"] }],
			});
		}
	}

	function addSamples() {
		const total = data.totals, all = total.user + total.kernel + total.other;
		const group = addGroup("Samples", "");
		const says = `${plural(all, "sample")}: ${number(total.user)} in user space, ${number(total.kernel)} in the kernel` +
			(total.other ? ", " + number(total.other) + " elsewhere" : "");
		addRow(group, {
			name: [element("span", { class: "key cuser", style: "background:var(--user)" }), "user space ",
				element("span", { class: "key ckernel", style: "background:var(--kernel)" }), "kernel"],
			title: "Samples", text: "samples", badge: "", says, height: 72, segments: [], stack: true,
			head: ["", "samples"],
		});
		if (!data.losses.length && !data.n_lost) return;
		const segments = data.losses.map((l) => ({
			from: l.first || 0, to: Math.max(l.last || 0, l.first || 0), colour: "loss", id: "",
			cells: [shown(l, "cause"), number(l.count), moment(l.first), moment(l.last)],
		}));
		if (!segments.length)
			segments.push({ from: 0, to: span, colour: "none", series: data.lost, id: "",
				cells: ["told by LOST records", number(data.n_lost), "", ""] });
		addRow(addGroup("Losses", ""), {
			name: [element("b", {}, "lost")], title: "Losses", text: "losses lost",
			badge: plural(data.n_lost, "record"), says: plural(data.n_lost, "lost record"),
			segments, head: ["cause", "count", "after", "before"],
		});
	}

	// ---- Drawing ----

	const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

	function ticks(width) {
		const least = (view.to - view.from) / Math.max(1, width / 110) / 1e9;
		let step = STEPS.find((s) => s >= least);
		if (least < 1) {
			const power = 10 ** Math.floor(Math.log10(least));
			step = [1, 2, 5, 10].find((m) => m * power >= least) * power;
		} else if (!step) {
			step = Math.ceil(least / 86400) * 86400;
		}
		const list = [], ns = step * 1e9;
		for (let t = Math.ceil(view.from / ns) * ns; t <= view.to && list.length < 50; t += ns) list.push(t);
		return { list, ns };
	}

	const scale = (width) => (t) => (t - view.from) / (view.to - view.from) * width;

	function drawSegment(s, row, x, width) {
		const left = Math.max(-4, x(s.from)), right = Math.min(width + 4, x(s.to));
		const top = 3 + s.lane * 12, height = Math.min(row.height, (row.lanes > 1 ? 12 : row.height - 3)) - 3;
		if (right < 0 || left > width) return null;
		const group = drawn("g", { class: "seg" }, drawn("title", {}, s.cells.filter((c) => c).join("\n")));
		const bar = (what, [from, to]) => {
			const a = Math.max(-4, x(from)), b = Math.min(width + 4, x(to));
			if (b >= 0 && a <= width)
				group.append(drawn("rect", { class: what, x: a, y: top, width: Math.max(2, b - a), height,
					rx: s.before || s.after ? 0 : 2 }));
		};
		if (s.spans && s.spans.length) {
			group.append(drawn("line", { class: "gap c" + s.colour, x1: left, x2: right, y1: top + height / 2, y2: top + height / 2 }));
			for (const span of s.spans) bar("bar c" + s.colour, span);
		} else {
			bar("bar c" + s.colour, [s.from, s.to]);
		}
		if (s.init !== undefined && s.init !== null && x(s.init) > left)
			group.append(drawn("rect", { class: "init c" + s.colour, x: left, y: top + height / 3, width: Math.max(1, x(s.init) - left), height: height / 3 }));
		let path = "";
		for (let i = 0; i < (s.series || []).length; i += 2) {
			const bin = s.bin || data.bin, a = x(s.series[i] * bin), b = x((s.series[i] + 1) * bin);
			if (b < 0 || a > width) continue;
			const h = Math.max(1, s.series[i + 1] / row.peak * height);
			path += `M${Math.max(a, -4).toFixed(1)} ${top + height}v${(-h).toFixed(1)}h${Math.max(1, Math.min(b, width + 4) - Math.max(a, -4)).toFixed(1)}v${h.toFixed(1)}z`;
		}
		if (path) group.append(drawn("path", { class: "area c" + s.colour, d: path }));
		for (const span of s.outdated || []) bar("outdated", span);
		for (const c of row.changes) {
			const at = x(c.t);
			if (c.to !== s || at < 0 || at > width) continue;
			const node = drawn("g", { class: "change" }, drawn("title", {}, moment(c.t) + "\n" + changeName(c)),
				drawn("rect", { class: "near", x: at - 6, y: top - 4, width: 12, height: height + 6 }),
				drawn("path", { class: "mark", d: `M${at} ${top - 2}v${height + 4}M${at} ${top - 3}l3.5 3.5l-3.5 3.5l-3.5 -3.5z` }));
			node.addEventListener("click", () => showChange(row, c));
			group.append(node);
		}
		return group;
	}

	const shortId = (s) => (s.id ? s.id.slice(0, s.id.startsWith("cookie:") ? 19 : 12) : "no identity");
	const changeName = (c) => (c.from ? shortId(c.from) + " → " : "") + shortId(c.to);

	// So few samples that each would be a line of its own are put together.
	function joined(factor) {
		const all = {};
		for (const kind of ["user", "kernel", "other"]) {
			const sums = new Map(), list = data.samples[kind];
			for (let i = 0; i < list.length; i += 2) {
				const bin = Math.floor(list[i] / factor);
				sums.set(bin, (sums.get(bin) || 0) + list[i + 1]);
			}
			all[kind] = sums;
		}
		return all;
	}

	function drawStack(svg, row, x, width) {
		const kinds = ["user", "kernel", "other"], sums = new Map(), total = data.totals;
		const bins = Math.max(1, span / data.bin), each = (total.user + total.kernel + total.other) / bins;
		const factor = Math.min(16, 2 ** Math.max(0, Math.ceil(Math.log2(SAMPLES_A_BAR / Math.max(each, 0.01)))));
		const samples = joined(factor), wide = data.bin * factor;
		for (const kind of kinds)
			for (const [bin, count] of samples[kind]) sums.set(bin, (sums.get(bin) || 0) + count);
		const max = Math.max(1, ...sums.values()), base = new Map(), floor = row.height - 2;
		for (const kind of kinds) {
			let path = "";
			for (const [bin, count] of samples[kind]) {
				const h = count / max * (row.height - 8);
				const from = base.get(bin) || 0, a = x(bin * wide), b = x((bin + 1) * wide);
				base.set(bin, from + h);
				if (b < 0 || a > width) continue;
				path += `M${a.toFixed(1)} ${(floor - from).toFixed(1)}v${(-h).toFixed(1)}h${Math.max(0.6, b - a).toFixed(1)}v${h.toFixed(1)}z`;
			}
			if (path) svg.append(drawn("path", { class: "area c" + kind, d: path }));
		}
	}

	// An empty row would seem to have nothing at all.
	function drawOutside(svg, row, width) {
		if (row.segments.some((s) => s.to >= view.from && s.from <= view.to)) return;
		const y = row.height / 2 + 4;
		if (row.segments.some((s) => s.to < view.from))
			svg.append(drawn("text", { class: "outside", x: 4, y }, "◀ earlier"));
		if (row.segments.some((s) => s.from > view.to))
			svg.append(drawn("text", { class: "outside", x: width - 4, y, "text-anchor": "end" }, "later ▶"));
	}

	function drawRow(row) {
		const svg = row.svg, width = svg.clientWidth || 800, x = scale(width);
		svg.replaceChildren();
		svg.setAttribute("viewBox", `0 0 ${width} ${row.height}`);
		for (const t of ticks(width).list)
			svg.append(drawn("line", { class: "grid", x1: x(t), x2: x(t), y1: 0, y2: row.height }));
		for (const loss of data.losses) {
			const a = x(loss.first || 0), b = x(loss.last || 0);
			if (b >= 0 && a <= width)
				svg.append(drawn("rect", { class: "loss", x: a, y: 0, width: Math.max(1, b - a), height: row.height }));
		}
		if (row.stack) drawStack(svg, row, x, width);
		for (const s of row.segments) {
			const node = drawSegment(s, row, x, width);
			if (node) svg.append(node);
		}
		drawOutside(svg, row, width);
	}

	// The recording's clock, as report --time takes it.
	const clock = (ns) => ((data.begin + ns) / 1e9).toFixed(6);

	function drawAxis() {
		const svg = $("axis").querySelector("svg"), width = svg.clientWidth || 800, x = scale(width);
		const { list, ns } = ticks(width);
		svg.replaceChildren();
		for (const t of list)
			svg.append(drawn("line", { x1: x(t), x2: x(t), y1: 16, y2: 22 }),
				drawn("text", { x: x(t), y: 12, "text-anchor": x(t) < 20 ? "start" : x(t) > width - 20 ? "end" : "middle" }, duration(t, ns)));
		$("window").textContent = view.from === 0 && view.to === span ? "all " + duration(span)
			: duration(view.from) + " to " + duration(view.to);
		$("range").textContent = view.from === 0 && view.to === span ? ""
			: `report --time ${clock(view.from)},${clock(view.to)}`;
	}

	let asked = false;
	function draw() {
		if (asked) return;
		asked = true;
		requestAnimationFrame(() => {
			asked = false;
			drawAxis();
			for (const row of onScreen) drawRow(row);
			drawFunctions();
			cursor.hidden = true;
			if (mark !== null) showCursor(mark);
		});
	}

	// ---- Functions ----

	let functions = null;

	function drawFunctions() {
		if (!functions) return;
		functions.look(view.from, view.to);
		if (tab === "flame") functions.drawFlame();
		if (tab === "functions") functions.drawTable();
		$("says").textContent = tab === "details" ? "" : functions.says();
		drawHeat();
	}

	// When the functions that are searched for had samples: their share of each time.
	function drawHeat() {
		$("heat").hidden = !hits;
		if (!hits) return;
		const svg = $("heat").querySelector("svg"), width = svg.clientWidth || 800, x = scale(width);
		const joined = functions.joined();
		const bins = [...joined.bins].map(([bin, [part, all]]) => [bin, part / all]).filter(([, share]) => share);
		const most = Math.max(...bins.map(([, share]) => share), 0.0001);
		let path = "";
		for (const [bin, share] of bins) {
			const a = Math.max(-2, x(bin * joined.width)), b = Math.min(width + 2, x((bin + 1) * joined.width));
			if (b < 0 || a > width) continue;
			const h = Math.max(1, share / most * 22);
			path += `M${a.toFixed(1)} 24v${(-h).toFixed(1)}h${Math.max(0.8, b - a).toFixed(1)}v${h.toFixed(1)}z`;
		}
		svg.setAttribute("viewBox", `0 0 ${width} 24`);
		svg.replaceChildren(drawn("path", { d: path }));
		const label = `${hitsName}: ${functions.share()}, at most ${(100 * most).toFixed(0)} %`;
		$("heat").querySelector("span").textContent = label;
		$("heat").title = "Share of the samples in each time; " + label;
	}

	function setHits(found, name) {
		hits = found && found.size ? found : null;
		hitsName = name;
		functions.state.hits = hits;
	}

	// A function that was chosen in the graph or the table; null: all again.
	function chosen(found) {
		setHits(found, found ? functions.name([...found][0]) : "");
		draw();
	}

	// Those of a series are of several files.
	const fileName = () => (data.n_files > 1 ? "FILE" : /^[\w./:@%+=-]+$/.test(shown(data, "name")) ? shown(data, "name") : "FILE");

	// What a change was, and how its builds are compared.
	function aboutChange(row, c) {
		const nodes = [element("h3", {}, (c.from ? "Replaced" : "Loaded") + " at " + moment(c.t)),
			element("p", {}, ...(c.from ? [...identity(c.from.id), " → ", ...identity(c.to.id)] : identity(c.to.id || "no identity")))];
		const isCompared = row.comparison && c.from && row.comparison.before === c.from.id && row.comparison.after === c.to.id;
		if (isCompared) nodes.push(element("p", {}, "What changed, by function, is below."));
		else if (c.from && c.from.isBuildId && c.to.isBuildId)
			nodes.push(element("p", {}, "What changed, by function: ", element("code", { class: "command" },
				`perfstamp diff --before build-id=${c.from.id} --after build-id=${c.to.id} ${fileName()}`)));
		return nodes;
	}

	function showChange(row, c) {
		change = changes().findIndex((other) => other.row === row && other.c === c);
		row.node.focus({ preventScroll: true });
		mark = c.t;
		showCursor(c.t);
		showDetails(row, c);
		$("found").textContent = `change ${change + 1} of ${changes().length}, at ${moment(c.t)}: ${changeName(c)}`;
	}

	// ---- The panel ----

	function showTab(name) {
		tab = name;
		for (const other of ["details", "flame", "functions"]) {
			const button = $("tab-" + other);
			button.setAttribute("aria-selected", String(other === name));
			button.tabIndex = other === name ? 0 : -1;
			$(button.getAttribute("aria-controls")).hidden = other !== name;
		}
		$("inverted").hidden = name !== "flame" || !functions.chains;
		$("of").hidden = name === "details" || $("container").options.length < 2;
		drawFunctions();
	}

	function invert() {
		functions.invert(!functions.state.inverted);
		$("inverted").setAttribute("aria-pressed", String(functions.state.inverted));
		draw();
	}

	function makePanel() {
		const tabs = ["details", "flame", "functions"];
		if (data.functions) {
			functions = functionsOf(data, { element, shown, number, plural, duration, chosen, least: SAMPLES_A_BAR });
			$("flame-view").append(functions.tree);
			if (functions.rest) $("flame-view").append(element("p", {},
				`${plural(functions.rest, "sample")} of ${number(functions.all)} are in functions with too few samples for this page: they are “rest” of their caller.`));
			if (!functions.chains) $("flame-view").append(element("p", {},
				"The samples have no call chains, which record -g records: the graph has one level."));
			$("functions-view").append(functions.table);
			for (const name of ["flame", "functions"]) $("tab-" + name).hidden = false;
			const known = functions.cgroups.map((id, i) => ({ i, name: cgroupNames.get(id) || "cgroup " + id, n: functions.samplesOf(i) }))
				.sort((a, b) => b.n - a.n).slice(0, 200);
			if (known.length > 1)
				for (const c of known) $("container").append(element("option", { value: String(c.i) }, c.name));
			$("container").addEventListener("change", () => {
				functions.state.cgroup = Number($("container").value);
				functions.state.root = -1;
				draw();
			});
		}
		$("inverted").addEventListener("click", invert);
		for (const name of tabs) {
			$("tab-" + name).addEventListener("click", () => showTab(name));
			$("tab-" + name).addEventListener("keydown", (event) => {
				const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key], there = tabs.filter((t) => !$("tab-" + t).hidden);
				if (!by) return;
				const next = there[(there.indexOf(name) + by + there.length) % there.length];
				showTab(next);
				$("tab-" + next).focus();
				event.preventDefault();
				event.stopPropagation();
			});
		}
		$("larger").addEventListener("click", () => {
			const tall = $("panel").classList.toggle("tall");
			$("larger").setAttribute("aria-pressed", String(tall));
		});
		$("panel").hidden = false;
	}

	// ---- The window of time ----

	function look(from, to) {
		const least = Math.max(1000, data.bin / 1000);
		const wide = Math.min(span, Math.max(least, to - from));
		view.from = Math.min(Math.max(0, from), span - wide);
		view.to = view.from + wide;
		draw();
	}

	function zoom(factor, at) {
		const seen = mark !== null && mark >= view.from && mark <= view.to;
		const centre = at !== undefined ? at : seen ? mark : (view.from + view.to) / 2;
		look(centre - (centre - view.from) * factor, centre + (view.to - centre) * factor);
	}

	const pan = (part) => look(view.from + (view.to - view.from) * part, view.to + (view.to - view.from) * part);

	// ---- Rows in the page ----

	const watcher = new IntersectionObserver((entries) => {
		for (const entry of entries) {
			const row = entry.target.row;
			if (entry.isIntersecting) {
				onScreen.add(row);
				drawRow(row);
			} else {
				onScreen.delete(row);
			}
		}
	}, { root: $("main"), rootMargin: "200px" });

	function makeRow(row) {
		row.svg = drawn("svg", { class: "plot", height: row.height, preserveAspectRatio: "none", "aria-hidden": "true" });
		const label = element("div", { class: "label" }, element("span", { class: "name", title: row.title }, ...row.name));
		if (row.badge) label.append(element("span", { class: "badge" + (row.changes.length ? " change" : "") }, row.badge));
		row.node = element("li", { class: "row", tabindex: "-1",
			"aria-label": [row.title, row.badge, row.says].filter((t) => t).join(", ") }, label, row.svg);
		row.node.row = row;
		row.node.addEventListener("focus", () => focusRow(row));
		row.node.addEventListener("mouseenter", () => { if (!focused) showDetails(row); });
		return row.node;
	}

	function showGroups(wanted) {
		const main = $("rows");
		watcher.disconnect();
		onScreen.clear();
		main.querySelectorAll("section").forEach((node) => node.remove());
		let found = 0;
		const paths = functions && hits && wanted ? functions.paths(hits) : new Set();
		for (const row of rows) row.visible = false;
		change = -1;
		mark = null;
		for (const group of groups) {
			const matching = wanted ? group.rows.filter((r) => wanted.every((w) => r.text.includes(w)) || paths.has(r.path) || (paths.size && r.stack)) : group.rows;
			found += matching.filter((r) => !paths.size || !r.stack).length;
			if (!matching.length) continue;
			const list = element("ul", {}), limit = group.open || wanted ? 500 : group.first;
			const section = element("section", { "aria-label": group.title },
				element("h2", {}, group.title + " ", element("small", {}, group.note)), list);
			for (const row of matching.slice(0, limit)) {
				row.visible = true;
				list.append(row.node || makeRow(row));
				watcher.observe(row.node);
			}
			if (matching.length > limit) {
				const most = limit >= 500 ? 5000 : 500;
				const button = element("button", { class: "more" }, matching.length <= most ? "Show all " + number(matching.length)
					: "Show " + number(most) + " of " + number(matching.length));
				button.addEventListener("click", () => {
					for (const row of matching.slice(limit, most)) {
						row.visible = true;
						list.append(row.node || makeRow(row));
						watcher.observe(row.node);
					}
					group.open = true;
					button.remove();
				});
				section.append(button);
			}
			main.append(section);
		}
		$("found").textContent = !wanted ? "" : !found && !hits ? "nothing found"
			: [found ? plural(found, "row") : "", hits ? hitsName : ""].filter((t) => t).join(", ");
		const first = main.querySelector(".row");
		if (first) first.tabIndex = 0;
		draw();
	}

	function hint() {
		$("details").replaceChildren(element("p", {}, "Point at a row, or go to one with the arrow keys, for its details."));
	}

	// The first digits are enough to tell builds apart; all of them are copied.
	function identity(text) {
		const match = /^((?:cookie:)?[0-9a-f]{12})[0-9a-f]+$/.exec(text);
		if (!match) return [element("code", {}, text)];
		const button = element("button", { title: "Copy " + text }, "Copy");
		button.addEventListener("click", () => {
			navigator.clipboard.writeText(text).then(() => { button.textContent = "Copied"; },
				() => { button.previousSibling.textContent = text; });
		});
		return [element("code", { title: text }, match[1]), button];
	}

	// What a replacement changed, by function; shares of all samples of each side.
	function comparisonOf(c) {
		const body = element("tbody", {});
		const percent = (share) => (100 * share).toFixed(2);
		const signed = (share) => (share < 0 ? "" : "+") + percent(share);
		for (const f of c.functions) {
			const notes = [];
			if (f.kind === "moved") notes.push("moved from " + shown(f, "dso_before"));
			else if (f.kind === "inlined") notes.push("now inlined into " + shown(f, "into"));
			else if (f.kind === "outlined") notes.push("no longer inlined into " + shown(f, "into"));
			else if (f.kind) notes.push(f.kind + (f.maybe_renamed ? `; renamed: ${shown(f, "maybe_renamed")}?` : ""));
			body.append(element("tr", { class: f.marked ? "marked" : "" }, ...[f.marked ? "*" : "",
				f.samples_before ? percent(f.before) + " %" : "-", f.samples_after ? percent(f.after) + " %" : "-",
				signed(f.change), `[${signed(f.low)}, ${signed(f.high)}]`, shown(f, "dso") || "",
				f.symbol === null ? "[no symbols]" : shown(f, "symbol"), notes.join(", ")]
				.map((cell) => element("td", {}, cell))));
		}
		return [element("h3", {}, `What changed from ${c.before.slice(0, 12)} to ${c.after.slice(0, 12)}`),
			element("p", {}, `Shares of the ${c.event} samples of the processes that ran each build ` +
				`(${number(c.samples_before)} and ${number(c.samples_after)}). * marks more than chance: ` +
				`${number(c.marked)} of ${plural(c.tested, "function")} with enough samples` + omitted(c.functions_left_out) + ". See perfstamp diff."),
			element("table", { class: "comparison" }, element("thead", {}, element("tr", {},
				...["", "before", "after", "change", "95 % interval", "DSO", "function", ""].map((h) => element("th", {}, h)))), body)];
	}

	function showDetails(row, c) {
		const box = $("details"), body = element("tbody", {});
		const near = row.segments.filter((s) => s.to >= view.from && s.from <= view.to);
		for (const s of near.slice(0, DETAILS_MAX)) {
			const line = element("tr", {});
			s.cells.forEach((cell, i) => line.append(element("td", {}, ...(i === 0 ? identity(cell) : [cell]))));
			line.firstChild.prepend(element("span", { class: "key", style: `background:var(--${s.colour === "none" ? "other" : s.colour === "loss" ? "loss" : "c" + s.colour})` }));
			body.append(line);
		}
		box.replaceChildren(element("h3", {}, row.title), element("p", {}, row.says +
			(near.length > DETAILS_MAX ? `; the first ${DETAILS_MAX} of ${number(near.length)} in this time` : "")));
		if (near.length)
			box.append(element("table", {}, element("thead", {}, element("tr", {}, ...row.head.map((h) => element("th", {}, h)))), body));
		if (c) box.prepend(...aboutChange(row, c));
		else box.append(...row.changes.filter((other) => other.from).slice(-1).flatMap((other) => aboutChange(row, other)));
		if (row.comparison) box.append(...comparisonOf(row.comparison));
	}

	function focusRow(row) {
		if (focused && focused.node) focused.node.tabIndex = -1;
		focused = row;
		row.node.tabIndex = 0;
		// A time that is brushed begins in a row, too.
		if (dragFrom === null && tab !== "details") showTab("details");
		showDetails(row);
	}

	function step(by) {
		const nodes = [...$("rows").querySelectorAll(".row")];
		const at = focused ? nodes.indexOf(focused.node) : -1;
		const next = nodes[Math.min(nodes.length - 1, Math.max(0, at + by))];
		if (next) next.focus();
	}

	// ---- From change to change ----

	const changes = () => rows.filter((r) => r.visible).flatMap((r) => r.changes.map((c) => ({ c, t: c.t, row: r })))
		.sort((a, b) => a.t - b.t);

	function nextChange(by) {
		const list = changes();
		if (!list.length) {
			$("found").textContent = "nothing was replaced or reloaded";
			return;
		}
		change = (change + by + list.length) % list.length;
		const { t, row, c } = list[change];
		if (t < view.from || t > view.to) look(t - (view.to - view.from) / 2, t + (view.to - view.from) / 2);
		row.node.scrollIntoView({ block: "center" });
		showChange(row, c);
	}

	// ---- Mouse ----

	let dragFrom = null;

	// Where the plots are, in #rows.
	function plotBox() {
		const svg = $("axis").querySelector("svg").getBoundingClientRect(), main = $("rows").getBoundingClientRect();
		return { left: svg.left, width: svg.width, offset: svg.left - main.left };
	}

	const timeAt = (clientX, box) => view.from + (clientX - box.left) / box.width * (view.to - view.from);

	function showCursor(t) {
		const box = plotBox();
		cursor.style.left = box.offset + scale(box.width)(t) + "px";
		cursor.hidden = t < view.from || t > view.to;
	}

	function onMove(event) {
		const box = plotBox(), x = Math.min(Math.max(event.clientX, box.left), box.left + box.width);
		if (event.clientX < box.left && dragFrom === null) {
			cursor.hidden = true;
			return;
		}
		showCursor(timeAt(x, box));
		$("window").textContent = moment(timeAt(x, box));
		if (dragFrom === null) return;
		selection.hidden = false;
		selection.style.left = Math.min(dragFrom, x) - box.left + box.offset + "px";
		selection.style.width = Math.abs(x - dragFrom) + "px";
	}

	function onUp(event) {
		if (dragFrom === null) return;
		const box = plotBox(), from = dragFrom;
		dragFrom = null;
		selection.hidden = true;
		if (Math.abs(event.clientX - from) < 4) {
			if (focused) showTab("details");
			return;
		}
		const a = timeAt(Math.min(from, event.clientX), box), b = timeAt(Math.max(from, event.clientX), box);
		look(a, b);
	}

	function onWheel(event) {
		if (!event.ctrlKey) return;
		event.preventDefault();
		zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event.clientX, plotBox()));
	}

	// ---- Keys ----

	function onKey(event) {
		const inSearch = event.target === $("search");
		if (event.target.tagName === "SELECT") return;
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		if (event.key === "Escape") {
			$("search").value = "";
			if (functions) {
				setHits(null, "");
				functions.state.root = -1;
			}
			showGroups(null);
			hint();
			focused = null;
			return;
		}
		if (inSearch) {
			if (event.key === "ArrowDown" || event.key === "Enter") {
				event.preventDefault();
				focused = null;
				step(1);
			}
			return;
		}
		const actions = {
			ArrowDown: () => step(1), ArrowUp: () => step(-1), j: () => step(1), k: () => step(-1),
			ArrowLeft: () => pan(-0.25), ArrowRight: () => pan(0.25),
			"+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), 0: () => look(0, span),
			n: () => nextChange(1), N: () => nextChange(-1), "/": () => $("search").focus(),
			f: () => {
				if (!functions) return;
				showTab("flame");
				functions.tree.querySelector("[tabindex='0']").focus();
			},
			c: () => {
				if (!$("inverted").hidden) invert();
			},
		};
		if (event.key === "Enter" && focused && event.target === focused.node)
			look(focused.from - (focused.to - focused.from) * 0.05, focused.to + (focused.to - focused.from) * 0.05);
		else if (actions[event.key]) actions[event.key]();
		else return;
		event.preventDefault();
	}

	// ---- Start ----

	function start() {
		for (const c of data.cgroups)
			if (c.label || c.path !== null) cgroupNames.set(c.id, shown(c, c.label ? "label" : "path"));
		addSamples();
		addContainers();
		addCpus();
		addPaths(data.paths, "Files", "paths");
		addModules();
		addPaths(data.symbols, "BPF programs and trampolines", "symbols");
		const facts = [shown(data, "host"), data.release && "Linux " + shown(data, "release"),
			data.wall_ms !== null && "from " + new Date(data.wall_ms).toISOString().replace("T", " ").slice(0, 19) + " UTC",
			duration(span), plural(data.totals.user + data.totals.kernel + data.totals.other, "sample"),
			plural(data.paths.length, "path"), plural(data.paths.reduce((n, p) => n + p.replacements, 0), "replacement"),
			data.n_lost ? plural(data.n_lost, "lost record") : "nothing lost"];
		$("facts").textContent = facts.filter((f) => f).join(" · ");
		if (data.problem) {
			$("problem").textContent = shown(data, "problem");
			$("problem").hidden = false;
		}
		document.body.classList.add("live");
		$("main").hidden = false;
		hint();
		makePanel();
		$("rows").append(cursor, selection);
		showGroups(null);
		$("in").addEventListener("click", () => zoom(0.5));
		$("out").addEventListener("click", () => zoom(2));
		$("all").addEventListener("click", () => look(0, span));
		$("earlier").addEventListener("click", () => pan(-0.25));
		$("later").addEventListener("click", () => pan(0.25));
		$("next").addEventListener("click", () => nextChange(1));
		$("search").addEventListener("input", () => {
			const words = $("search").value.toLowerCase().split(/\s+/).filter((w) => w);
			if (functions) {
				const found = words.length ? functions.find(words) : new Set();
				setHits(found, plural(found.size, "function"));
			}
			showGroups(words.length ? words : null);
		});
		document.addEventListener("keydown", onKey);
		const main = $("rows");
		main.addEventListener("pointermove", onMove);
		main.addEventListener("pointerleave", () => {
			cursor.hidden = true;
			if (mark !== null) showCursor(mark);
			drawAxis();
		});
		main.addEventListener("pointerdown", (event) => {
			if (event.button === 0 && event.clientX >= plotBox().left && event.target.tagName !== "BUTTON") dragFrom = event.clientX;
		});
		window.addEventListener("pointerup", onUp);
		main.addEventListener("wheel", onWheel, { passive: false });
		main.addEventListener("dblclick", () => look(0, span));
		window.addEventListener("resize", draw);
		if (functions && functions.chains) showTab("flame");
		draw();
	}

	start();
})();
