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

/** A delivery that notes what becomes of it. Its partition is the first letter of its name. */
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
    completed: () => void log.push(`${name} settled`),
    dropped: () => void log.push(`${name} dropped`),
  };
}

const failing = async () => {
  throw new Error('failed');
};
const turn = () => vi.advanceTimersByTimeAsync(0);

it('delivers one after the other within a partition', async () => {
  const partitions = new Partitions(OPTIONS);
  const gate = Promise.withResolvers<void>();
  partitions.add(delivery('a1', () => gate.promise));
  partitions.add(delivery('a2'));
  partitions.add(delivery('b1'));
  await turn();
  expect(log).toEqual(['a1 1', 'b1 1', 'b1 settled']);
  gate.resolve();
  await turn();
  expect(log.slice(3)).toEqual(['a1 settled', 'a2 1', 'a2 settled']);
});

it('tries again after the delay, and takes no slot until then', async () => {
  const partitions = new Partitions({ ...OPTIONS, concurrency: 1 });
  partitions.add(
    delivery('a1', async (attempt) => {
      if (attempt === 1) await failing();
    }),
  );
  partitions.add(delivery('a2'));
  partitions.add(delivery('b1'));
  await turn();
  expect(log).toEqual(['a1 1', 'b1 1', 'b1 settled']);
  await vi.advanceTimersByTimeAsync(100);
  expect(log.slice(3)).toEqual(['a1 2', 'a1 settled', 'a2 1', 'a2 settled']);
});

it('gives up after the last attempt, and tries that again until it succeeds', async () => {
  const partitions = new Partitions({ ...OPTIONS, maxDeliveries: 1 });
  let refusals = 1;
  partitions.add(
    delivery('a1', failing, async () => {
      if (refusals-- > 0) throw new Error('cannot be kept');
      log.push('kept');
    }),
  );
  partitions.add(delivery('a2'));
  await turn();
  expect(log).toEqual(['a1 1']);
  await vi.advanceTimersByTimeAsync(100);
  expect(log.slice(1)).toEqual(['a1 2', 'kept', 'a1 settled', 'a2 1', 'a2 settled']);
});

it('lets go of what waits at once, and of what runs when it fails', async () => {
  const partitions = new Partitions(OPTIONS);
  const gate = Promise.withResolvers<void>();
  partitions.add(delivery('a1', () => gate.promise));
  partitions.add(delivery('a2'));
  partitions.add(delivery('b1', failing));
  await turn();
  partitions.add(delivery('c1', () => gate.promise));
  partitions.add(delivery('d1'));
  log.length = 0;
  partitions.dropAll();
  expect(log.toSorted()).toEqual(['a2 dropped', 'b1 dropped', 'd1 dropped']);
  log.length = 0;
  partitions.add(delivery('a3'));
  gate.reject(new Error('failed'));
  await turn();
  expect(log.filter((line) => line !== 'c1 dropped')).toEqual(['a1 dropped', 'a3 1', 'a3 settled']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(log).toHaveLength(4);
});

it('settles what ends well after it was let go', async () => {
  const partitions = new Partitions(OPTIONS);
  const gate = Promise.withResolvers<void>();
  partitions.add(delivery('a1', () => gate.promise));
  partitions.dropAll();
  gate.resolve();
  await turn();
  expect(log).toEqual(['a1 1', 'a1 settled']);
});

it('waits for what runs when it is closed, and drops what comes after', async () => {
  const partitions = new Partitions(OPTIONS);
  const gate = Promise.withResolvers<void>();
  partitions.add(delivery('a1', () => gate.promise));
  const closed = partitions.close().then(() => log.push('closed'));
  partitions.add(delivery('b1'));
  await turn();
  expect(log).toEqual(['a1 1', 'b1 dropped']);
  gate.resolve();
  await closed;
  expect(log.slice(2)).toEqual(['a1 settled', 'closed']);
});
