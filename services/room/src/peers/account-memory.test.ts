import { accountTopic } from '@steward/events';
import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { AccountMemory } from './account-memory.ts';

function prepared(ignored?: string) {
  const listeners = new Map<string, () => void>();
  const asked: string[] = [];
  const clock = createFakeClock();
  let isReachable = true;
  const users = new AccountMemory(
    async (userId) => {
      asked.push(userId);
      if (!isReachable) throw new Error('unreachable');
      return new Set([ignored ?? `@ignored${asked.length}:test`]);
    },
    {
      onNotification(topic, fn) {
        listeners.set(topic, fn);
        return () => {
          if (listeners.get(topic) === fn) listeners.delete(topic);
        };
      },
    },
    clock,
  );
  const fail = () => {
    isReachable = false;
  };
  return { users, asked, clock, listeners, fail };
}

it('a list is asked for once, and again after its account changed, or after a while', async () => {
  const { users, asked, clock, listeners } = prepared();
  expect(await users.of('@a:test')).toEqual(new Set(['@ignored1:test']));
  expect(await users.of('@a:test')).toEqual(new Set(['@ignored1:test']));
  expect(asked).toEqual(['@a:test']);
  listeners.get(accountTopic('@a:test'))?.();
  expect(await users.of('@a:test')).toEqual(new Set(['@ignored2:test']));
  clock.advance(120_000);
  expect(await users.of('@a:test')).toEqual(new Set(['@ignored3:test']));
  expect(listeners.size).toBe(1);
});

it('a list that could not be read is asked for again', async () => {
  const { users, asked, listeners, fail } = prepared();
  fail();
  await expect(users.of('@a:test')).rejects.toThrow('unreachable');
  await expect(users.of('@a:test')).rejects.toThrow('unreachable');
  expect(asked).toHaveLength(2);
  expect(listeners.size).toBe(0);
});

it('a list that is the same after the account changed is the same object', async () => {
  const { users, asked, clock, listeners } = prepared('@b:test');
  const first = await users.of('@a:test');
  listeners.get(accountTopic('@a:test'))?.();
  expect(await users.of('@a:test')).toBe(first);
  clock.advance(120_000);
  expect(await users.of('@a:test')).toBe(first);
  expect(asked).toHaveLength(3);
});

it('a change of the account while its list is read makes it be read once more', async () => {
  const { users, asked, listeners } = prepared();
  const reading = users.of('@a:test');
  listeners.get(accountTopic('@a:test'))?.();
  await reading;
  expect(await users.of('@a:test')).toEqual(new Set(['@ignored2:test']));
  expect(asked).toHaveLength(2);
});
