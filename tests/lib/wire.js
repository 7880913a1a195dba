// SPDX-License-Identifier: GPL-2.0-only
// Decodes a pprof or OpenTelemetry profile from standard input, and prints it as JSON with all
// indices resolved. Shares nothing with the program but the formats' field numbers: the wire
// format of protobuf is read here byte by byte. What a format forbids is an error: unknown
// fields, indices out of range, tables without their zero entry.
// Of a request to Pyroscope, with pprof profiles in it, the labels, the id and the bytes in hexadecimal.
// otlp15 is OpenTelemetry's form without a dictionary; what is printed of it is the same.
// Usage: node wire.js pprof|otlp|otlp15|pyroscope <PROFILE
'use strict';
const zlib = require('zlib');

function fail(text) {
	console.error(`wire.js: ${text}`);
	process.exit(1);
}

function check(condition, text) {
	if (!condition) fail(text);
}

// A type is an object of field number: [name, kind, type]. Kinds: u (varint), f (fixed64), s
// (text), b (bytes), m (message); with * it is repeated, and numbers may be packed.
// With ? it is null where it is not there.
const anyValue = { 1: ['text', 's'], 2: ['bool', 'u'], 3: ['int', 'u'], 4: ['double', 'f'], 8: ['strindex', 'u'] };
const valueType = { 1: ['type', 'u'], 2: ['unit', 'u'] };
const line = { 1: ['function', 'u'], 2: ['line', 'u'], 3: ['column', 'u'] };
const PPROF = {
	1: ['sampleTypes', 'm*', valueType],
	2: ['samples', 'm*', { 1: ['locations', 'u*'], 2: ['values', 'u*'], 3: ['labels', 'm*',
		{ 1: ['key', 'u'], 2: ['str', 'u'], 3: ['num', 'u'], 4: ['unit', 'u'] }] }],
	3: ['mappings', 'm*', { 1: ['id', 'u'], 2: ['start', 'u'], 3: ['limit', 'u'], 4: ['offset', 'u'],
		5: ['file', 'u'], 6: ['buildId', 'u'], 7: ['functions', 'u'], 8: ['files', 'u'], 9: ['lines', 'u'],
		10: ['inlined', 'u'] }],
	4: ['locations', 'm*', { 1: ['id', 'u'], 2: ['mapping', 'u'], 3: ['address', 'u'], 4: ['lines', 'm*', line] }],
	5: ['functions', 'm*', { 1: ['id', 'u'], 2: ['name', 'u'], 3: ['system', 'u'], 4: ['file', 'u'], 5: ['start', 'u'] }],
	6: ['strings', 's*'],
	9: ['time', 'u'], 10: ['duration', 'u'], 11: ['periodType', 'm', valueType], 12: ['period', 'u'],
	13: ['comments', 'u*'], 14: ['default', 'u'],
};
const keyValue = { 1: ['key', 's'], 2: ['value', 'm', anyValue] };
const OTLP = {
	1: ['resources', 'm*', {
		1: ['resource', 'm', { 1: ['attributes', 'm*', keyValue] }],
		2: ['scopes', 'm*', {
			1: ['scope', 'm', { 1: ['name', 's'], 2: ['version', 's'] }],
			2: ['profiles', 'm*', {
				1: ['sampleType', 'm', valueType],
				2: ['samples', 'm*', { 1: ['stack', 'u'], 2: ['attributes', 'u*'], 3: ['link', 'u'],
					4: ['values', 'u*'], 5: ['times', 'f*'] }],
				3: ['time', 'f'], 4: ['duration', 'u'], 5: ['periodType', 'm', valueType], 6: ['period', 'u'],
				7: ['id', 'b'],
			}],
		}],
	}],
	2: ['dictionary', 'm', {
		1: ['mappings', 'm*', { 1: ['start', 'u'], 2: ['limit', 'u'], 3: ['offset', 'u'], 4: ['file', 'u'], 5: ['attributes', 'u*'] }],
		2: ['locations', 'm*', { 1: ['mapping', 'u'], 2: ['address', 'u'], 3: ['lines', 'm*', line], 4: ['attributes', 'u*'] }],
		3: ['functions', 'm*', { 1: ['name', 'u'], 2: ['system', 'u'], 3: ['file', 'u'], 4: ['start', 'u'] }],
		4: ['links', 'm*', { 1: ['trace', 'b'], 2: ['span', 'b'] }],
		5: ['strings', 's*'],
		6: ['attributes', 'm*', { 1: ['key', 'u'], 2: ['value', 'm', anyValue], 3: ['unit', 'u'] }],
		7: ['stacks', 'm*', { 1: ['locations', 'u*'] }],
	}],
};
const valueType15 = { 1: ['type', 'u'], 2: ['unit', 'u'], 3: ['temporality', 'u'] };
const OTLP15 = {
	1: ['resources', 'm*', {
		1: ['resource', 'm', { 1: ['attributes', 'm*', keyValue] }],
		2: ['scopes', 'm*', {
			1: ['scope', 'm', { 1: ['name', 's'], 2: ['version', 's'] }],
			2: ['profiles', 'm*', {
				1: ['sampleTypes', 'm*', valueType15],
				2: ['samples', 'm*', { 1: ['start', 'u'], 2: ['length', 'u'], 3: ['values', 'u*'],
					4: ['attributes', 'u*'], 6: ['times', 'u*'] }],
				3: ['mappings', 'm*', { 1: ['start', 'u'], 2: ['limit', 'u'], 3: ['offset', 'u'], 4: ['file', 'u'],
					5: ['attributes', 'u*'], 6: ['functions', 'u'], 7: ['files', 'u'], 8: ['lines', 'u'], 9: ['inlined', 'u'] }],
				4: ['locations', 'm*', { 1: ['mapping', 'u?'], 2: ['address', 'u'], 3: ['lines', 'm*', line],
					5: ['attributes', 'u*'] }],
				5: ['stacks', 'u*'],
				6: ['functions', 'm*', { 1: ['name', 'u'], 2: ['system', 'u'], 3: ['file', 'u'], 4: ['start', 'u'] }],
				7: ['attributes', 'm*', keyValue],
				10: ['strings', 's*'],
				11: ['time', 'u'], 12: ['duration', 'u'], 13: ['periodType', 'm', valueType15], 14: ['period', 'u'],
				17: ['id', 'b'],
			}],
		}],
	}],
};

