import {
  Code,
  ConnectError,
  type ContextValues,
  createClient,
  type HandlerContext,
} from '@connectrpc/connect';
import { refuse, toRefusal } from '@steward/errors';
import { MediaService } from '@steward/proto/steward/media/v1/media_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { describe, expect, it } from 'vitest';
import {
  createLocalTransport,
  defer,
  forwardedAs,
  headers,
  identify,
  type Requester,
  type Route,
  raiseDeferred,
  raiseDeferredOf,
  reportFaults,
  requester,
  route,
  waiveDeferred,
  waiveDeferredOf,
} from './mod.ts';

const admin: Requester = {
  userId: '@admin:test',
  owner: '@admin:test',
  deviceId: 'D',
  tokenId: 't',
  admin: true,
  guest: false,
  shadowBanned: false,
  suspended: false,
};

const callers: Readonly<Record<string, Requester>> = {
  admin,
  user: { ...admin, userId: '@user:test', admin: false },
  guest: { ...admin, userId: '@guest:test', admin: false, guest: true },
};

const authenticate = async (token: string) => {
  const caller = callers[token];
  if (!caller) throw refuse.unknownToken('Unknown access token');
  return caller;
};

const faults: unknown[] = [];

function accountClient(implementation: Record<string, unknown>) {
  const transport = createLocalTransport([route(AccountService, implementation as never) as Route], {
    interceptors: [
      reportFaults({ onFault: ({ error }) => faults.push(error) }),
      identify(authenticate),
      defer,
    ],
  });
  return createClient(AccountService, transport);
}

async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  );
  return toRefusal(error);
}

describe('a call in the process', () => {
  it('reaches the handler with its requester and returns the answer', async () => {
    const client = accountClient({
      getAdminFlag: (_: unknown, context: Parameters<typeof requester>[0]) => ({
        admin: requester(context).admin,
      }),
    });
    const answer = await client.getAdminFlag(
      { userId: '@a:test' },
      { headers: { [headers.accessToken]: 'admin' } },
    );
    expect(answer.admin).toBe(true);
    expect(answer.$typeName).toBe('steward.user.v1.GetAdminFlagResponse');
  });

  it.each([
    [undefined, 401, 'M_MISSING_TOKEN'],
    ['nobody', 401, 'M_UNKNOWN_TOKEN'],
    ['guest', 403, 'M_GUEST_ACCESS_FORBIDDEN'],
    ['user', 403, 'M_FORBIDDEN'],
  ])('of an administrator method by %s is refused', async (token, status, errcode) => {
    const client = accountClient({ getAdminFlag: () => ({ admin: true }) });
    const header = token === undefined ? {} : { [headers.accessToken]: token };
    expect(await refusalOf(client.getAdminFlag({}, { headers: header }))).toMatchObject({ status, errcode });
  });

  it('of a method that is not served is Unimplemented', async () => {
    const client = createClient(SessionService, createLocalTransport([]));
    await expect(client.whoAmI({})).rejects.toMatchObject({ code: Code.Unimplemented });
  });

  it('does not reveal the cause of a fault', async () => {
    const client = accountClient({
      getAdminFlag: () => {
        throw new Error('the cause');
      },
    });
    const refusal = await refusalOf(client.getAdminFlag({}, { headers: { [headers.accessToken]: 'admin' } }));
    expect(refusal).toEqual({ status: 500, errcode: 'M_UNKNOWN', message: 'Internal server error' });
    expect(faults).toMatchObject([{ message: 'the cause' }]);
  });

  it('ends at its deadline while the handler continues', async () => {
    let finish: () => void = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let done = false;
    const client = accountClient({
      getAdminFlag: async () => {
        await finished;
        done = true;
        return { admin: true };
      },
    });
    const call = client.getAdminFlag({}, { headers: { [headers.accessToken]: 'admin' }, timeoutMs: 5 });
    await expect(call).rejects.toMatchObject({ code: Code.DeadlineExceeded });
    finish();
    await expect.poll(() => done).toBe(true);
  });
});

it('a completed call leaves no timer behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const client = accountClient({ getAdminFlag: () => ({ admin: true }) });
  const options = { headers: { [headers.accessToken]: 'admin' }, timeoutMs: 60_000 };
  const before = timers();
  await client.getAdminFlag({}, options);
  expect(timers()).toBe(before);
});

