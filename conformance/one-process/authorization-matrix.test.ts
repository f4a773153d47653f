import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { path } from '@steward/testing';
import { expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { refusal } from '../refusal.ts';
import { type Endpoint, fill, servedOnce } from '../served.ts';

/** The part of a response that depends on the token. */
type AccessOutcome = 'admitted' | ReturnType<typeof refusal>;

const missing = refusal(401, 'M_MISSING_TOKEN');
const unknown = refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false });
const expired = refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: true });
const locked = refusal(401, 'M_USER_LOCKED', { soft_logout: true });
const guest = refusal(403, 'M_GUEST_ACCESS_FORBIDDEN');
const forbidden = refusal(403, 'M_FORBIDDEN');

/** The errcodes that only callers without the right receive. */
const ACCESS_ERRCODES = [
  'M_MISSING_TOKEN',
  'M_UNKNOWN_TOKEN',
  'M_USER_LOCKED',
  'M_GUEST_ACCESS_FORBIDDEN',
  'M_UNRECOGNIZED',
];

/** The refusal of users who are not administrators; the same errcode also refuses users outside a room. */
const NO_ADMINISTRATOR = 'You are not a server administrator';

const CALLERS = [
  'nobody',
  'an unknown token',
  'an expired token',
  'a deactivated account',
  'a locked account',
  'a guest',
  'a user',
  'an administrator',
] as const;
type Caller = (typeof CALLERS)[number];

/** The outcome for each caller that the declared access implies (behaviour.md 0.2). */
function expected({ access, allowLocked, allowExpired }: Endpoint['rules'], caller: Caller): AccessOutcome {
  if (access === Access.NONE) return 'admitted';
  switch (caller) {
    case 'nobody':
      return access === Access.OPTIONAL ? 'admitted' : missing;
    case 'an unknown token':
    case 'a deactivated account':
      return unknown;
    case 'an expired token':
      return allowExpired ? 'admitted' : expired;
    case 'a locked account':
      return allowLocked ? 'admitted' : locked;
    case 'a guest':
      return access === Access.USER || access === Access.ADMIN ? guest : 'admitted';
    case 'a user':
      return access === Access.ADMIN ? forbidden : 'admitted';
    case 'an administrator':
      return 'admitted';
  }
}

const named = servedOnce.map((endpoint) => ({
  ...endpoint,
  name: `${endpoint.verb} ${endpoint.template}`,
}));

/** The sender of a request. */
interface Sender {
  readonly userId: string;
  readonly token?: string;
}

chapter('Authorisation matrix', (world) => {
  const known = new Map<Caller, Sender>();

  /** Returns the caller of this kind; the same one until a request has ended its token. */
  async function senderOf(caller: Caller): Promise<Sender> {
    const sender = known.get(caller) ?? (await make(caller));
    known.set(caller, sender);
    return sender;
  }

  /** Creates a caller. */
  async function make(caller: Caller): Promise<Sender> {
    const { seed } = world;
    if (!seed) throw new Error('The set-up cannot make tokens that expire, and guests');
    switch (caller) {
      case 'nobody':
        return { userId: world.userId('x') };
      case 'an unknown token':
        return { userId: world.userId('x'), token: 'nobody' };
      case 'an expired token': {
        const { userId } = await world.user();
        return { userId, token: await seed.token({ userId, validUntilMs: 1 }) };
      }
      case 'a deactivated account': {
        const { userId, token } = await world.user();
        await world.admin.post(path`/_service/admin/v1/deactivate/${userId}`);
        return { userId, token };
      }
      case 'a locked account': {
        const { userId, token } = await world.user();
        await world.admin.put(path`/_service/admin/v2/users/${userId}`, { body: { locked: true } });
        return { userId, token };
      }
      case 'a guest': {
        const { userId, token } = await world.user();
        await seed.account(userId, { is_guest: true });
        return { userId, token };
      }
      case 'a user':
        return world.user();
      case 'an administrator':
        return world.user('admin', { admin: true });
    }
  }

  async function check({ verb, template, method, rules }: Endpoint, caller: Caller): Promise<void> {
    const sender = await senderOf(caller);
    // Clients may read and change their own data.
    const userId = template.startsWith('/_proto/client/') ? sender.userId : world.userId('x');
    const target = fill(template, (variable) => (variable === 'user_id' ? userId : 'x'));
    const { token } = sender;
    const reply = await world.http(verb, target, token === undefined ? {} : { token });
    const outcome = expected(rules, caller);
    if (outcome !== 'admitted') return expect(reply, caller).toMatchObject(outcome);
    expect(reply.status, caller).toBeLessThan(500);
    expect(ACCESS_ERRCODES, caller).not.toContain(reply.body?.errcode);
    expect(reply.body?.error, caller).not.toBe(NO_ADMINISTRATOR);
    if (token !== undefined && method.idempotency !== Idempotency.NO_SIDE_EFFECTS) {
      const { body } = await world.http('GET', '/_proto/client/v3/account/whoami', { token });
      if (body.errcode === 'M_UNKNOWN_TOKEN') known.delete(caller);
    }
  }

  it.each(named)('$name', async (endpoint) => {
    for (const caller of CALLERS) await check(endpoint, caller);
  });
});