const PYROSCOPE = {
	1: ['series', 'm*', {
		1: ['labels', 'm*', { 1: ['name', 's'], 2: ['value', 's'] }],
		2: ['samples', 'm*', { 1: ['profile', 'b'], 2: ['id', 's'] }],
	}],
};

function varint(at) {
	let value = 0n;
	for (let shift = 0n; shift < 70n; shift += 7n) {
		check(at.i < at.end, 'a varint ends too early');
		const byte = at.bytes[at.i++];
		value |= BigInt(byte & 0x7f) << shift;
		if (byte < 0x80) return value & 0xffffffffffffffffn;
	}
	return fail('a varint is too long');
}

function fixed64(at) {
	check(at.i + 8 <= at.end, 'a fixed64 ends too early');
	at.i += 8;
	return at.bytes.readBigUInt64LE(at.i - 8);
}

function piece(at) {
	const size = Number(varint(at));
	check(at.i + size <= at.end, 'a field ends too early');
	at.i += size;
	return { bytes: at.bytes, i: at.i - size, end: at.i };
}

function text(part) {
	const bytes = part.bytes.subarray(part.i, part.end);
	const decoded = bytes.toString('utf8');
	check(Buffer.from(decoded, 'utf8').equals(bytes), 'a text is not UTF-8');
	return decoded;
}

function decode(type, at) {
	const ret = {};
	for (const [name, kind] of Object.values(type)) {
		if (kind.endsWith('*')) ret[name] = [];
		else if (kind.endsWith('?')) ret[name] = null;
		else if (kind[0] === 'u' || kind[0] === 'f') ret[name] = 0n;
		else ret[name] = kind[0] === 's' ? '' : null;
	}
	while (at.i < at.end) {
		const tag = Number(varint(at)), wire = tag & 7, field = type[tag >> 3];
		check(field, `unknown field ${tag >> 3}`);
		const [name, kind, sub] = field, number = kind[0] === 'u' ? varint : fixed64;
		const put = (value) => (kind.endsWith('*') ? ret[name].push(value) : (ret[name] = value));
		if (kind[0] === 'u' || kind[0] === 'f') {
			if (wire === 2 && kind.endsWith('*')) {
				const part = piece(at);
				while (part.i < part.end) put(number(part));
			} else {
				check(wire === (kind[0] === 'u' ? 0 : 1), `${name} has wire type ${wire}`);
				put(number(at));
			}
			continue;
		}
		check(wire === 2, `${name} has wire type ${wire}`);
		const part = piece(at);
		if (kind[0] === 'm') put(decode(sub, part));
		else if (kind[0] === 's') put(text(part));
		else put(part.bytes.subarray(part.i, part.end).toString('hex'));
	}
	return ret;
}

