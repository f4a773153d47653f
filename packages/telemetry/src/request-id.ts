import { type Random, randomId } from '@steward/kernel';

const SOUND_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The id that a caller gave its request, if it is short and plain enough for a log; else a new one. */
export function requestId(inbound: string | undefined, random: Random): string {
  return inbound !== undefined && SOUND_ID.test(inbound) ? inbound : randomId(random);
}
