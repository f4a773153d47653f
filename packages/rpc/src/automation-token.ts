import { crc32 } from 'node:zlib';
import type { Random } from '@steward/kernel';

/** What every automation token begins with, so that scanners for secrets find it. */
const PREFIX = 'stw_';

/** 240 bits: 48 characters without padding. */
const SECRET_BYTES = 30;

/** The base32 alphabet of RFC 4648, in lower case. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const BITS = 5;

/** The form: the prefix, 48 random characters, and 7 of the checksum. */
const FORM = /^stw_[a-z2-7]{55}$/;
const CHECKSUM_LENGTH = 7;

/** A new automation token: `stw_`, 240 random bits, and the CRC-32 of these, both in lower-case base32. */
export function newAutomationToken(random: Random): string {
  const text = PREFIX + base32(random.bytes(SECRET_BYTES));
  return text + checksum(text);
}

/** Whether a text has the form of an automation token, checksum included. Other tokens never do. */
export function isAutomationToken(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

function checksum(text: string): string {
  const sum = crc32(text);
  return base32([sum >>> 24, sum >>> 16, sum >>> 8, sum]);
}

/** The low eight bits of each number in base32, without padding. */
function base32(bytes: Iterable<number>): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | (byte & 0xff);
    bits += 8;
    for (; bits >= BITS; bits -= BITS) text += ALPHABET[(value >>> (bits - BITS)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET[value << (BITS - bits)];
}
