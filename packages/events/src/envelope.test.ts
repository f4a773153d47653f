import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromEnvelope, toEnvelope } from './envelope.ts';

it('reads what it wrote', () => {
  const events = fc.record({
    id: fc.string({ minLength: 1 }),
    type: fc.string({ minLength: 1 }),
    timeMs: fc.maxSafeInteger(),
    aggregate: fc.string({ minLength: 1, unit: 'grapheme' }),
    sequence: fc.maxSafeInteger(),
    traceparent: fc.string(),
    requester: fc.string(),
    fact: fc.uint8Array(),
  });
  fc.assert(
    fc.property(events, (event) => {
      expect(fromEnvelope(toEnvelope(event))).toEqual(event);
    }),
  );
});

it('refuses bytes that are not an envelope', () => {
  expect(() => fromEnvelope(new Uint8Array())).toThrow();
  expect(() => fromEnvelope(new TextEncoder().encode('rubbish'))).toThrow();
});
