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
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return base32(bytes);
}

/** Bytes in base32, without padding. */
function base32(bytes: Buffer): string {
  const digits = Math.ceil((bytes.length * 8) / BITS);
  const padded = BigInt(`0x${bytes.toString('hex')}`) << BigInt(digits * BITS - bytes.length * 8);
  return Array.from({ length: digits }, (_, i) => {
    const shift = BigInt((digits - 1 - i) * BITS);
    return ALPHABET[Number((padded >> shift) & 31n)];
  }).join('');
}
