// SPDX-License-Identifier: GPL-2.0-only
// A receiver of OpenTelemetry profiles on the loopback interface that fails as real ones do. Keeps
// each body that it has confirmed, or may have, as DIR/N.otlp, and writes what it does with each
// request to DIR/log.
// With DIR/cert.pem and DIR/key.pem it speaks TLS.
// Usage: node receiver.js DIR PORTFILE; what it does with the next requests stands in DIR/plan, a
// word each: 429, 500, 404, 400, close, hang, half, partial; or ok, as where nothing is left.
'use strict';
const fs = require('fs');
const http = require('http');
const https = require('https');
const zlib = require('zlib');

const [dir, portFile] = process.argv.slice(2);
let kept = fs.readdirSync(dir).filter((name) => name.endsWith('.otlp')).length;

function next() {
	let words = [];
	try {
		words = fs.readFileSync(`${dir}/plan`, 'utf8').split(/\s+/).filter((word) => word);
	} catch {
		return 'ok';
	}
	const word = words.shift() || 'ok';
	fs.writeFileSync(`${dir}/plan`, words.join(' '));
	return word;
}

function keep(body, encoding) {
	fs.writeFileSync(`${dir}/${String(kept++).padStart(4, '0')}.otlp`,
		encoding === 'gzip' ? zlib.gunzipSync(body) : body);
}

function answer(request, response) {
	const parts = [];

	request.on('data', (part) => parts.push(part));
	request.on('error', () => {});
	request.on('end', () => {
		const word = next();
		fs.appendFileSync(`${dir}/log`, `${word} ${request.method} ${request.url} ` +
			`${request.headers['content-type']} ${request.headers['content-encoding']} ` +
			`${request.headers.authorization || '-'}\n`);
		if (word === 'hang') return;
		if (word === 'close') return request.socket.destroy();
		if (word === '429') return response.writeHead(429, { 'Retry-After': '2' }).end('later');
		if (/^[0-9]+$/.test(word)) return response.writeHead(Number(word)).end('no');
		keep(Buffer.concat(parts), request.headers['content-encoding']);
		if (word === 'half') {
			response.writeHead(200, { 'Content-Length': '100' });
			return response.write('x', () => request.socket.destroy());
		}
		// partial_success { rejected_profiles: 3, error_message: "no" }
		response.writeHead(200).end(word === 'partial' ?
			Buffer.from([0x0a, 6, 0x08, 3, 0x12, 2, 0x6e, 0x6f]) : undefined);
	});
}

const server = fs.existsSync(`${dir}/cert.pem`) ?
	https.createServer({ cert: fs.readFileSync(`${dir}/cert.pem`), key: fs.readFileSync(`${dir}/key.pem`) }, answer) :
	http.createServer(answer);

server.listen(Number(fs.existsSync(portFile) ? fs.readFileSync(portFile, 'utf8') : 0), '127.0.0.1', () => {
	fs.writeFileSync(`${portFile}.new`, String(server.address().port));
	fs.renameSync(`${portFile}.new`, portFile);
});
