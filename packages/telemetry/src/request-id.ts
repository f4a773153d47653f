import { type Random, randomId } from '@steward/kernel';

const SOUND_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The id that a client gave its request, if it is short and safe to log; otherwise a new id. */
export function requestId(inbound: string | undefined, random: Random): string {
  return inbound !== undefined && SOUND_ID.test(inbound) ? inbound : randomId(random);
}
