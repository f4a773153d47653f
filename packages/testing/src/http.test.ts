import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendHttp } from './http.ts';

interface Echo {
  verb: string;
  url: string;
  rawHeaders: string[];
  body: string;
}

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    if (request.url === '/early') {
      response.writeHead(413, { connection: 'close' }).end('an excessive size');
      return;
    }
    const body = await read(request);
    const { method, rawHeaders } = request;
    response.end(JSON.stringify({ verb: method, url: request.url, rawHeaders, body }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

it('sends a token, a query and JSON', async () => {
  const { status, body } = await sendHttp<Echo>(url, 'PUT', '/a?x=1', {
    token: 'secret',
    query: { y: ['b c', 2] },
    body: { ü: true },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ verb: 'PUT', url: '/a?x=1&y=b+c&y=2', body: '{"ü":true}' });
  expect(body.rawHeaders).toContain('Bearer secret');
});

it('does not change the path and the query', async () => {
  const { body } = await sendHttp<Echo>(url, 'GET', '/a/../%2e//%zz', { query: 'q=%ff&q=+' });
  expect(body.url).toBe('/a/../%2e//%zz?q=%ff&q=+');
});

it('sends bodies with GET, and headers twice', async () => {
  const headers = { authorization: ['Bearer a', 'Bearer b'] };
  const { body } = await sendHttp<Echo>(url, 'GET', '/', { rawBody: '{}', headers });
  expect(body.body).toBe('{}');
  expect(body.rawHeaders.filter((text) => text.startsWith('Bearer'))).toEqual(['Bearer a', 'Bearer b']);
});

it('returns an answer that comes before the body was read', async () => {
  const rawBody = Buffer.alloc(16 * 1024 * 1024);
  const { status, text } = await sendHttp(url, 'POST', '/early', { rawBody });
  expect({ status, text }).toEqual({ status: 413, text: 'an excessive size' });
});

it('returns no body for an answer that is not JSON', async () => {
  const { body, headers } = await sendHttp(url, 'HEAD', '/');
  expect(body).toBeUndefined();
  expect(headers['content-length']).not.toBe('0');
});

it('fails when no server listens', async () => {
  await expect(sendHttp('http://127.0.0.1:1', 'GET', '/')).rejects.toThrow('ECONNREFUSED');
});
