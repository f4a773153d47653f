import { expect, it } from 'vitest';
import { Waiters } from './waiters.ts';

const LONG_MS = 60_000;

function prepared() {
  const listeners = new Map<string, Set<() => void>>();
  const waiters = new Waiters({
    onNotification(topic, fn) {
      const found = listeners.get(topic) ?? new Set();
      listeners.set(topic, found.add(fn));
      return () => found.delete(fn);
    },
  });
  const notify = (topic: string) => {
    for (const fn of listeners.get(topic) ?? []) fn();
  };
  const listening = () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0);
  return { waiters, notify, listening };
}

const { signal: never } = new AbortController();

it('a waiter is notified of its topics, also before it waits', async () => {
  const { waiters, notify, listening } = prepared();
  const waiter = waiters.listen(['a', 'b']);
  notify('b');
  expect(await waiter.wait(LONG_MS, never)).toBe(true);
  const waiting = waiter.wait(LONG_MS, never);
  notify('c');
  notify('a');
  expect(await waiting).toBe(true);
  expect(await waiter.wait(0, never)).toBe(false);
  waiter.close();
  expect(listening()).toBe(0);
});

it('a wait ends when its signal is aborted', async () => {
  const { waiters } = prepared();
  const call = new AbortController();
  const waiting = waiters.listen(['a']).wait(LONG_MS, call.signal);
  call.abort();
  expect(await waiting).toBe(false);
  expect(await waiters.listen(['a']).wait(LONG_MS, call.signal)).toBe(false);
});

it('closing ends every wait, including later ones', async () => {
  const { waiters } = prepared();
  const waiting = waiters.listen(['a']).wait(LONG_MS, never);
  waiters.close();
  expect(await waiting).toBe(false);
  expect(await waiters.listen(['a']).wait(LONG_MS, never)).toBe(false);
});