function entry(table, index, what) {
	check(Number(index) < table.length, `${what} ${index} is out of range`);
	return table[Number(index)];
}

function value(of) {
	return of.text !== '' ? of.text : Number(of.int);
}

function pprof(p) {
	const string = (i) => entry(p.strings, i, 'string');
	const byId = (table, what) => {
		const map = new Map();
		for (const item of table) {
			check(item.id && !map.has(item.id), `${what} ${item.id} is there twice, or 0`);
			map.set(item.id, item);
		}
		return (id) => (check(map.has(id), `${what} ${id} is missing`), map.get(id));
	};
	const func = byId(p.functions, 'function'), place = byId(p.locations, 'location');
	const map = byId(p.mappings, 'mapping');
	const type = (of) => of && `${string(of.type)}/${string(of.unit)}`;
	const mapping = (m) => ({ file: string(m.file), buildId: string(m.buildId), start: m.start, limit: m.limit,
		offset: m.offset, named: !!m.functions });
	check(p.strings[0] === '', 'string 0 is not empty');
	return {
		types: p.sampleTypes.map(type), periodType: type(p.periodType), period: p.period, time: p.time,
		duration: p.duration, comments: p.comments.map(string), mappings: p.mappings.map(mapping),
		samples: p.samples.map((s) => {
			check(s.values.length === p.sampleTypes.length, 'a sample has another number of values');
			check(s.locations.length > 0, 'a sample has no location');
			return {
				values: s.values,
				labels: Object.fromEntries(s.labels.map((l) => [string(l.key), l.str ? string(l.str) : Number(l.num)])),
				frames: s.locations.map((id) => {
					const l = place(id), m = l.mapping ? map(l.mapping) : null;
					check(!m || (l.address >= m.start && l.address < m.limit), `${l.address} is not in its mapping`);
					return { address: l.address, mapping: m && mapping(m),
						lines: l.lines.map((at) => ({ name: string(func(at.function).name),
							file: string(func(at.function).file), line: at.line })) };
				}),
			};
		}),
	};
}

function isZero(of) {
	return of === '' || Object.values(of).every((v) => v === 0n || v === '' || v === null || v.length === 0 || /^0*$/.test(v));
}

function otlp(p) {
	const d = p.dictionary, string = (i) => entry(d.strings, i, 'string');
	for (const [name, table] of Object.entries(d))
		check(table.length && isZero(table[0]), `entry 0 of ${name} is not the zero value`);
	for (const [name, table] of Object.entries(d)) {
		const seen = table.map((of) => JSON.stringify(of, (k, v) => (typeof v === 'bigint' ? `${v}` : v)));
		check(name === 'locations' || new Set(seen).size === seen.length, `${name} has an entry twice`);
	}
	const attributes = (list) => {
		const ret = {};
		for (const index of list) {
			const a = entry(d.attributes, index, 'attribute'), key = string(a.key);
			check(key !== '' && !(key in ret), `attribute ${key} is there twice`);
			ret[key] = value(a.value);
		}
		return ret;
	};
	const type = (of) => of && `${string(of.type)}/${string(of.unit)}`;
	const mapping = (i) => {
		const m = entry(d.mappings, i, 'mapping'), ids = attributes(m.attributes);
		return Number(i) === 0 ? null : { file: string(m.file), buildId: ids['process.executable.build_id.gnu'] || '',
			htlhash: ids['process.executable.build_id.htlhash'] || '', start: m.start, limit: m.limit, offset: m.offset };
	};
	const frame = (i) => {
		const l = entry(d.locations, i, 'location'), m = mapping(l.mapping);
		check(Number(i) > 0, 'a stack has location 0');
		check(!m || (l.address >= m.start && l.address < m.limit), `${l.address} is not in its mapping`);
		return { address: l.address, mapping: m, type: attributes(l.attributes)['profile.frame.type'] || '',
			lines: l.lines.map((at) => {
				const f = entry(d.functions, at.function, 'function');
				return { name: string(f.name), file: string(f.file), line: at.line };
			}) };
	};
	return {
		mappings: d.mappings.slice(1).map((m, i) => mapping(i + 1)),
		resources: p.resources.map((r) => ({
			attributes: Object.fromEntries(r.resource.attributes.map((a) => [a.key, value(a.value)])),
			scopes: r.scopes.map((s) => ({
				scope: s.scope,
				profiles: s.profiles.map((f) => ({
					type: type(f.sampleType), periodType: type(f.periodType), period: f.period, id: f.id,
					samples: f.samples.map((of) => {
						check(Number(of.stack) > 0, 'a sample has no stack');
						check(of.values.length || of.times.length, 'a sample has neither values nor times');
						check(!of.values.length || !of.times.length || of.values.length === of.times.length,
							'a sample has not as many values as times');
						for (const time of of.times)
							check(time >= f.time && time < f.time + f.duration, `${time} is not in the profile's time`);
						return { values: of.values, times: of.times, attributes: attributes(of.attributes),
							frames: entry(d.stacks, of.stack, 'stack').locations.map(frame) };
					}),
				})),
			})),
		})),
	};
}

