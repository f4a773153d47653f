import { AsyncLocalStorage } from 'node:async_hooks';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import type { Span, SpanDescription, Tracing } from '@steward/kernel';
import { MediaService } from '@steward/proto/steward/media/v1/media_pb.ts';
import { ServerService } from '@steward/proto/steward/user/v1/server_pb.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { headers } from '../headers.ts';
import { createLocalTransport } from '../local-transport.ts';
import { type Route, route } from '../routes.ts';
import { traceCalls } from './trace-calls.ts';

const CALLER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

/** What happened to spans, in order. */
let log: string[];
const running = new AsyncLocalStorage<string>();

beforeEach(() => {
  log = [];
});

const begin = ({ name }: SpanDescription, above: string): Span => {
  const method = name.split('/')[1] ?? name;
  log.push(`${method} below ${above}`);
  return {
    context: { traceparent: `context of ${method}` },
    run: (work) => running.run(method, work),
    set: (attributes) => log.push(`${method}: ${Object.values(attributes)}`),
    fail: (type) => log.push(`${method} failed: ${type}`),
    end: () => log.push(`${method} ended`),
  };
};
const tracing: Tracing = {
  begin: () => undefined,
  follow: (description, { traceparent }) =>
    traceparent === CALLER ? begin(description, 'the caller') : undefined,
  child: (description) => {
    const above = running.getStore();
    return above === undefined ? undefined : begin(description, above);
  },
  current: () => undefined,
  detach: (work) => work(),
};

const interceptors = [traceCalls(tracing)];

/** A client of a method that does `work`. */
function client(work: (request: unknown, context: { readonly requestHeader: Headers }) => unknown) {
  const served = route(ServerService, { listClientVersions: work } as never) as Route;
  return createClient(ServerService, createLocalTransport([served], { interceptors }));
}

const FROM_CALLER = { headers: { [headers.traceparent]: CALLER } };

it('puts a call below its caller, and what it calls in the process below the call', async () => {
  const inner = client(() => ({}));
  const outer = client(async (_, { requestHeader }) => {
    log.push(`the handler sees the ${requestHeader.get(headers.traceparent)}`);
    await inner.listClientVersions({});
    return {};
  });
  await outer.listClientVersions({}, FROM_CALLER);
  expect(log).toEqual([
    'ListClientVersions below the caller',
    'the handler sees the context of ListClientVersions',
    'ListClientVersions below ListClientVersions',
    'ListClientVersions ended',
    'ListClientVersions ended',
  ]);
});

it('passes calls of traces that are not recorded', async () => {
  await client(() => ({})).listClientVersions({}, { headers: { [headers.traceparent]: 'not recorded' } });
  await client(() => ({})).listClientVersions({});
  expect(log).toEqual([]);
});

it.each([
  [Code.NotFound, ['ListClientVersions: not_found']],
  [Code.Unavailable, ['ListClientVersions: unavailable', 'ListClientVersions failed: unavailable']],
])('notes the code %d, and whether the server failed', async (code, notes) => {
  const refused = client(() => {
    throw new ConnectError('a secret', code);
  }).listClientVersions({}, FROM_CALLER);
  await expect(refused).rejects.toThrow();
  expect(log.slice(1)).toEqual([...notes, 'ListClientVersions ended']);
});

describe('a stream', () => {
  const stream = (work: () => AsyncGenerator<unknown>) => {
    const served = route(MediaService, { downloadPublicly: work } as never) as Route;
    return createClient(MediaService, createLocalTransport([served], { interceptors }));
  };
  const piece = { part: { case: 'chunk', value: new Uint8Array(1) } };

  it('a stream is produced within its span, which ends with it', async () => {
    const media = stream(async function* () {
      for (let n = 0; n < 2; n++) {
        log.push(`a message within ${running.getStore()}`);
        yield piece;
      }
    });
    for await (const _ of media.downloadPublicly({}, FROM_CALLER)) log.push('read');
    expect(log).toEqual([
      'DownloadPublicly below the caller',
      'a message within DownloadPublicly',
      'read',
      'a message within DownloadPublicly',
      'read',
      'DownloadPublicly ended',
    ]);
  });

  it('ends its span when its call is aborted', async () => {
    const call = new AbortController();
    const media = stream(async function* () {
      for (;;) yield piece;
    });
    for await (const _ of media.downloadPublicly({}, { ...FROM_CALLER, signal: call.signal })) break;
    call.abort();
    expect(log).toEqual(['DownloadPublicly below the caller', 'DownloadPublicly ended']);
  });

  it('ends its span when it fails', async () => {
    const media = stream(async function* () {
      yield piece;
      throw new ConnectError('away', Code.Unavailable);
    });
    const read = async () => {
      for await (const _ of media.downloadPublicly({}, FROM_CALLER));
    };
    await expect(read()).rejects.toThrow();
    expect(log.slice(1)).toEqual([
      'DownloadPublicly: unavailable',
      'DownloadPublicly failed: unavailable',
      'DownloadPublicly ended',
    ]);
  });
});
