import { createClient } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { expect, it } from 'vitest';
import { readCallerName } from '../caller-name.ts';
import { headers } from '../headers.ts';
import { createLocalTransport } from '../local-transport.ts';
import type { Requester } from '../requester.ts';
import { type Route, route } from '../routes.ts';
import { identify } from './identify.ts';

const ADMIN: Requester = {
  userId: '@user:test',
  owner: '@ädmin:test',
  deviceId: undefined,
  tokenId: 'digest',
  admin: true,
  guest: false,
  shadowBanned: false,
  suspended: false,
};

/** The caller whom the answer to a call, or its refusal, names. */
async function named(call: { readonly token: string; readonly asks: boolean; readonly refused?: boolean }) {
  const getAdminFlag = () => {
    if (call.refused) throw refuse.notFound('not found');
    return { admin: true };
  };
  const authenticate = async (token: string) => ({ ...ADMIN, admin: token === 'admin' });
  const transport = createLocalTransport([route(AccountService, { getAdminFlag } as never) as Route], {
    interceptors: [identify(authenticate)],
  });
  let header = new Headers();
  const options = {
    headers: {
      [headers.accessToken]: call.token,
      ...(call.asks ? { [headers.nameCaller]: 'yes' } : {}),
    },
    onHeader: (received: Headers) => {
      header = received;
    },
  };
  await createClient(AccountService, transport)
    .getAdminFlag({}, options)
    .catch(({ metadata }) => {
      header = metadata;
    });
  return readCallerName(header);
}

it('names the owner of the token in the answer, if the call asks for it', async () => {
  expect(await named({ token: 'admin', asks: true })).toEqual({ userId: '@ädmin:test', admin: true });
  expect(await named({ token: 'admin', asks: false })).toBeUndefined();
});

it('names the owner also in a refusal, by the method or for lack of access', async () => {
  expect(await named({ token: 'admin', asks: true, refused: true })).toMatchObject({ admin: true });
  expect(await named({ token: 'user', asks: true })).toEqual({ userId: '@ädmin:test', admin: false });
});
