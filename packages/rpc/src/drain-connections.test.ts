import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { FeedService } from '@steward/proto/steward/moderation/v1/events_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { headers, type RpcServer, route, serveRpc } from './mod.ts';

const CREDENTIAL = 'internal-credential';
const withCredential = { headers: { [headers.credential]: CREDENTIAL } };

const PAGE = { events: [{ id: 'a'.repeat(1024) }] };

/** Less than the window of a stream takes, and more. */
const AMOUNTS = [
  { amount: 'a few', count: 10 },
  { amount: 'many', count: Number.POSITIVE_INFINITY },
];

let pages = 0;
let stopping = Promise.withResolvers<void>();
let server: RpcServer;
let isHandled = false;

beforeEach(async () => {
  isHandled = false;
  stopping = Promise.withResolvers();
  server = await serveRpc({
    routes: [
      route(FeedService, {
        async *followEvents() {
          for (let n = 0; n < pages; n++) yield PAGE;
          await stopping.promise;
        },
      } as never),
      route(AccountService, {
        getAdminFlag: () => {
          isHandled = true;
          return new Promise(() => {});
        },
      } as never),
    ],
    interceptors: [],
    credential: CREDENTIAL,
    host: '127.0.0.1',
    port: 0,
    healthy: async () => true,
  });
});
afterEach(() => vi.useRealTimers());

const transport = () => createGrpcTransport({ baseUrl: server.url });

it.each(AMOUNTS)('cuts a stream of $amount events whose reader has stopped reading', async ({ count }) => {
  pages = count;
  const events = createClient(FeedService, transport()).followEvents({}, withCredential);
  const reader = events[Symbol.asyncIterator]();
  await reader.next();
  stopping.resolve();
  await server.close();
});

it('cuts calls that do not end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const call = createClient(AccountService, transport()).getAdminFlag({}, withCredential);
  const failed = expect(call).rejects.toThrow();
  await expect.poll(() => isHandled).toBe(true);
  const closed = server.close();
  vi.advanceTimersByTime(15_000);
  await closed;
  await failed;
});
