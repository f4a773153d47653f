import { systemRandom } from '@steward/kernel';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Delivery, Partitions, type PartitionsOptions } from './partitions.ts';

const OPTIONS: PartitionsOptions = {
  maxDeliveries: 3,
  redeliveryDelaysMs: [100],
  concurrency: 2,
  random: systemRandom,
};

let log: string[];

beforeEach(() => {
  log = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A delivery that logs its calls. Its partition is the first letter of its name. */
function delivery(
  name: string,
  run: Delivery['run'] = async () => {},
  giveUp?: Delivery['giveUp'],
): Delivery {
  return {
    partition: name.charAt(0),
    run(attempt) {
      log.push(`${name} ${attempt}`);
      return run(attempt);
    },
    giveUp: giveUp ?? (async () => void log.push(`${name} given up`)),
    failed: () => {},
    completed: () => void log.push(`${name} completed`),
    dropped: () => void log.push(`${name} dropped`),
  };
}

const failing = async () => {
  throw new Error('failed');
};
const nextTick = () => vi.advanceTimersByTimeAsync(0);

it('delivers sequentially within a partition', async () => {
  const partitions = new Partitions(OPTIONS);
  const gate = Promise.withResolvers<void>();
  partitions.add(delivery('a1', () => gate.promise));
  partitions.add(delivery('a2'));
  partitions.add(delivery('b1'));
  await nextTick();
  expect(log).toEqual(['a1 1', 'b1 1', 'b1 completed']);
  gate.resolve();
  await nextTick();
  expect(log.slice(3)).toEqual(['a1 completed', 'a2 1', 'a2 completed']);
});

it('retries after the delay, and occupies no slot until then', async () => {
  const partitions = new Partitions({ ...OPTIONS, concurrency: 1 });
  partitions.add(
    delivery('a1', async (attempt) => {
      if (attempt === 1) await failing();
    }),
  );
  partitions.add(delivery('a2'));
  partitions.add(delivery('b1'));
  await nextTick();
  expect(log).toEqual(['a1 1', 'b1 1', 'b1 completed']);
  await vi.advanceTimersByTimeAsync(100);
  expect(log.slice(3)).toEqual(['a1 2', 'a1 completed', 'a2 1', 'a2 completed']);
});

it('gives up after the last attempt, and retries the giving up until it succeeds', async () => {
  const partitions = new Partitions({ ...OPTIONS, maxDeliveries: 1 });
  let refusals = 1;
  partitions.add(
    delivery('a1', failing, async () => {
      if (refusals-- > 0) throw new Error('cannot be kept');
      log.push('kept');
    }),
  );
  partitions.add(delivery('a2'));
  await nextTick();
  expect(log).toEqual(['a1 1']);
  await vi.advanceTimersByTimeAsync(100);
  expect(log.slice(1)).toEqual(['a1 2', 'kept', 'a1 completed', 'a2 1', 'a2 completed']);
});

it('drops waiting deliveries immediately, and a running one when it fails', async () => {
  const partitions = new Partitions(OPTIONS);
  const gate = Promise.withResolvers<void>();
  partitions.add(delivery('a1', () => gate.promise));
  partitions.add(delivery('a2'));
  partitions.add(delivery('b1', failing));
  await nextTick();
  partitions.add(delivery('c1', () => gate.promise));
  partitions.add(delivery('d1'));
  log.length = 0;
  partitions.dropAll();
  expect(log.toSorted()).toEqual(['a2 dropped', 'b1 dropped', 'd1 dropped']);
  log.length = 0;
  partitions.add(delivery('a3'));
  gate.reject(new Error('failed'));
  await nextTick();
  expect(log.filter((line) => line !== 'c1 dropped')).toEqual(['a1 dropped', 'a3 1', 'a3 completed']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(log).toHaveLength(4);
});

it('completes a running delivery that succeeds after it was dropped', async () => {
  const partitions = new Partitions(OPTIONS);
  const gate = Promise.withResolvers<void>();
  partitions.add(delivery('a1', () => gate.promise));
  partitions.dropAll();
  gate.resolve();
  await nextTick();
  expect(log).toEqual(['a1 1', 'a1 completed']);
});

it('waits for running deliveries when it is closed, and drops later ones', async () => {
  const partitions = new Partitions(OPTIONS);
  const gate = Promise.withResolvers<void>();
  partitions.add(delivery('a1', () => gate.promise));
  const closed = partitions.close().then(() => log.push('closed'));
  partitions.add(delivery('b1'));
  await nextTick();
  expect(log).toEqual(['a1 1', 'b1 dropped']);
  gate.resolve();
  await closed;
  expect(log.slice(2)).toEqual(['a1 completed', 'closed']);
});
