import { createHmac, timingSafeEqual } from 'node:crypto';

/** What the MAC of a registration covers (behaviour.md 1.2). */
export interface MacInput {
  readonly nonce: string;
  /** As given, not lower-cased. */
  readonly username: string;
  readonly password: string;
  readonly admin: boolean;
  /** Left out of the MAC when empty. */
  readonly userType?: string | undefined;
}

/** HMAC-SHA1 in lower-case hexadecimal, over the items separated by NUL. */
export function registrationMac(secret: string, input: MacInput): string {
  const items = [input.nonce, input.username, input.password, input.admin ? 'admin' : 'notadmin'];
  if (input.userType) items.push(input.userType);
  return createHmac('sha1', secret).update(items.join('\0')).digest('hex');
}

/** Whether a MAC is the right one, compared in constant time. */
export function macMatches(expected: string, given: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(given);
  return a.length === b.length && timingSafeEqual(a, b);
}
