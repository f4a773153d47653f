import { randomBytes, randomInt } from 'node:crypto';

const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A source of unguessable values. Injected, so that tests can make it repeatable. */
export interface Random {
  /** `size` random bytes. */
  bytes(size: number): Buffer;
  /** A whole number in `[0, bound)`. */
  below(bound: number): number;
}

/** The bytes requested from the platform at once: a call costs more than the bytes. */
const POOL_BYTES = 4096;

let pool = Buffer.alloc(0);

/** The cryptographic random source of the platform. */
export const systemRandom: Random = {
  bytes(size) {
    if (size > POOL_BYTES) return randomBytes(size);
    if (pool.length < size) pool = randomBytes(POOL_BYTES);
    const taken = Buffer.from(pool.subarray(0, size));
    pool = pool.subarray(size);
    return taken;
  },
  below: (bound) => randomInt(bound),
};

/** `length` random capital letters: the form of a generated device id. */
export function randomCapitals(random: Random, length: number): string {
  let letters = '';
  for (let i = 0; i < length; i++) letters += CAPITALS[random.below(CAPITALS.length)];
  return letters;
}

/** A random id in URL-safe base64; 16 bytes are unique without coordination. */
export function randomId(random: Random, size = 16): string {
  return idOf(random.bytes(size));
}

/** Bytes as an id in URL-safe base64. It never begins with a dash, which commands would take for an option. */
export function idOf(bytes: Buffer): string {
  return bytes.toString('base64url').replace(/^-/, 'A');
}
