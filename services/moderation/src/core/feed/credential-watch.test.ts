import { refuse } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type CheckedRights, createCredentialWatch } from './credential-watch.ts';

const SECOND_MS = 1_000;
const client = { address: '192.0.2.1', userAgent: '' };
const rights: CheckedRights = {
  userId: '@a:test',
  admin: false,
  scopes: [Scope.EVENTS_READ, Scope.USERS_READ],
};

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Watches a credential that is looked up with `lookUp`. */
function watching(lookUp: (token: string) => CheckedRights) {
  const looked = vi.fn(async (token: string) => lookUp(token));
  const watch = createCredentialWatch(looked);
  const left = new AbortController();
  const follow = (token = 'token') => watch.watch({ token, client, rights }, left.signal);
  return { looked, follow, leave: () => left.abort() };
}

it('looks a credential up once for all its calls, and no longer than they last', async () => {
  const { looked, follow, leave } = watching(() => ({
    ...rights,
    scopes: rights.scopes?.toReversed() ?? [],
  }));
  const signals = [follow(), follow(), follow('other')];
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(looked.mock.calls.map(([token]) => token)).toEqual(['token', 'other', 'token', 'other']);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false]);
  leave();
  expect(vi.getTimerCount()).toBe(0);
});

it.each<[string, () => CheckedRights]>([
  [
    'is refused',
    () => {
      throw refuse.unknownToken('Unknown token');
    },
  ],
  ['has fewer scopes', () => ({ ...rights, scopes: [Scope.EVENTS_READ] })],
  ['has more scopes', () => ({ ...rights, admin: true })],
  ['lacks a second factor', () => ({ ...rights, lacksSecondFactor: true })],
])('ends the calls within a second when their credential %s', async (_, lookUp) => {
  let current = () => rights;
  const { follow } = watching((token) => (token === 'other' ? rights : current()));
  const signals = [follow(), follow(), follow('other')];
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  current = lookUp;
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
});

it('tolerates look-ups that fail for some seconds only', async () => {
  let isAway = true;
  const { follow } = watching(() => {
    if (isAway) throw refuse.unavailable('Away');
    return rights;
  });
  const signal = follow();
  await vi.advanceTimersByTimeAsync(4 * SECOND_MS);
  isAway = false;
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  isAway = true;
  await vi.advanceTimersByTimeAsync(4 * SECOND_MS);
  expect(signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(2 * SECOND_MS);
  expect(signal.aborted).toBe(true);
});
