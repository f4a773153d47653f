import type { Broadcast, BroadcastOptions } from '@steward/events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Typing } from './typing.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Two processes, whose messages arrive when they are passed on. */
async function twoProcesses() {
  const receivers: BroadcastOptions['receive'][] = [];
  const sent: { readonly from: number; readonly message: Uint8Array }[] = [];
  const changes: string[][] = [[], []];
  const start = async (index: number) => {
    const typing = new Typing((roomId) => changes[index]?.push(roomId));
    await typing.open({
      async openBroadcast({ receive }): Promise<Broadcast> {
        receivers[index] = receive;
        return { isConnected: true, send: (message) => sent.push({ from: index, message }), close() {} };
      },
    });
    return typing;
  };
  const [one, other] = [await start(0), await start(1)];
  const passOn = (ageMs = 0) => {
    for (const { from, message } of sent.splice(0)) receivers[1 - from]?.(message, ageMs);
  };
  return {
    one,
    other,
    passOn,
    changes,
    receive: (text: string) => receivers[0]?.(new TextEncoder().encode(text), 0),
  };
}

it('a user is typing in every process until they stop or their time is up', async () => {
  const { one, other, passOn, changes } = await twoProcesses();
  one.begin('r', '@b', 5_000);
  one.begin('r', '@a', 9_000);
  passOn(1_000);
  expect([one.in('r'), other.in('r')]).toEqual([
    ['@a', '@b'],
    ['@a', '@b'],
  ]);
  vi.advanceTimersByTime(4_000);
  expect([one.in('r'), other.in('r')]).toEqual([['@a', '@b'], ['@a']]);
  one.begin('r', '@b', 5_000);
  expect(changes[0]).toEqual(['r', 'r']);
  other.end('r', '@a');
  passOn();
  expect([one.in('r'), other.in('r')]).toEqual([['@b'], ['@b']]);
  vi.advanceTimersByTime(5_000);
  expect([one.in('r'), other.in('r')]).toEqual([[], []]);
});

it('ignores messages that it does not understand, those that are too old, and users beyond the limit', async () => {
  const { one, other, passOn, receive, changes } = await twoProcesses();
  for (const text of ['x', '[]', '{"room":1,"user":"@a","ms":5}']) receive(text);
  other.begin('r', '@a', 1_000);
  passOn(2_000);
  expect(changes[0]).toEqual([]);
  for (let n = 0; n < 150; n++) one.begin('r', `@${n}`, 1_000_000);
  expect(one.in('r')).toHaveLength(100);
  vi.advanceTimersByTime(120_000);
  expect(one.in('r')).toEqual([]);
});
