import type { Random } from '@steward/kernel';

const PREFIX = 'whsec_';

/** As many as a digest of SHA-256 has. */
const NEW_SECRET_BYTES = 32;

/** The lengths that Standard Webhooks permits. */
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/** A new secret of 32 random bytes, as receivers get it: `whsec_` and base64. */
export function createSecret(random: Random): string {
  return PREFIX + random.bytes(NEW_SECRET_BYTES).toString('base64');
}

/**
 * The bytes of a secret, with which messages are signed.
 *
 * @returns undefined unless the text is `whsec_` and the base64 of 24 to 64 bytes, with padding, as all receivers can read it
 */
export function parseSecret(text: string): Uint8Array | undefined {
  if (!text.startsWith(PREFIX)) return undefined;
  const encoded = text.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length < MIN_SECRET_BYTES || bytes.length > MAX_SECRET_BYTES) return undefined;
  return bytes.toString('base64') === encoded ? bytes : undefined;
}
