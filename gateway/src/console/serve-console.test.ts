import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { systemRandom } from '@steward/kernel';
import { sendHttp } from '@steward/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { escapeOnce } from '../raw-path.ts';
import { setResponseHeaders } from '../response-headers.ts';
import { serveRoot } from '../serve-root.ts';
import { serveConsole } from './serve-console.ts';

const SCRIPT = 'console.log("loaded");\n'.repeat(20);
const PAGE = '<meta property="csp-nonce" nonce="__NONCE__"><script nonce="__NONCE__"></script>';
const BASE = '/_service/console';

let folder: string;
let built: string;
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'steward-console-'));
  built = join(folder, 'dist');
  mkdirSync(join(built, 'assets'), { recursive: true });
  writeFileSync(join(built, 'index.html'), PAGE);
  writeFileSync(join(built, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(built, '.stamp'), 'secret');
  writeFileSync(join(folder, 'outside.js'), 'secret');
  for (const [ending, content] of [
    ['js', SCRIPT],
    ['js.br', brotliCompressSync(SCRIPT)],
    ['js.gz', gzipSync(SCRIPT)],
    ['css', 'p {}'],
  ] as const)
    writeFileSync(join(built, `assets/index-B1_x.${ending}`), content);
  app = fastify({ rewriteUrl: (request) => escapeOnce(request.url ?? '') });
  setResponseHeaders(app);
  serveRoot(app, serveConsole(app, systemRandom, built));
  url = await app.listen();
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  sendHttp(url, 'GET', BASE + path.replace('LONG', 'a'.repeat(5_000)), { headers });

describe('the page of the console', () => {
  it.each([
    '',
    '/',
    '?a=b',
    '/index.html',
    '/users/@alice:example.org',
    '/rooms/%21a%2Fb%3Aexample.org/state?tab=1',
    '/users/%2e%2e/%2E%2E%2fsecret',
    '/../../../outside.js',
    '/./assets/index-B1_x.js',
    '/users/%00',
    '/users/%ff%',
    '/users/LONG',
  ])('the page of the console is served at %j', async (path) => {
    const { status, headers, text } = await get(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).not.toContain('__NONCE__');
  });

  it('has a nonce of its own in each answer, with which alone scripts run', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const { headers, text } = await get('/');
        const used = [...text.matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce);
        expect(used).toHaveLength(2);
        expect(new Set(used).size).toBe(1);
        const sources = /script-src ([^;]+)/.exec(String(headers['content-security-policy']))?.[1];
        expect(sources).toBe(`'nonce-${used[0]}' 'strict-dynamic'`);
        return used[0];
      }),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it('may be neither framed nor read by pages of other origins, and sends no address to them', async () => {
    for (const path of ['/', '/assets/index-B1_x.js', '/assets/none.js']) {
      const { headers } = await get(path, { origin: 'https://other.example' });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
    expect((await get('/')).headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; base-uri 'none';.* frame-ancestors 'none';.* object-src 'none';/,
      ),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    const other = await sendHttp(url, 'GET', '/_service/consoles');
    expect(other).toMatchObject({ status: 404, headers: { 'access-control-allow-origin': '*' } });
  });
});

describe('the files of the console', () => {
  const ASSET = '/assets/index-B1_x.js';

  it.each([
    [ASSET, 'application/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/assets/index-B1_x.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/icon.svg', 'image/svg+xml', 'no-cache'],
  ])('%s has its type and its caching', async (path, type, caching) => {
    const { status, headers } = await get(path);
    expect({ status, type: headers['content-type'], caching: headers['cache-control'] }).toEqual({
      status: 200,
      type,
      caching,
    });
    const again = await get(path, { 'if-none-match': String(headers.etag) });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each([
    ['br', 'br, gzip'],
    ['gzip', 'gzip'],
    [undefined, 'identity'],
  ])(
    'the files of the console are sent compressed with %s to a client that accepts %s',
    async (encoding, accepted) => {
      const { headers } = await get(ASSET, { 'accept-encoding': accepted });
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers['content-type']).toBe('application/javascript; charset=utf-8');
      expect(headers.vary).toContain('accept-encoding');
      expect(Number(headers['content-length']) < SCRIPT.length).toBe(encoding !== undefined);
    },
  );

  it('the files of the console are described by HEAD', async () => {
    const { status, text, headers } = await sendHttp(url, 'HEAD', `${BASE}${ASSET}`);
    expect([status, text, headers['content-length']]).toEqual([200, '', String(SCRIPT.length)]);
  });

  it('the files of the console are sent whole and unconditionally, whatever else a client asks for', async () => {
    const headers = {
      range: 'bytes=9999-',
      'if-match': '"other"',
      'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT',
    };
    expect(await get(ASSET, headers)).toMatchObject({ status: 200, text: SCRIPT });
  });

  it.each([
    '/assets/none.js',
    '/assets/',
    '/assets/../index.html',
    '/assets/../../outside.js',
    '/assets/%2e%2e%2f%2e%2e%2foutside.js',
    '/assets/..%5c..%5coutside.js',
    '/assets/index-B1_x.js%00.css',
    '/assets//index-B1_x.js',
    '/assets/LONG.js',
    '/none.svg',
  ])('the files of the console are not at %j', async (path) => {
    const { status, text } = await get(path);
    expect(status).toBe(404);
    expect(text).not.toContain('secret');
  });

  it('do not include those whose names begin with a dot', async () => {
    expect((await get('/.stamp')).text).not.toContain('secret');
  });
});

it('the console is where a browser is led, until it is not built: the page then says so', async () => {
  const root = () => sendHttp(url, 'GET', '/');
  expect(await root()).toMatchObject({ status: 302, headers: { location: `${BASE}/` } });
  const aside = `${built}.aside`;
  renameSync(built, aside);
  expect(await root()).toMatchObject({ status: 200, body: { name: 'steward' } });
  const { status, text, headers } = await get('/users');
  expect([status, headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
  expect(text).toContain('npm run setup');
  expect((await get('/assets/index-B1_x.js')).status).toBe(404);
  renameSync(aside, built);
  expect((await get('/users')).status).toBe(200);
});
