import { create } from '@bufbuild/protobuf';
import { limitExceeded, toRefusal } from '@steward/errors';
import { systemRandom } from '@steward/kernel';
import { InteractiveAuthSchema } from '@steward/proto/steward/user/v1/interactive_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { explain } from '@steward/store/testing';
import { createFakeClock } from '@steward/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Deps } from '../deps.ts';
import { interactiveSessions } from '../model/interactive-session.ts';
import { type Attempt, authenticateStage } from './authenticate-stage.ts';
import { openInteractiveSession, resumeInteractiveSession } from './interactive-session.ts';

const SCOPE = { operation: 'POST something', userId: null, openedBy: '192.0.2.1' };
const FLOWS = [{ stages: ['first', 'second'] }, { stages: ['alone'] }];

let store: Store;
let deps: Deps;

beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  const needed: Partial<Deps> = {
    interactiveSessions: await store.collection(interactiveSessions),
    clock: createFakeClock(),
    random: systemRandom,
  };
  deps = needed as Deps;
});
afterAll(() => store.close());

/** Tries a stage, in a session or a new one; returns the body that the operation runs with, or the challenge. */
async function tryStage(type: string | undefined, session?: string, attempt: Partial<Attempt<string>> = {}) {
  try {
    return await authenticateStage<string>(deps, {
      ...SCOPE,
      flows: FLOWS,
      auth: create(InteractiveAuthSchema, type === undefined ? {} : { type }),
      session: session === undefined ? undefined : await resumeInteractiveSession(deps, SCOPE, session),
      firstCounts: false,
      body: () => 'this request',
      bodyToStore: () => 'this request',
      pass: async () => undefined,
      ...attempt,
    });
  } catch (error) {
    const { errcode, extra } = toRefusal(error);
    return { errcode, ...(extra as { session: string; completed?: readonly string[] }) };
  }
}

it('needs all stages of one flow, in any order', async () => {
  expect(await tryStage('alone')).toBe('this request');
  for (const [one, other] of [
    ['first', 'second'],
    ['second', 'first'],
  ] as const) {
    const started = await tryStage(one);
    if (typeof started === 'string') throw new Error('One stage sufficed');
    expect(started).toMatchObject({ errcode: undefined, flows: FLOWS, completed: [one] });
    expect(await tryStage(one, started.session)).toMatchObject({ completed: [one] });
    expect(await tryStage(undefined, started.session)).toMatchObject({ completed: [one] });
    expect(await tryStage(other, started.session)).toBe('this request');
    expect(await tryStage(other, started.session, { firstCounts: true })).toBe('this request');
  }
});

it('requires the last stage again with each request', async () => {
  const started = await tryStage('first');
  if (typeof started === 'string') throw new Error('One stage sufficed');
  expect(await tryStage('second', started.session)).toBe('this request');
  const failure = { errcode: 'M_FORBIDDEN', message: 'No' };
  expect(await tryStage('second', started.session, { pass: async () => failure })).toMatchObject({
    errcode: 'M_FORBIDDEN',
    completed: ['first'],
  });
});

it('completes with the first request when that counts', async () => {
  const challenged = await tryStage(undefined, undefined, {
    bodyToStore: () => 'the first request',
  });
  if (typeof challenged === 'string') throw new Error('Nothing was proved');
  expect(challenged.completed).toBeUndefined();
  expect(await tryStage('alone', challenged.session, { firstCounts: true })).toBe('the first request');
  expect(await tryStage('alone', challenged.session)).toBe('this request');
});

it.each([
  { opener: 'a user', userId: '@a:test', limit: 10 },
  { opener: 'an address', userId: null, limit: 50 },
])(
  'deletes the oldest of more than $limit sessions of $opener, and of no other',
  async ({ userId, limit }) => {
    const clock = createFakeClock();
    const own = { ...deps, clock };
    const scope = { operation: 'POST something', userId, openedBy: `opener ${limit}` };
    const open = async (openedBy = scope.openedBy) => {
      clock.advance(1);
      return (await openInteractiveSession(own, { ...scope, openedBy }, null))._id;
    };
    const other = await open('another opener');
    const sessions: string[] = [];
    for (let opened = 0; opened <= limit; opened++) sessions.push(await open());
    const [oldest, ...kept] = sessions;
    await expect(resumeInteractiveSession(own, scope, oldest as string)).rejects.toThrow('Unknown session');
    for (const session of [other, ...kept])
      expect(await resumeInteractiveSession(own, scope, session)).toMatchObject({ _id: session });
  },
);

it('finds the sessions of an opener by an index', async () => {
  const { interactiveSessions: sessions } = deps;
  const query = explain(sessions, { opened_by: 'o' }, { sort: { expires_ts: -1 } });
  expect(query.plan.join()).toContain('/opener ');
});

it('stores nothing of a request that completes at once, nor of one that is refused a session', async () => {
  const before = await deps.interactiveSessions.countDocuments({});
  expect(await tryStage('alone')).toBe('this request');
  const bodyToStore = () => {
    throw limitExceeded(1);
  };
  expect(await tryStage(undefined, undefined, { bodyToStore })).toMatchObject({
    errcode: 'M_LIMIT_EXCEEDED',
  });
  expect(await deps.interactiveSessions.countDocuments({})).toBe(before);
});
