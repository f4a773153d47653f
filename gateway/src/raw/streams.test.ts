import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Http2Session, Http2Stream } from 'node:http2';
import { loadConfig } from '@steward/config';
import { refuse } from '@steward/errors';
import { systemRandom } from '@steward/kernel';
import { type DownloadPubliclyRequest, MediaService } from '@steward/proto/steward/media/v1/media_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { createChannel, route, serveRpc } from '@steward/rpc';
import { createReadiness } from '@steward/runtime';
import { createLogger, createMetrics, noMeters } from '@steward/telemetry';
import type { InjectOptions } from 'fastify';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createGateway } from '../server.ts';

const ready = createReadiness(noMeters);
ready.serve([]);

const CREDENTIAL = 'internal-credential';
const PIECE_BYTES = 64 * 1024;
const PIECES = 3;

/** Requests that are in progress at once. */
const CONCURRENT = 20;

const sessions = route(SessionService, {
  authenticate: () => ({ userId: '@a:test', owner: '@a:test', tokenId: 't' }),
} as never);

const media = route(MediaService, {
  async *downloadPublicly({ mediaId }: DownloadPubliclyRequest) {
    if (mediaId === 'unknown') throw refuse.notFound('Not found');
    if (mediaId === 'known') {
      yield { head: { status: 304, headers: {} } };
      return;
    }
    const isOpen = mediaId.startsWith('open');
    const length = isOpen ? { openEnded: true } : { length: BigInt(PIECES * PIECE_BYTES) };
    yield { head: { status: 200, ...length, headers: {} } };
    for (let piece = 0; piece < PIECES; piece++) {
      yield { data: new Uint8Array(PIECE_BYTES) };
      if (mediaId === 'short') return;
      if (mediaId === 'open-failing') throw new Error('The store failed');
    }
  },
  async upload() {
    throw refuse.tooLarge('Too large');
  },
} as never);

/** The connections and the results of the streams of service ports in this process. */
function watchStreams() {
  const connections = new Set<Http2Session | undefined>();
  let aborted = 0;
  const onStart = (message: unknown) => connections.add((message as { stream: Http2Stream }).stream.session);
  const onClose = (message: unknown) => {
    if ((message as { stream: Http2Stream }).stream.rstCode !== 0) aborted++;
  };
  subscribe('http2.server.stream.start', onStart);
  subscribe('http2.server.stream.close', onClose);
  onTestFinished(() => {
    unsubscribe('http2.server.stream.start', onStart);
    unsubscribe('http2.server.stream.close', onClose);
  });
  return { connections, aborted: () => aborted };
}

async function start(logger = createLogger({ level: 'silent', name: 'test' })) {
  const server = await serveRpc({
    routes: [sessions, media],
    interceptors: [],
    credential: CREDENTIAL,
    host: '127.0.0.1',
    port: 0,
    healthy: async () => true,
  });
  const channel = createChannel({ urls: [server.url], credential: CREDENTIAL, random: systemRandom });
  const gateway = await createGateway({
    config: loadConfig({ env: {} }),
    logger,
    random: systemRandom,
    metrics: createMetrics({ program: 'steward', release: '1.0.0' }),
    transportOf: () => channel,
    readiness: ready,
  });
  onTestFinished(async () => {
    await gateway.close();
    channel.close();
    await server.close();
  });
  /** Sends a request `count` times, and returns the statuses of the answers. */
  return async (count: number, request: InjectOptions) => {
    const statuses = new Set<number>();
    for (let sent = 0; sent < count; sent += CONCURRENT) {
      const answers = Array.from({ length: CONCURRENT }, () => gateway.inject(request));
      for (const { statusCode } of await Promise.all(answers)) statuses.add(statusCode);
    }
    return [...statuses];
  };
}

const download = (mediaId: string, method: 'GET' | 'HEAD' = 'GET'): InjectOptions => ({
  method,
  url: `/_matrix/media/v3/download/test/${mediaId}`,
});

it('reads complete answers to their end, so that none is aborted', async () => {
  const send = await start();
  const streams = watchStreams();
  expect(await send(100, download('known'))).toEqual([304]);
  expect(await send(100, download('complete'))).toEqual([200]);
  expect(await send(100, download('open'))).toEqual([200]);
  expect(streams.aborted()).toBe(0);
});

it('keeps its connections to a service whatever clients abort', async () => {
  const send = await start();
  const streams = watchStreams();
  expect(await send(400, download('unknown'))).toEqual([404]);
  expect(await send(1_400, download('complete', 'HEAD'))).toEqual([200]);
  const upload: InjectOptions = {
    method: 'POST',
    url: '/_matrix/media/v3/upload?access_token=t',
    payload: Buffer.alloc(PIECES * PIECE_BYTES),
  };
  expect(await send(200, upload)).toEqual([413]);
  expect(await send(20, download('complete'))).toEqual([200]);
  expect(streams.aborted()).toBeGreaterThan(1_000);
  // One for streams, one for unary calls.
  expect(streams.connections.size).toBe(2);
});

it.each(['short', 'open-failing'])('reports an answer that is cut off: %s', async (mediaId) => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const send = await start(createLogger({ level: 'warn', name: 'test', destination }));
  const { url = '' } = download(mediaId);
  const request = { url, headers: { 'x-request-id': 'r1' } };
  await expect(send(1, request)).rejects.toThrow();
  await vi.waitFor(() => expect(lines).toHaveLength(CONCURRENT));
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', reqId: 'r1', msg: 'request failed' });
});
