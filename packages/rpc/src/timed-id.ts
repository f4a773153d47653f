import { hash } from 'node:crypto';
import type { Random } from '@steward/kernel';
import type { RepeatableCall } from './idempotency-key.ts';

const TIME_DIGITS = 12;
const RANDOM_BYTES = 8;

/**
 * A new id of 28 hexadecimal digits, of which the first 12 are the time of its creation: greater than those of earlier milliseconds.
 * All attempts of a call with an idempotency key have the same.
 *
 * @param now milliseconds since the Unix epoch
 */
export function newTimedId(random: Random, now: number, call?: RepeatableCall): string {
  const bytes = call ? hash('sha256', call.id(''), 'buffer') : random.bytes(RANDOM_BYTES);
  const time = (call?.ts ?? now).toString(16).padStart(TIME_DIGITS, '0');
  return time + bytes.subarray(0, RANDOM_BYTES).toString('hex');
}
