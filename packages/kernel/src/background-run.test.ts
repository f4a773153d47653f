import { expect, it, vi } from 'vitest';
import { backgroundRun } from './background-run.ts';

it('runs once more for what comes during a run, one run at a time, also after a fault', async () => {
  const faults: unknown[] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const background = backgroundRun(
    async () => {
      await gates[runs++]?.promise;
      if (runs === 1) throw new Error('first');
    },
    { onFault: (error) => faults.push(error) },
  );
  background.notify();
  await vi.waitFor(() => expect(runs).toBe(1));
  background.notify();
  const asked = background.run();
  expect(runs).toBe(1);
  gates[0]?.resolve();
  await vi.waitFor(() => expect(runs).toBe(2));
  gates[1]?.resolve();
  await asked;
  expect(faults).toEqual([new Error('first')]);
});

it('ends what runs when it is closed, reports no fault of it, and begins no other run', async () => {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  const background = backgroundRun(
    async (goesOn) => {
      runs++;
      begun.resolve();
      await gate.promise;
      if (!goesOn()) throw new Error('closed');
    },
    { onFault: () => expect.unreachable() },
  );
  const running = background.run();
  await begun.promise;
  const waiting = background.run();
  const closed = background.close();
  gate.resolve();
  await Promise.all([running, waiting, closed]);
  background.notify();
  await background.run();
  expect(runs).toBe(1);
});
