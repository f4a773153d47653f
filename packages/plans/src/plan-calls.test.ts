import { createClient, type Interceptor } from '@connectrpc/connect';
import { toRefusal } from '@steward/errors';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { PlanService } from '@steward/proto/steward/user/v1/plans_pb.ts';
import { createLocalTransport, type Requester, type Route, requesterKey, route } from '@steward/rpc';
import { expect, it } from 'vitest';
import { planCalls } from './plan-calls.ts';
import { plans } from './planner.ts';

const CALL = { method: 'steward.user.v1.AccountService/Deactivate', request: new Uint8Array() };

const CLIENT: Requester = {
  userId: 'client:tool',
  owner: 'client:tool',
  kind: 'client',
  deviceId: undefined,
  tokenId: 'client:tool',
  admin: true,
  guest: false,
  shadowBanned: false,
  suspended: false,
};

/** Plans a deactivation through interceptors; nothing plans it. */
async function refusalOf(...interceptors: readonly Interceptor[]): Promise<unknown> {
  const routes: readonly Route[] = [
    route(AccountService, {} as never),
    route(PlanService, { planCall: plans([]) }),
  ];
  const transport = createLocalTransport(routes, { interceptors: [...interceptors, planCalls(routes)] });
  const call = createClient(PlanService, transport).planCall({ call: CALL });
  return call.then(() => undefined, toRefusal);
}

it('a client of services, which is identified before the interceptors, gets no plan', async () => {
  const identified: Interceptor = (next) => (request) => {
    request.contextValues.set(requesterKey, CLIENT);
    return next(request);
  };
  expect(await refusalOf(identified)).toMatchObject({ status: 403, errcode: 'M_FORBIDDEN' });
});

it('a method that is declared to be planned and has no planner is a fault of the server', async () => {
  expect(await refusalOf()).toMatchObject({ status: 500 });
});
