import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { loadConfig } from '@steward/config';
import { systemRandom } from '@steward/kernel';
import { Unavailable } from '@steward/store';
import { requireEngine } from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newBlobKey } from './blob-key.ts';
import { openBlobs } from './open-blobs.ts';
import { s3Blobs } from './s3.ts';

const s3 = requireEngine('s3');
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';
const MIB = 1024 * 1024;

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test').stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

function open(settings: Record<string, string>, patience?: Parameters<typeof s3Blobs>[2]) {
  const env = { STEWARD_CONFIG_OVERRIDES: JSON.stringify({ media: { store: 's3', s3: settings } }) };
  return s3Blobs(loadConfig({ env }).media, systemRandom, patience);
}

/** A service that answers as `answer` does, and has a bucket. */
async function service(answer: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'HEAD') response.end();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function* repeated(piece: Buffer, count: number) {
  for (let i = 0; i < count; i++) yield piece;
}

it('a service that is away refuses no start, and may be asked again later', async () => {
  const blobs = await open({ endpoint: NOWHERE, bucket: 'media' });
  const key = newBlobKey(systemRandom);
  await expect(blobs.put(key, repeated(Buffer.from('x'), 1), 1)).rejects.toThrow(Unavailable);
  await expect(blobs.open(key)[Symbol.asyncIterator]().next()).rejects.toThrow(Unavailable);
  await expect(blobs.delete(key)).rejects.toThrow(Unavailable);
  await blobs.close();
});

it.each(['<html><body>No server<br></body></html>', 'no healthy upstream', ''])(
  'a service that is overloaded may be asked again later, if a proxy says so with %j, too',
  async (body) => {
    const endpoint = await service((_, response) => response.writeHead(503).end(body));
    const blobs = await open({ endpoint, bucket: 'media' });
    const key = newBlobKey(systemRandom);
    await expect(blobs.put(key, repeated(Buffer.from('x'), 1), 1)).rejects.toThrow(Unavailable);
    await expect(blobs.open(key)[Symbol.asyncIterator]().next()).rejects.toThrow(Unavailable);
    await expect(blobs.delete(key)).rejects.toThrow(Unavailable);
    await blobs.close();
  },
);

it('an error has no field that repeats the request', async () => {
  const body =
    '<Error><Code>SignatureDoesNotMatch</Code><CanonicalRequest>session-token</CanonicalRequest></Error>';
  const endpoint = await service((_, response) => response.writeHead(403).end(body));
  const blobs = await open({ endpoint, bucket: 'media' });
  const error = await blobs.delete(newBlobKey(systemRandom)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ cause: { name: 'SignatureDoesNotMatch' } });
  expect(JSON.stringify(error)).not.toContain('session-token');
  await blobs.close();
});

it('slow readers occupy no connection that another request needs', async () => {
  const endpoint = await service(({ method }, response) => {
    response.end(method === 'GET' ? Buffer.alloc(MIB) : undefined);
  });
  const blobs = await open({ endpoint, bucket: 'media' });
  const key = newBlobKey(systemRandom);
  const readers = Array.from({ length: 60 }, () => blobs.open(key)[Symbol.asyncIterator]());
  for (const reader of readers) expect((await reader.next()).done).toBe(false);
  await blobs.put(key, repeated(Buffer.from('x'), 1), 1);
  for (const reader of readers) await reader.return?.();
  await blobs.close();
});

it('a reader may pause longer than the service may take to answer', async () => {
  const endpoint = await service((_, response) => response.end(Buffer.alloc(8 * MIB)));
  const blobs = await open({ endpoint, bucket: 'media' }, { answerMs: 200, pauseMs: 10_000 });
  let bytes = 0;
  for await (const piece of blobs.open(newBlobKey(systemRandom))) {
    if (bytes === 0) await pause(500);
    bytes += piece.length;
  }
  expect(bytes).toBe(8 * MIB);
  await blobs.close();
});

it('a service that does not answer is away', async () => {
  const endpoint = await service(() => {});
  const blobs = await open({ endpoint, bucket: 'media' }, { answerMs: 100, pauseMs: 10_000 });
  const key = newBlobKey(systemRandom);
  await expect(blobs.put(key, repeated(Buffer.from('x'), 1), 1)).rejects.toThrow(Unavailable);
  await expect(blobs.open(key)[Symbol.asyncIterator]().next()).rejects.toThrow(Unavailable);
  await blobs.close();
});

it('a bucket is required', () => {
  expect(() => open({ endpoint: NOWHERE })).toThrow('STEWARD_S3_BUCKET');
});

describe.skipIf(s3.url === undefined)(s3.title, () => {
  const { origin, pathname } = new URL(s3.url ?? NOWHERE);

  it('a bucket that does not exist refuses the start', async () => {
    await expect(open({ endpoint: origin, bucket: 'nowhere' })).rejects.toThrow(
      'STEWARD_S3_BUCKET: there is no bucket nowhere',
    );
  });

  it('a second bucket that does not exist refuses the start with the name of its own setting', async () => {
    const media = { second_store: 's3', second_s3: { endpoint: origin, bucket: 'nowhere' } };
    const config = loadConfig({ env: { STEWARD_CONFIG_OVERRIDES: JSON.stringify({ media }) } });
    await expect(openBlobs(config, undefined, systemRandom)).rejects.toThrow(
      'STEWARD_SECOND_S3_BUCKET: there is no bucket nowhere',
    );
  });

  it('a large blob is sent in parts', async () => {
    const blobs = await open({ endpoint: origin, bucket: pathname.slice(1), prefix: 'large/' });
    const key = newBlobKey(systemRandom);
    const pieces = Array.from({ length: 17 }, (_, n) => Buffer.alloc(MIB, n));
    async function* source() {
      yield* pieces;
    }
    expect(await blobs.put(key, source(), 17 * MIB)).toMatchObject({ length: 17 * MIB });
    let at = 0;
    for await (const piece of blobs.open(key, { start: 7 * MIB, length: 3 * MIB })) {
      expect(piece.every((byte, n) => byte === 7 + Math.floor((at + n) / MIB))).toBe(true);
      at += piece.length;
    }
    expect(at).toBe(3 * MIB);
    await blobs.delete(key);
    await blobs.close();
  });
});
