import { expect, it } from 'vitest';
import { Waiters } from './waiters.ts';

const LONG_MS = 60_000;

function prepared() {
  const listeners = new Map<string, Set<() => void>>();
  const waiters = new Waiters({
    onWake(topic, fn) {
      const found = listeners.get(topic) ?? new Set();
      listeners.set(topic, found.add(fn));
      return () => found.delete(fn);
    },
  });
  const wake = (topic: string) => {
    for (const fn of listeners.get(topic) ?? []) fn();
  };
  const heard = () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0);
  return { waiters, wake, heard };
}

const { signal: never } = new AbortController();

it('rings for its topics, also for what happened before it was asked', async () => {
  const { waiters, wake, heard } = prepared();
  const bell = waiters.listen(['a', 'b']);
  wake('b');
  expect(await bell.rung(LONG_MS, never)).toBe(true);
  const waiting = bell.rung(LONG_MS, never);
  wake('c');
  wake('a');
  expect(await waiting).toBe(true);
  expect(await bell.rung(0, never)).toBe(false);
  bell.close();
  expect(heard()).toBe(0);
});

it('stops when nobody asks any longer', async () => {
  const { waiters } = prepared();
  const call = new AbortController();
  const waiting = waiters.listen(['a']).rung(LONG_MS, call.signal);
  call.abort();
  expect(await waiting).toBe(false);
  expect(await waiters.listen(['a']).rung(LONG_MS, call.signal)).toBe(false);
});

it('lets nobody wait when the end is near', async () => {
  const { waiters } = prepared();
  const waiting = waiters.listen(['a']).rung(LONG_MS, never);
  waiters.silence();
  expect(await waiting).toBe(false);
  expect(await waiters.listen(['a']).rung(LONG_MS, never)).toBe(false);
});
