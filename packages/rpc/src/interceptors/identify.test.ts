import { type Client, createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { refuse, toRefusal } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { RoleService } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { ServerService } from '@steward/proto/steward/user/v1/server_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { describe, expect, it } from 'vitest';
import { nameCaller, readCallerName } from '../caller-name.ts';
import { headers } from '../headers.ts';
import { createLocalTransport } from '../local-transport.ts';
import type { Requester } from '../requester.ts';
import { type Route, route } from '../routes.ts';
import { scopeName } from '../scope-name.ts';
import { identify } from './identify.ts';

/** A caller with one scope. */
const READER = { admin: false, scopes: [Scope.USERS_READ] };

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

it('names a caller with a scope as an administrator, for the share of administrators', () => {
  const header = new Headers();
  nameCaller(header, { ...ADMIN, ...READER });
  expect(readCallerName(header)).toMatchObject({ admin: true });
});

describe('a caller with some scopes', () => {
  /** The refusal of a call; `undefined` when it is carried out. */
  async function refusal(
    rights: Pick<Requester, 'admin' | 'scopes'>,
    call: (client: Client<typeof AccountService>) => Promise<unknown>,
  ): Promise<string | undefined> {
    const routes = [route(AccountService, { getUser: () => ({}), putUser: () => ({}) } as never) as Route];
    const authenticate = async () => ({ ...ADMIN, ...rights });
    const withToken: Interceptor = (next) => (request) => {
      request.header.set(headers.accessToken, 'token');
      return next(request);
    };
    const transport = createLocalTransport(routes, { interceptors: [withToken, identify(authenticate)] });
    return call(createClient(AccountService, transport)).then(
      () => undefined,
      (error) => toRefusal(error).message,
    );
  }
  const writer = { admin: false, scopes: [Scope.USERS_WRITE] };

  it('a caller with some scopes is admitted to the methods that require one of them', async () => {
    expect(await refusal(READER, (client) => client.getUser({}))).toBeUndefined();
    expect(await refusal(READER, (client) => client.putUser({}))).toBe('This requires the scope users:write');
    expect(await refusal({ admin: false }, (client) => client.getUser({}))).toBe(
      'You are not a server administrator',
    );
  });

  it('a caller with some scopes is refused with a field that requires another one', async () => {
    const { USERS_CREDENTIALS, ACCESS_WRITE } = Scope;
    for (const [fields, scope] of [
      [{ password: '' }, USERS_CREDENTIALS],
      [{ threepids: [{ medium: 'email', address: 'a@example.org' }] }, USERS_CREDENTIALS],
      [{ logoutDevices: true }, USERS_CREDENTIALS],
      [{ admin: true }, ACCESS_WRITE],
    ] as const) {
      const put = (client: Client<typeof AccountService>) => client.putUser(fields as never);
      expect(await refusal(writer, put)).toBe(`This requires the scope ${scopeName(scope)}`);
      expect(await refusal({ admin: false, scopes: [...writer.scopes, scope] }, put)).toBeUndefined();
      expect(await refusal({ admin: true }, put)).toBeUndefined();
    }
    const defaults = { threepids: [], logoutDevices: false, admin: false };
    expect(await refusal(writer, (client) => client.putUser(defaults))).toBeUndefined();
  });
});

it('admits a caller with another credential only to methods for administrators, and to those that declare it', async () => {
  const authenticate = async () => ({ ...ADMIN, kind: 'automation_token' as const });
  const routes = [
    route(AccountService, { getUser: () => ({}) } as never) as Route,
    route(RoleService, { getMe: () => ({}) } as never) as Route,
    route(SessionService, { whoAmI: () => ({}) } as never) as Route,
    route(ServerService, { listClientVersions: () => ({}) } as never) as Route,
  ];
  const transport = createLocalTransport(routes, { interceptors: [identify(authenticate)] });
  const options = { headers: { [headers.accessToken]: 'token' } };
  await createClient(AccountService, transport).getUser({}, options);
  await createClient(RoleService, transport).getMe({}, options);
  for (const call of [
    createClient(SessionService, transport).whoAmI({}, options),
    createClient(ServerService, transport).listClientVersions({}, options),
  ])
    expect(toRefusal(await call.catch((error: unknown) => error))).toMatchObject({
      errcode: 'M_UNKNOWN_TOKEN',
    });
});

it('requires a recent proof of administrator sessions, for the scopes of methods and of fields that are set', async () => {
  const stages = ['m.login.password', 'steward.totp'];
  const stepUp = { scopes: new Set([Scope.ACCESS_WRITE]), maxAgeMs: 1_000, clock: { now: () => 5_000 } };
  const refusalOf = async (caller: Partial<Requester>, call: (transport: Transport) => Promise<unknown>) => {
    const routes = [
      route(AccountService, { putUser: () => ({}), putAdminFlag: () => ({}) } as never) as Route,
    ];
    const authenticate = async () => ({ ...ADMIN, proofStages: stages, ...caller });
    const withToken: Interceptor = (next) => (request) => {
      request.header.set(headers.accessToken, 'token');
      return next(request);
    };
    const interceptors = [withToken, identify(authenticate, stepUp)];
    return call(createLocalTransport(routes, { interceptors })).then(() => undefined, toRefusal);
  };
  const promote = (transport: Transport) => createClient(AccountService, transport).putUser({ admin: true });
  const rename = (transport: Transport) =>
    createClient(AccountService, transport).putUser({ displayname: 'x' });
  const dismiss = (transport: Transport) => createClient(AccountService, transport).putAdminFlag({});

  const required = { status: 401, errcode: 'STEWARD_STEP_UP_REQUIRED', extra: { flows: [{ stages }] } };
  for (const provedTs of [0, 3_999]) {
    expect(await refusalOf({ kind: 'session', provedTs }, promote)).toMatchObject(required);
    expect(await refusalOf({ kind: 'session', provedTs }, dismiss)).toMatchObject(required);
    expect(await refusalOf({ kind: 'session', provedTs }, rename)).toBeUndefined();
  }
  expect(await refusalOf({ kind: 'session', provedTs: 4_000 }, promote)).toBeUndefined();
  expect(await refusalOf({ kind: 'automation_token' }, promote)).toBeUndefined();
  expect(await refusalOf({}, promote)).toBeUndefined();
  // A proof does not help a caller without the scope.
  const scoped: Partial<Requester> = { kind: 'session', admin: false, scopes: [Scope.USERS_WRITE] };
  expect(await refusalOf(scoped, promote)).toMatchObject({ status: 403 });
  expect(await refusalOf({ kind: 'session', proofStages: [] }, promote)).toMatchObject({
    extra: { flows: [] },
    message: expect.stringContaining('no password'),
  });
});
