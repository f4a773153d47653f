import { systemRandom } from '@steward/kernel';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { delayAfter } from './delays.ts';

it('returns between half of the delay and all of it, and repeats the last delay', () => {
  const delays = fc.array(fc.nat({ max: 100_000 }), { minLength: 1 });
  fc.assert(
    fc.property(delays, fc.integer({ min: 1, max: 50 }), (delaysMs, failures) => {
      const fullMs = delaysMs[Math.min(failures, delaysMs.length) - 1] ?? 0;
      const delayMs = delayAfter(failures, delaysMs, systemRandom);
      expect(delayMs).toBeGreaterThanOrEqual(fullMs / 2);
      expect(delayMs).toBeLessThanOrEqual(fullMs);
    }),
  );
});