// What the samples of one profile refer to, all of it in its own tables.
function profile15(p) {
	const string = (i) => entry(p.strings, i, 'string');
	const attributes = (list) => {
		const ret = {};
		for (const index of list) {
			const a = entry(p.attributes, index, 'attribute');
			check(a.key !== '' && !(a.key in ret), `attribute ${a.key} is there twice`);
			ret[a.key] = value(a.value);
		}
		return ret;
	};
	const type = (of) => {
		check(of.temporality === 1n, 'a type has no temporality');
		return `${string(of.type)}/${string(of.unit)}`;
	};
	const mapping = (m) => {
		const ids = attributes(m.attributes);
		return { file: string(m.file), buildId: ids['process.executable.build_id.gnu'] || '',
			htlhash: ids['process.executable.build_id.htlhash'] || '', start: m.start, limit: m.limit, offset: m.offset };
	};
	const frame = (i) => {
		const l = entry(p.locations, i, 'location');
		const m = l.mapping === null ? null : mapping(entry(p.mappings, l.mapping, 'mapping'));
		check(!m || (l.address >= m.start && l.address < m.limit), `${l.address} is not in its mapping`);
		check(!m || !l.lines.length || p.mappings[Number(l.mapping)].functions, 'a mapping with names has no functions');
		return { address: l.address, mapping: m, type: attributes(l.attributes)['profile.frame.type'] || '',
			lines: l.lines.map((at) => {
				const f = entry(p.functions, at.function, 'function');
				return { name: string(f.name), file: string(f.file), line: at.line };
			}) };
	};
	check(p.strings[0] === '', 'string 0 is not empty');
	check(new Set(p.strings).size === p.strings.length, 'a string is there twice');
	return {
		mappings: p.mappings.map(mapping),
		profile: {
			type: p.sampleTypes.map(type).join(' '), periodType: type(p.periodType), period: p.period, id: p.id,
			samples: p.samples.map((of) => {
				const end = Number(of.start + of.length);
				check(of.length > 0n && end <= p.stacks.length, 'a stack is not in its table');
				check(of.values.length === p.sampleTypes.length, 'a sample has another number of values');
				for (const time of of.times)
					check(time >= p.time && time < p.time + p.duration, `${time} is not in the profile's time`);
				return { values: of.values, times: of.times, attributes: attributes(of.attributes),
					frames: p.stacks.slice(Number(of.start), end).map(frame) };
			}),
		},
	};
}

function otlp15(p) {
	const mappings = new Map();
	const resources = p.resources.map((r) => ({
		attributes: Object.fromEntries(r.resource.attributes.map((a) => [a.key, value(a.value)])),
		scopes: r.scopes.map((s) => ({
			scope: s.scope,
			profiles: s.profiles.map(profile15).map((of) => {
				for (const m of of.mappings) mappings.set(`${m.file} ${m.buildId} ${m.start}`, m);
				return of.profile;
			}),
		})),
	}));
	return { mappings: [...mappings.values()], resources };
}

let bytes = require('fs').readFileSync(0);
if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = zlib.gunzipSync(bytes);
const at = { bytes, i: 0, end: bytes.length };
const kinds = {
	pprof: () => pprof(decode(PPROF, at)),
	otlp: () => otlp(decode(OTLP, at)),
	otlp15: () => otlp15(decode(OTLP15, at)),
	pyroscope: () => decode(PYROSCOPE, at),
};
const shown = kinds[process.argv[2]]();
// Numbers of 64 bits are texts, which JSON's readers keep as they are.
console.log(JSON.stringify(shown, (key, of) => (typeof of === 'bigint' ? `${of}` : of)));