describe('the signal of a handler', () => {
  const signalOf = async (read: (context: HandlerContext, ended: Promise<void>) => Promise<AbortSignal>) => {
    const ended = Promise.withResolvers<void>();
    const found = Promise.withResolvers<AbortSignal>();
    const client = accountClient({
      getAdminFlag: async (_: unknown, context: HandlerContext) => {
        found.resolve(await read(context, ended.promise));
        await ended.promise;
        return {};
      },
    });
    const caller = new AbortController();
    const options = { headers: { [headers.accessToken]: 'admin' }, signal: caller.signal };
    const call = client.getAdminFlag({}, options).catch((error: unknown) => error);
    return { abort: () => caller.abort(), answered: call, end: ended.resolve, signal: found.promise };
  };

  it('the signal of a handler is raised when the caller aborts, whether it was read before or is read afterwards', async () => {
    const early = await signalOf(async ({ signal }) => signal);
    const late = await signalOf(async (context, ended) => {
      await ended;
      return context.signal;
    });
    expect((await early.signal).aborted).toBe(false);
    for (const { abort, answered, end, signal } of [early, late]) {
      abort();
      expect(await answered).toMatchObject({ code: Code.Canceled });
      end();
      expect((await signal).aborted).toBe(true);
    }
  });
});

it('an answer is a message, unless the caller reads missing fields as their defaults', async () => {
  const given = { admin: true };
  const routes = [route(SessionService, { authenticate: () => given } as never)];
  const transport = createLocalTransport(routes);
  const { authenticate: method } = SessionService.method;
  const call = (...hints: [] | [ContextValues]) =>
    transport.unary(method, undefined, undefined, undefined, {}, ...hints);
  expect((await call(forwardedAs({ responseBody: '', compat: false }))).message).toBe(given);
  expect((await call()).message).toMatchObject({ admin: true, guest: false, userId: '' });
});

/** The headers of an administrator's request with a violation. */
const invalid = (field?: string) => ({
  [headers.accessToken]: 'admin',
  [headers.deferredRefusal]: encodeURIComponent(
    JSON.stringify({
      status: 400,
      errcode: 'M_BAD_JSON',
      message: 'violation',
      ...(field ? { field } : {}),
    }),
  ),
});

describe('a deferred refusal', () => {
  it('a deferred refusal is raised before a method that does not raise it itself', async () => {
    let called = false;
    const client = accountClient({
      getAdminFlag: () => {
        called = true;
        return {};
      },
    });
    expect(await refusalOf(client.getAdminFlag({}, { headers: invalid() }))).toMatchObject({
      errcode: 'M_BAD_JSON',
    });
    expect(called).toBe(false);
  });

  it('comes after the refusal of the caller', async () => {
    const client = accountClient({ getAdminFlag: () => ({}) });
    const refusal = await refusalOf(
      client.getAdminFlag({}, { headers: { ...invalid(), [headers.accessToken]: 'user' } }),
    );
    expect(refusal.errcode).toBe('M_FORBIDDEN');
  });

  it('waits for a handler that raises it in its own order of checks', async () => {
    const order: string[] = [];
    const client = accountClient({
      putUser: (_: unknown, context: Parameters<typeof raiseDeferred>[0]) => {
        raiseDeferredOf(context, 'password');
        order.push('looked up');
        raiseDeferred(context);
        return {};
      },
    });
    expect(await refusalOf(client.putUser({}, { headers: invalid('locked') }))).toMatchObject({
      errcode: 'M_BAD_JSON',
    });
    expect(order).toEqual(['looked up']);
    await refusalOf(client.putUser({}, { headers: invalid('password') }));
    await refusalOf(client.putUser({}, { headers: invalid() }));
    expect(order).toEqual(['looked up']);
  });

  it('replaces a success when the handler never raises it', async () => {
    const client = accountClient({ putUser: () => ({ created: true }) });
    expect(await refusalOf(client.putUser({}, { headers: invalid('locked') }))).toMatchObject({
      errcode: 'M_BAD_JSON',
    });
    expect((await client.putUser({}, { headers: { [headers.accessToken]: 'admin' } })).created).toBe(true);
  });
});

describe('a waived refusal', () => {
  it('does not keep the handler from answering', async () => {
    const client = accountClient({
      putUser: (_: unknown, context: Parameters<typeof waiveDeferred>[0]) => {
        waiveDeferred(context);
        return { created: true };
      },
    });
    expect((await client.putUser({}, { headers: invalid('locked') })).created).toBe(true);
  });

  it.each([
    ['of the waived field', 'locked', undefined],
    ['of another field', 'password', 'M_BAD_JSON'],
    ['of the whole body', undefined, 'M_BAD_JSON'],
  ])('a waived refusal is only that of the named field: %s', async (_, field, errcode) => {
    const client = accountClient({
      putUser: (_: unknown, context: Parameters<typeof waiveDeferredOf>[0]) => {
        waiveDeferredOf(context, 'locked');
        return { created: true };
      },
    });
    const call = client.putUser({}, { headers: invalid(field) });
    if (errcode === undefined) expect((await call).created).toBe(true);
    else expect(await refusalOf(call)).toMatchObject({ errcode });
  });
});

