import { create } from '@bufbuild/protobuf';
import { toRefusal } from '@steward/errors';
import { systemRandom } from '@steward/kernel';
import { InteractiveAuthSchema } from '@steward/proto/steward/user/v1/interactive_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Deps } from '../deps.ts';
import { interactiveSessions } from '../model/interactive-session.ts';
import { type Attempt, authenticateStage } from './authenticate-stage.ts';
import { resumeInteractiveSession } from './interactive-session.ts';

const SCOPE = { operation: 'POST something', userId: null };
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
  const challenged = await tryStage(undefined, undefined, { body: () => 'the first request' });
  if (typeof challenged === 'string') throw new Error('Nothing was proved');
  expect(challenged.completed).toBeUndefined();
  expect(await tryStage('alone', challenged.session, { firstCounts: true })).toBe('the first request');
  expect(await tryStage('alone', challenged.session)).toBe('this request');
});
