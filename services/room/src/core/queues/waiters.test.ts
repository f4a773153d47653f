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
  const waiter = waiters.listen('device', ['a', 'b']);
  notify('b');
  notify('a');
  expect(await waiter.wait(LONG_MS, never)).toEqual(new Set(['a', 'b']));
  const waiting = waiter.wait(LONG_MS, never);
  notify('c');
  notify('a');
  expect(await waiting).toEqual(new Set(['a']));
  expect(await waiter.wait(0, never)).toBeUndefined();
  waiter.close();
  expect(listening()).toBe(0);
});

it('waiters share the subscription of a topic, and can be notified in this process only', async () => {
  const { waiters, listening } = prepared();
  const [one, other] = [waiters.listen('a', ['t', 't']), waiters.listen('b', ['t'])];
  expect(listening()).toBe(1);
  const waiting = [one.wait(LONG_MS, never), other.wait(LONG_MS, never)];
  waiters.notify('t');
  expect(await Promise.all(waiting)).toEqual([new Set(['t']), new Set(['t'])]);
  one.close();
  expect(listening()).toBe(1);
  other.close();
  expect(listening()).toBe(0);
  waiters.notify('t');
});

it('a wait ends when its signal is aborted', async () => {
  const { waiters } = prepared();
  const call = new AbortController();
  const waiting = waiters.listen('device', ['a']).wait(LONG_MS, call.signal);
  call.abort();
  expect(await waiting).toBeUndefined();
  expect(await waiters.listen('device', ['a']).wait(LONG_MS, call.signal)).toBeUndefined();
});

it('closing ends every wait, including later ones', async () => {
  const { waiters } = prepared();
  const waiting = waiters.listen('device', ['a']).wait(LONG_MS, never);
  waiters.close();
  expect(await waiting).toBeUndefined();
  expect(await waiters.listen('device', ['a']).wait(LONG_MS, never)).toBeUndefined();
});

it('one waiter more than a device may have ends the oldest, and those of other devices stay', async () => {
  const { waiters, notify, listening } = prepared();
  const other = waiters.listen('other device', ['a']);
  const ofDevice = Array.from({ length: 10 }, () => waiters.listen('device', ['a']));
  const waiting = [other, ...ofDevice].map((waiter) => waiter.wait(LONG_MS, never));
  const newest = waiters.listen('device', ['a']);
  expect(await waiting[1]).toBeUndefined();
  notify('a');
  expect(await Promise.all(waiting)).toEqual([new Set(['a']), undefined, ...Array(9).fill(new Set(['a']))]);
  expect(await newest.wait(LONG_MS, never)).toEqual(new Set(['a']));
  for (const waiter of [other, newest, ...ofDevice]) waiter.close();
  expect(listening()).toBe(0);
});

it('a waiter that was ended before it waits does not wait', async () => {
  const { waiters } = prepared();
  const [oldest] = Array.from({ length: 11 }, () => waiters.listen('device', ['a']));
  expect(await oldest?.wait(LONG_MS, never)).toBeUndefined();
});
