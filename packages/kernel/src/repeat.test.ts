import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeat } from './repeat.ts';

const INTERVAL_MS = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('runs at once and at every interval, also after a failed round, until it is closed', async () => {
  const faults: unknown[] = [];
  let rounds = 0;
  const work = async () => {
    rounds += 1;
    if (rounds === 2) throw new Error('second');
  };
  const repetition = repeat(work, { intervalMs: INTERVAL_MS, onFault: (error) => faults.push(error) });
  await vi.advanceTimersByTimeAsync(2 * INTERVAL_MS);
  expect(rounds).toBe(3);
  expect(faults).toEqual([new Error('second')]);
  await repetition.close();
  await vi.advanceTimersByTimeAsync(2 * INTERVAL_MS);
  expect(rounds).toBe(3);
});

it('starts no round while another runs, and waits for the running round when it is closed', async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  const work = () => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    return gate.promise;
  };
  const repetition = repeat(work, { intervalMs: INTERVAL_MS, onFault: () => expect.unreachable() });
  await vi.advanceTimersByTimeAsync(INTERVAL_MS);
  expect(gates).toHaveLength(1);
  gates[0]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(gates).toHaveLength(2);
  let closed = false;
  const closing = repetition.close().then(() => {
    closed = true;
  });
  await vi.advanceTimersByTimeAsync(INTERVAL_MS);
  expect({ closed, rounds: gates.length }).toEqual({ closed: false, rounds: 2 });
  gates[1]?.resolve();
  await closing;
});

it('runs one round for all intervals that pass during a round, and none after it is closed', async () => {
  let gate = Promise.withResolvers<void>();
  let rounds = 0;
  const work = () => {
    rounds += 1;
    gate = Promise.withResolvers();
    return gate.promise;
  };
  const repetition = repeat(work, { intervalMs: INTERVAL_MS, onFault: () => expect.unreachable() });
  await vi.advanceTimersByTimeAsync(3.5 * INTERVAL_MS);
  gate.resolve();
  await vi.advanceTimersByTimeAsync(0);
  gate.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(rounds).toBe(2);
  await vi.advanceTimersByTimeAsync(3 * INTERVAL_MS);
  expect(rounds).toBe(3);
  const closing = repetition.close();
  gate.resolve();
  await closing;
  expect(rounds).toBe(3);
});