describe('the access of a method', () => {
  it('the access of a method is checked for callers without interceptors, such as other services of the process', async () => {
    let calls = 0;
    const answer = () => {
      calls++;
      return {};
    };
    const accounts = createLocalTransport([route(AccountService, { getAdminFlag: answer } as never)]);
    const peer = createClient(AccountService, accounts);
    expect(await refusalOf(peer.getAdminFlag({}))).toMatchObject({ errcode: 'M_MISSING_TOKEN' });
    const media = createClient(
      MediaService,
      createLocalTransport([route(MediaService, { upload: answer } as never)]),
    );
    expect(await refusalOf(media.upload(none()))).toMatchObject({ errcode: 'M_MISSING_TOKEN' });
    expect(calls).toBe(0);
    const sessions = createLocalTransport([route(SessionService, { authenticate: answer } as never)]);
    await createClient(SessionService, sessions).authenticate({});
    expect(calls).toBe(1);
  });

  it('the access of a method is not granted to a caller who states a requester', async () => {
    const client = accountClient({ getAdminFlag: () => ({ admin: true }) });
    const stated = { 'steward-requester': encodeURIComponent(JSON.stringify(admin)) };
    expect(await refusalOf(client.getAdminFlag({}, { headers: stated }))).toMatchObject({
      errcode: 'M_MISSING_TOKEN',
    });
  });
});

async function* none() {}

it('a refusal keeps its extra keys through Connect', () => {
  const error = refuse.userLocked('locked');
  expect(error).toBeInstanceOf(ConnectError);
  expect(toRefusal(error)).toEqual({
    status: 401,
    errcode: 'M_USER_LOCKED',
    message: 'locked',
    extra: { soft_logout: true },
  });
});

describe('a stream in the process', () => {
  const mediaClient = (implementation: Record<string, unknown>) =>
    createClient(
      MediaService,
      createLocalTransport([route(MediaService, implementation as never) as Route], {
        interceptors: [
          reportFaults({ onFault: ({ error }) => faults.push(error) }),
          identify(authenticate),
          defer,
        ],
      }),
    );
  const asUser = { headers: { [headers.accessToken]: 'user' } };

  it('of answers is produced piece by piece, on demand', async () => {
    let made = 0;
    const client = mediaClient({
      async *downloadPublicly() {
        for (; made < 1_000; made++) yield { data: Buffer.from([made % 256]) };
      },
    });
    const answers = client.downloadPublicly({})[Symbol.asyncIterator]();
    expect((await answers.next()).value).toMatchObject({ data: Buffer.from([0]) });
    await answers.next();
    expect(made).toBeLessThan(4);
  });

  it('of answers ends when the caller aborts', async () => {
    const ended = Promise.withResolvers<unknown>();
    const client = mediaClient({
      async *downloadPublicly(_: unknown, { signal }: HandlerContext) {
        signal.addEventListener('abort', ended.resolve);
        for (;;) yield { data: Buffer.from('x') };
      },
    });
    const call = new AbortController();
    const answers = client.downloadPublicly({}, { signal: call.signal })[Symbol.asyncIterator]();
    await answers.next();
    call.abort();
    await ended.promise;
    await expect(answers.next()).rejects.toMatchObject({ code: Code.Canceled });
  });

  it('of requests reaches the handler while it is sent', async () => {
    const client = mediaClient({
      async upload(pieces: AsyncIterable<{ data: Uint8Array }>, context: HandlerContext) {
        let length = 0;
        for await (const { data } of pieces) length += data.length;
        return { contentUri: `${requester(context).userId} ${length}` };
      },
    });
    const pieces = async function* () {
      for (let n = 0; n < 10; n++) yield { data: Buffer.alloc(100) };
    };
    expect(await client.upload(pieces(), asUser)).toMatchObject({ contentUri: '@user:test 1000' });
  });

  it('a stream in the process is refused like a unary call, before its first message and later', async () => {
    const client = mediaClient({
      async *downloadPublicly() {
        yield { data: Buffer.from('x') };
        throw refuse.notFound('gone');
      },
      async upload() {
        throw new Error('a fault of ours');
      },
    });
    const one = async function* () {
      yield {};
    };
    expect(await refusalOf(client.upload(one()))).toMatchObject({ errcode: 'M_MISSING_TOKEN' });
    faults.length = 0;
    expect(await refusalOf(client.upload(one(), asUser))).toMatchObject({ status: 500 });
    expect(faults).toHaveLength(1);
    const all = async () => {
      for await (const _ of client.downloadPublicly({}));
    };
    expect(await refusalOf(all())).toMatchObject({ errcode: 'M_NOT_FOUND' });
  });
});
