// SPDX-License-Identifier: GPL-2.0-only
// A server on the loopback interface that files are put to, as to a bucket of S3: they are in
// DIR/objects, and what it does with each request in DIR/log. With keys in DIR/keys (ID SECRET
// TOKEN, where - is no token) every request but GET has to bear Amazon's signature, version 4,
// which is verified here from its description (Signature Version 4 signing process), and a body
// the SHA-256 that was signed.
// Usage: node bucket.js DIR PORTFILE; what it does with the next PUTs stands in DIR/plan, a word
// each: a status, close (in the midst of the body), lie (confirms and keeps nothing), cut (keeps
// the beginning); or ok.
'use strict';
const crypto = require('crypto');
const fs = require('fs');
const http = require('http');
const path = require('path');

const [dir, portFile] = process.argv.slice(2);

function read(name) {
	try {
		return fs.readFileSync(`${dir}/${name}`, 'utf8').split(/\s+/).filter((word) => word);
	} catch {
		return [];
	}
}

function next() {
	const words = read('plan');
	const word = words.shift() || 'ok';

	fs.writeFileSync(`${dir}/plan`, words.join(' '));
	return word;
}

const sha256 = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex');
const hmac = (key, text) => crypto.createHmac('sha256', key).update(text).digest();

// What is wrong with the signature; '' if nothing.
function wrong(request, body) {
	const [id, secret, token] = read('keys');
	if (!id || request.method === 'GET') return '';
	const parts = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([0-9]{8})\/([^/]+)\/s3\/aws4_request, *SignedHeaders=([^,]+), *Signature=([0-9a-f]{64})$/
		.exec(request.headers.authorization || '');
	if (!parts || parts[1] !== id) return 'no signature';
	const [, , day, region, names, signature] = parts;
	const date = request.headers['x-amz-date'] || '';
	const hash = request.headers['x-amz-content-sha256'];

	if (!date.startsWith(day)) return 'another day';
	if (!names.split(';').includes('host')) return 'host is not signed';
	if (token !== '-' && (request.headers['x-amz-security-token'] !== token ||
		!names.split(';').includes('x-amz-security-token'))) return 'no token';
	if (hash !== sha256(body)) return 'another body';
	const canonical = [request.method, request.url, '',
		...names.split(';').map((name) => `${name}:${(request.headers[name] ?? '').trim()}`), '', names, hash].join('\n');
	const scope = `${day}/${region}/s3/aws4_request`;
	const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, day));
	return hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex') === signature ?
		'' : 'another signature';
}

function put(file, body, word) {
	if (word === 'lie') return;
	fs.mkdirSync(path.dirname(file), { recursive: true });
	fs.writeFileSync(`${file}.new`, word === 'cut' ? body.subarray(0, body.length / 2) : body);
	fs.renameSync(`${file}.new`, file);
}

function answer(request, response) {
	const parts = [], word = request.method === 'PUT' ? next() : 'ok';
	const file = path.join(dir, 'objects', path.normalize(decodeURI(request.url)));

	request.on('error', () => {});
	request.on('data', (part) => {
		parts.push(part);
		if (word === 'close') request.socket.destroy();
	});
	request.on('end', () => {
		const body = Buffer.concat(parts), what = wrong(request, body);

		fs.appendFileSync(`${dir}/log`, `${what ? '403' : word} ${request.method} ${request.url} ` +
			`${what || request.headers.authorization?.replace(/ .*/, '') || '-'}\n`);
		if (what) return response.writeHead(what === 'no token' ? 400 : 403).end(what);
		if (word === 'close') return request.socket.destroy();
		if (/^[0-9]+$/.test(word)) return response.writeHead(Number(word), { 'Retry-After': '1' }).end('no');
		if (request.method === 'PUT') {
			put(file, body, word);
			return response.writeHead(200).end();
		}
		if (!fs.existsSync(file) || !fs.statSync(file).isFile()) return response.writeHead(404).end();
		if (request.method === 'DELETE') {
			fs.unlinkSync(file);
			return response.writeHead(204).end();
		}
		response.writeHead(200, { 'Content-Length': fs.statSync(file).size });
		return request.method === 'HEAD' ? response.end() : fs.createReadStream(file).pipe(response);
	});
}

const server = http.createServer(answer);

server.listen(0, '127.0.0.1', () => {
	fs.writeFileSync(`${portFile}.new`, String(server.address().port));
	fs.renameSync(`${portFile}.new`, portFile);
});
