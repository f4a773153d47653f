const BYTES = 16;

/** A new key for a change, by which the server makes it once; see `CallOptions.idempotencyKey`. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
