import { randomBytes } from 'node:crypto';
import { systemRandom } from '@steward/kernel';
import { openSqliteStore, type Store } from '@steward/store';
import { createFakeClock, type FakeClock } from '@steward/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Deps } from '../../core/deps.ts';
import { spentNonces } from '../../core/model/spent-nonce.ts';
import { issueNonce, spendNonce } from './nonce.ts';

/** How long clocks may differ, and how long a nonce is valid (behaviour.md 1.1). */
const CLOCK_DIFFERENCE_MS = 600_000;
const LIFE_MS = 60_000;

let store: Store;
let clock: FakeClock;
let deps: Deps;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  clock = createFakeClock();
  deps = {
    clock,
    random: systemRandom,
    nonceKey: randomBytes(32),
    spentNonces: await store.collection(spentNonces),
  } as Partial<Deps> as Deps;
});
afterEach(() => store.close());

it('a nonce can be spent once', async () => {
  const nonce = issueNonce(deps);
  expect(nonce).toMatch(/^[0-9a-f]{128}$/);
  expect(await spendNonce(deps, nonce)).toBe(true);
  expect(await spendNonce(deps, nonce)).toBe(false);
});

it('every nonce is different', () => {
  expect(new Set(Array.from({ length: 100 }, () => issueNonce(deps))).size).toBe(100);
});

it('a nonce is valid for a minute', async () => {
  const [early, late] = [issueNonce(deps), issueNonce(deps)];
  clock.advance(LIFE_MS);
  expect(await spendNonce(deps, early)).toBe(true);
  clock.advance(1);
  expect(await spendNonce(deps, late)).toBe(false);
});

it('a nonce is valid at every instance that has the key, and at no other', async () => {
  const nonce = issueNonce(deps);
  expect(await spendNonce({ ...deps, nonceKey: randomBytes(32) }, nonce)).toBe(false);
  expect(await spendNonce({ ...deps }, nonce)).toBe(true);
});

it('a nonce cannot be forged', async () => {
  const nonce = issueNonce(deps);
  for (let index = 0; index < nonce.length; index++) {
    const other = nonce[index] === '0' ? '1' : '0';
    const forged = nonce.slice(0, index) + other + nonce.slice(index + 1);
    expect(await spendNonce(deps, forged), `changed at ${index}`).toBe(false);
  }
  for (const forged of [
    '',
    '00',
    'x'.repeat(128),
    nonce.toUpperCase(),
    `${nonce}00`,
    nonce.slice(2),
    `${nonce}é`,
  ]) {
    expect(await spendNonce(deps, forged), forged).toBe(false);
  }
  expect(await spendNonce(deps, nonce)).toBe(true);
});

it('a spent nonce is stored until no instance would accept it, even with a clock that differs', async () => {
  const nonces = Array.from({ length: 5 }, () => issueNonce(deps));
  for (const nonce of nonces) await spendNonce(deps, nonce);
  expect(await deps.spentNonces.countDocuments({})).toBe(5);
  clock.advance(LIFE_MS + 1);
  await spendNonce(deps, issueNonce(deps));
  expect(await deps.spentNonces.countDocuments({})).toBe(6);
  clock.advance(CLOCK_DIFFERENCE_MS);
  await spendNonce(deps, issueNonce(deps));
  expect(await deps.spentNonces.countDocuments({})).toBe(2);
  for (const nonce of nonces) expect(await spendNonce(deps, nonce)).toBe(false);
});

it('deletes a bounded number of expired nonces per call, however many there are', async () => {
  const EXPIRED = 150;
  const old = Array.from({ length: EXPIRED }, (_, n) => ({ _id: `old ${n}`, expires_ts: 0 }));
  await deps.spentNonces.insertMany(old);
  clock.advance(CLOCK_DIFFERENCE_MS + LIFE_MS);
  const left: number[] = [];
  for (let call = 0; call < 2; call++) {
    await spendNonce(deps, issueNonce(deps));
    left.push(await deps.spentNonces.countDocuments({ expires_ts: 0 }));
  }
  expect(left).toEqual([50, 0]);
});
