import { createFakeClock } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LeakyBuckets } from './leaky-buckets.ts';

const ONCE_A_SECOND = { perSecond: 1, burst: 2 };

describe('leaky buckets', () => {
  it('admit the burst at once, and then as much as leaks', () => {
    const clock = createFakeClock();
    const buckets = new LeakyBuckets(clock);
    const take = () => buckets.take('a', ONCE_A_SECOND, 1);
    expect([take(), take(), take(), take()]).toEqual([0, 0, 1000, 1000]);
    clock.advance(999);
    expect(take()).toBe(1);
    clock.advance(1);
    expect([take(), take()]).toEqual([0, 1000]);
  });

  it('keep keys of any length apart', () => {
    const buckets = new LeakyBuckets(createFakeClock());
    const rate = { perSecond: 1, burst: 1 };
    const long = 'a'.repeat(1_000);
    for (const key of ['a', 'b', '', `${long}1`, `${long}2`]) {
      expect(buckets.take(key, rate, 1)).toBe(0);
      expect(buckets.take(key, rate, 1)).toBe(1000);
    }
  });

  it('drop the least recently used key when there are too many', () => {
    const buckets = new LeakyBuckets(createFakeClock(), { maxKeys: 2 });
    const rate = { perSecond: 1, burst: 2 };
    for (const key of ['a', 'b', 'a', 'c']) expect(buckets.take(key, rate, 1)).toBe(0);
    expect(buckets.waitFor('a', rate, 1)).toBe(1000);
    expect(buckets.waitFor('b', rate, 2)).toBe(0);
  });

  it('admit nothing when the burst is 0', () => {
    const buckets = new LeakyBuckets(createFakeClock());
    expect(buckets.take('a', { perSecond: 1, burst: 0 }, 1)).toBeGreaterThan(0);
  });

  it('behave like a model that counts in whole millionths of an action', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b'),
      // Thousandths of an action a second are millionths in a millisecond.
      thousandths: fc.integer({ min: 1, max: 5_000 }),
      burst: fc.integer({ min: 0, max: 5 }),
      count: fc.integer({ min: 1, max: 3 }),
      waitMs: fc.integer({ min: 0, max: 4_000 }),
      counted: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const clock = createFakeClock();
        const buckets = new LeakyBuckets(clock);
        const model = new Map<string, { fill: number; at: number }>();
        for (const { key, thousandths, burst, count, waitMs, counted } of steps) {
          clock.advance(waitMs);
          const { fill, at } = model.get(key) ?? { fill: 0, at: clock.now() };
          const left = Math.max(0, fill - (clock.now() - at) * thousandths);
          const excess = left + (count - burst) * 1_000_000;
          const expected = Math.max(0, Math.ceil(excess / thousandths));
          const rate = { perSecond: thousandths / 1_000, burst };
          const act = counted ? 'take' : 'waitFor';
          const waited = buckets[act](key, rate, count);
          expect(waited > 0).toBe(expected > 0);
          expect(Math.abs(waited - expected)).toBeLessThanOrEqual(1);
          if (counted && expected === 0) {
            model.set(key, { fill: left + count * 1_000_000, at: clock.now() });
          }
        }
      }),
    );
  });
});
