import { expect, it } from 'vitest';
import { Unavailable } from '../../port/errors.ts';
import { InFlight } from './in-flight.ts';

it('waits for running operations, even for those that fail', async () => {
  const inFlight = new InFlight();
  const finished: string[] = [];
  const slow = Promise.withResolvers<void>();
  const running = inFlight.run(async () => {
    await slow.promise;
    finished.push('operation');
  });
  const failing = inFlight.run(() => Promise.reject(new Error('refused'))).catch(() => undefined);
  const closed = inFlight.close().then(() => finished.push('close'));
  slow.resolve();
  await Promise.all([running, failing, closed]);
  expect(finished).toEqual(['operation', 'close']);
});

it('accepts nothing after it was closed', async () => {
  const inFlight = new InFlight();
  await inFlight.close();
  await expect(inFlight.run(async () => 1)).rejects.toThrow(Unavailable);
});
