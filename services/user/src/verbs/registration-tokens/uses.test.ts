import { toRefusal } from '@steward/errors';
import { systemRandom } from '@steward/kernel';
import { RegistrationService } from '@steward/proto/steward/user/v1/registration_pb.ts';
import { openCollections } from '@steward/service';
import { openSqliteStore, type Store } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collections as collectionList } from '../../core/collections.ts';
import type { Deps } from '../../core/deps.ts';
import { isUsable, liveUses, type RegistrationToken } from '../../core/model/registration-token.ts';
import { completeUse, holdUse, releaseUse } from '../../core/registration-tokens/hold-use.ts';
import { type Failure, failingStore } from '../../fixtures/failing-store.ts';
import { type WritableCollections, writableCollections } from '../../fixtures/state.ts';
import { startTestService, type TestService } from '../../fixtures/test-service.ts';

const TOKEN = 'token';
const STAGE = 'm.login.registration_token';

let store: Store;
let collections: WritableCollections;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  collections = await writableCollections(store);
});
afterEach(() => store.close());

const seed = (usesAllowed: number | null) =>
  collections.registrationTokens.insertOne({
    _id: TOKEN,
    version: 1,
    uses_allowed: usesAllowed,
    completed: 0,
    expiry_ts: null,
    held: [],
  });

const stored = () => collections.registrationTokens.findOne({ _id: TOKEN }) as Promise<RegistrationToken>;

it('the uses of a token never exceed the allowed number, and each counts once', async () => {
  const step = fc.record({
    act: fc.constantFrom('hold', 'release', 'complete'),
    holder: fc.constantFrom('a', 'b', 'c', 'd'),
    forMs: fc.integer({ min: 0, max: 20 }),
    waitMs: fc.integer({ min: 0, max: 10 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 3 }),
      fc.array(step, { maxLength: 25 }),
      async (allowed, steps) => {
        await collections.registrationTokens.deleteOne({ _id: TOKEN });
        await seed(allowed);
        const clock = createFakeClock();
        const { registrationTokens } = await openCollections(store, collectionList);
        const deps = { clock, random: systemRandom, registrationTokens } as Partial<Deps> as Deps;
        const held = new Map<string, number>();
        let completed = 0;
        for (const { act, holder, forMs, waitMs } of steps) {
          clock.advance(waitMs);
          const now = clock.now();
          const live = [...held].filter(([, until]) => until >= now);
          const use = { token: TOKEN, holder };
          if (act === 'hold') {
            const own = live.some(([name]) => name === holder);
            const admitted = own || completed + live.length < allowed;
            expect(await holdUse(deps, use, now + forMs)).toBe(admitted);
            if (admitted) held.set(holder, Math.max(now + forMs, own ? (held.get(holder) ?? 0) : 0));
          } else if (act === 'release') {
            await releaseUse(deps, use);
            held.delete(holder);
          } else if (live.some(([name]) => name === holder)) {
            // A registration completes a use only after it has checked that the use is still held.
            await completeUse(deps, use);
            await completeUse(deps, use);
            held.delete(holder);
            completed++;
          }
          const token = await stored();
          expect(token.completed).toBe(completed);
          expect(completed + liveUses(token, now).length).toBeLessThanOrEqual(allowed);
          expect(isUsable(token, now)).toBe(completed + liveUses(token, now).length < allowed);
        }
      },
    ),
    { numRuns: 60 },
  );
});

describe('a registration whose process crashes', () => {
  const start = (on: Store) =>
    startTestService({
      store: on,
      busStore: store,
      config: { registration: { enabled: true, requires_token: true } },
    });
  const register = (service: TestService, session?: string) =>
    service.client(RegistrationService, 'anonymous').register({
      username: 'alice',
      password: 'password',
      present: { paths: ['username', 'password', 'auth'] },
      auth: session === undefined ? {} : { type: STAGE, token: TOKEN, session },
    });
  const openSession = async (service: TestService) => {
    const refused = await register(service).then(() => undefined, toRefusal);
    return refused?.extra?.session as string;
  };

  it.each<Failure>(['before', 'during', 'unavailable'])(
    'takes one use or none, with failure %s at any write',
    async (failure) => {
      for (let failAtWrite = 1, ended = false; !ended; failAtWrite++) {
        await collections.registrationTokens.deleteMany({});
        await collections.accounts.deleteMany({});
        await seed(1);
        const { failing, arm, crashed, writes } = failingStore(store, failAtWrite, failure);
        const crashing = await start(failing);
        const session = await openSession(crashing);
        arm();
        const work = register(crashing, session).catch(() => {});
        await Promise.race([crashed, work]);
        ended = writes() < failAtWrite;

        const fresh = await start(store);
        await fresh.service.whenIdle();
        const accounts = await collections.accounts.countDocuments({});
        const found = await stored();
        const when = `when write ${failAtWrite} failed`;
        expect(found.completed, when).toBe(accounts);
        expect(found.completed + found.held.length, when).toBeLessThanOrEqual(1);
        expect((await register(fresh, session)).userId, when).toBe('@alice:test');
        expect(await stored(), when).toMatchObject({ completed: 1, held: [] });
        expect(await collections.accounts.countDocuments({}), when).toBe(1);
        expect(fresh.faults, when).toEqual([]);
        await work;
        await crashing.close();
        await fresh.close();
      }
    },
  );
});

it('a registration with a wrong token counts towards the limit of token checks', async () => {
  await seed(null);
  const service = await startTestService({
    store,
    config: {
      registration: { enabled: true, requires_token: true },
      rate_limits: { registration_token_validity: { per_second: 0.001, burst: 2 } },
    },
  });
  let names = 0;
  const register = (token: string) =>
    service
      .client(RegistrationService, 'anonymous')
      .register({ username: `guess-${++names}`, password: 'password', auth: { type: STAGE, token } })
      .then(({ userId }) => userId, refusalOf);
  const refusalOf = (error: unknown) => toRefusal(error).errcode;
  for (let i = 1; i <= 2; i++) expect(await register(TOKEN)).toBe(`@guess-${i}:test`);
  for (const refused of ['M_UNAUTHORIZED', 'M_UNAUTHORIZED', 'M_LIMIT_EXCEEDED']) {
    expect(await register('guess')).toBe(refused);
  }
  await service.close();
});
