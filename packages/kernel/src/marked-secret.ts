import { crc32 } from 'node:zlib';
import type { Random } from './random.ts';

/** The digits of base32 in lower case (RFC 4648), which has no padding here. */
const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';
const DIGIT_BITS = 5;

/** 240 bits, which are whole digits. */
const SECRET_BYTES = 30;
const SECRET_DIGITS = (SECRET_BYTES * 8) / DIGIT_BITS;

/** The digits of a 32-bit checksum. */
const CHECKSUM_DIGITS = 7;

const BODY = new RegExp(`^[a-z2-7]{${SECRET_DIGITS + CHECKSUM_DIGITS}}$`);

/**
 * A new secret of a kind that its prefix shows: the prefix, 240 random bits in base32, and a checksum of both. Programs that
 * search for secrets recognise it, and a mistyped one is none.
 */
export function newMarkedSecret(prefix: string, random: Random): string {
  const text = prefix + toDigits(random.bytes(SECRET_BYTES));
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
  return toDigits(bytes);
}

/** Bytes in base32; the last digit is filled up with zeros. */
function toDigits(bytes: Buffer): string {
  let digits = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= DIGIT_BITS) {
      bits -= DIGIT_BITS;
      digits += DIGITS[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? digits : digits + DIGITS[(value << (DIGIT_BITS - bits)) & 31];
}
