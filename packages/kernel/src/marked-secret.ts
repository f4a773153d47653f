import { crc32 } from 'node:zlib';
import { toBase32 } from './base32.ts';
import type { Random } from './random.ts';

/** 240 bits, which are whole digits. */
const SECRET_BYTES = 30;
const SECRET_DIGITS = 48;

/** The digits of a 32-bit checksum. */
const CHECKSUM_DIGITS = 7;

const BODY = new RegExp(`^[a-z2-7]{${SECRET_DIGITS + CHECKSUM_DIGITS}}$`);

/**
 * A new secret of a kind that its prefix shows: the prefix, 240 random bits in base32, and a checksum of both. Programs that
 * search for secrets recognise it, and a mistyped one is none.
 */
export function newMarkedSecret(prefix: string, random: Random): string {
  const text = prefix + toBase32(random.bytes(SECRET_BYTES));
  return text + checksumOf(text);
}

/** Whether a text has the form of such a secret, its checksum included. */
export function isMarkedSecret(prefix: string, text: string): boolean {
  if (!text.startsWith(prefix) || !BODY.test(text.slice(prefix.length))) return false;
  return text.slice(-CHECKSUM_DIGITS) === checksumOf(text.slice(0, -CHECKSUM_DIGITS));
}

function checksumOf(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return toBase32(bytes);
}
