import { setImmediate as nextTurn } from 'node:timers/promises';
import { toRefusal } from '@steward/errors';
import { expect, it } from 'vitest';
import { FairSlots, type FairSlotsOptions } from './fair-slots.ts';

/** Slots with work that a test ends; `started` names the pieces of work that have started, in order. */
function prepared(options: FairSlotsOptions) {
  const slots = new FairSlots(options);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string) =>
    slots.run(name.slice(0, 1), () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = (name: string) => ends.get(name)?.();
  return { slots, run, end, started };
}

/** Lets everything start that may start. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}

it('runs as much concurrently as it has slots, and of one key as much as permitted', async () => {
  const { run, end, started } = prepared({ slots: 3, slotsPerKey: 2 });
  const work = ['a1', 'a2', 'a3', 'b1', 'b2'].map(run);
  await settled();
  expect(started).toEqual(['a1', 'a2', 'b1']);
  end('b1');
  await settled();
  expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
  for (const name of ['a1', 'a2', 'b2']) end(name);
  await settled();
  end('a3');
  expect(await Promise.all(work)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
});

it('lets keys take turns', async () => {
  const { run, end, started } = prepared({ slots: 1 });
  const names = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'];
  const work = names.map(run);
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
    await settled();
    expect(started.at(-1)).toBe(name);
    end(name);
  }
  await Promise.all(work);
});

it('starts as many pieces of work as it has slots in a turn of the event loop', async () => {
  const slots = new FairSlots({ slots: 10 });
  let turn = 0;
  const countTurns = () => {
    turn++;
    counter = setImmediate(countTurns);
  };
  let counter = setImmediate(countTurns);
  const startedIn = new Map<number, number>();
  const work = Array.from({ length: 50 }, (_, index) =>
    slots.run(String(index % 3), async () => {
      startedIn.set(turn, (startedIn.get(turn) ?? 0) + 1);
    }),
  );
  await Promise.all(work);
  clearImmediate(counter);
  expect(Math.max(...startedIn.values())).toBe(10);
});

it('refuses more than may wait, of one key and of all', async () => {
  const { run, end, started } = prepared({ slots: 1, maxWaiting: 3, maxWaitingPerKey: 2 });
  const refusal = (name: string) => run(name).catch((error) => toRefusal(error));
  const work = ['a1', 'a2', 'a3', 'b1'];
  const running = ['a1', 'a2', 'a3'].map(run);
  const limit = { status: 429, errcode: 'M_LIMIT_EXCEEDED', extra: { retry_after_ms: 1_000 } };
  expect(await refusal('a4')).toMatchObject(limit);
  running.push(run('b1'));
  expect(await refusal('c1')).toMatchObject(limit);
  for (let turn = 0; turn < work.length; turn++) {
    await settled();
    end(started.at(-1) as string);
  }
  expect((await Promise.all(running)).sort()).toEqual(work);
});

it('passes failures on and frees their slots', async () => {
  const slots = new FairSlots({ slots: 1 });
  const failing = slots.run('a', () => Promise.reject(new Error('failed')));
  await expect(failing).rejects.toThrow('failed');
  expect(await slots.run('a', async () => 'done')).toBe('done');
});
