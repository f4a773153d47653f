import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { refuse, toConnectError, toRefusal } from '@steward/errors';
import { ServerService } from '@steward/proto/steward/user/v1/server_pb.ts';
import { beforeEach, expect, it } from 'vitest';
import { callPeer } from '../call-peer.ts';
import { headers } from '../headers.ts';
import { fromFailure, toFailure } from '../link/failure.ts';
import { createLocalTransport } from '../local-transport.ts';
import { type Route, route } from '../routes.ts';
import { type Fault, reportFaults } from './report-faults.ts';

let faults: Fault[];
beforeEach(() => {
  faults = [];
});

/** Calls a method that does `work`. */
function call(work: () => unknown): Promise<unknown> {
  const served = route(ServerService, { listClientVersions: work } as never) as Route;
  const interceptors = [reportFaults({ onFault: (fault) => faults.push(fault) })];
  const client = createClient(ServerService, createLocalTransport([served], { interceptors }));
  return client.listClientVersions({}, { headers: { [headers.requestId]: 'r1' } });
}

const fails = (error: unknown) => () => {
  throw error;
};

it.each([
  [new TypeError('wrong'), 500],
  [refuse.unavailable('The store is away'), 503],
  [new ConnectError('late', Code.DeadlineExceeded), 504],
])('reports %s with its request', async (error, status) => {
  const answer = await call(fails(error)).catch((thrown: unknown) => thrown);
  expect(toRefusal(answer).status).toBe(status);
  const method = 'steward.user.v1.ServerService/ListClientVersions';
  expect(faults).toEqual([{ error, method, requestId: 'r1' }]);
});

it.each([refuse.notFound('none'), refuse.unreachableServer('not ours')])(
  'does not report %s',
  async (error) => {
    await expect(call(fails(error))).rejects.toThrow();
    expect(faults).toEqual([]);
  },
);

it('reports a failure once, where it arose', async () => {
  const inner = () => call(fails(new TypeError('wrong')));
  await expect(call(() => callPeer(inner))).rejects.toThrow('Internal server error');
  expect(faults).toMatchObject([{ error: { message: 'wrong' } }]);
});

it('does not report a failure of another process', async () => {
  const sent = toFailure(toConnectError({ status: 503, errcode: 'M_UNKNOWN', message: 'away' }));
  const received = fromFailure(sent as Parameters<typeof fromFailure>[0], new Headers());
  await expect(call(() => callPeer(fails(received) as () => Promise<never>))).rejects.toThrow();
  expect(faults).toEqual([]);
});
