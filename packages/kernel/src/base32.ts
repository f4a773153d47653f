const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';
const DIGIT_BITS = 5;

/** Bytes in base32 (RFC 4648), in lower case and without padding; the last digit is filled up with zeros. */
export function toBase32(bytes: Uint8Array): string {
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
