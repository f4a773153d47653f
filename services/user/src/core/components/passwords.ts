import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** Turns passwords into hashes, off the event loop. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long when there is no hash, so that the time does not tell which accounts exist. */
  verify(hashed: string | null, password: string): Promise<boolean>;
}

/** Memory, in KiB, and passes of one hash: the least that OWASP recommends for argon2id. */
const MEMORY_KIB = 19_456;
const PASSES = 2;

/** The threads of the platform's pool that hashing leaves to others. */
const THREADS_LEFT = 1;
const POOL_THREADS = 4;

/** The processors that hashing leaves to the event loop, so that other requests do not wait for logins. */
const PROCESSORS_LEFT = 1;

const OPTIONS = { memoryCost: MEMORY_KIB, timeCost: PASSES, parallelism: 1 };

/** A hash for those who have none, made when it is first needed. */
let decoyOfAll: Promise<string> | undefined;

/**
 * Argon2id, which is the library's default, on the platform's thread pool. Fewer at a time than there
 * are processors: more would take memory without being quicker, and keep all other requests waiting.
 */
export async function createPasswords(): Promise<Passwords> {
  const processors = Math.max(availableParallelism() - PROCESSORS_LEFT, 1);
  const inTurn = pLimit(Math.min(processors, POOL_THREADS - THREADS_LEFT));
  decoyOfAll ??= hash('', OPTIONS);
  const decoy = await decoyOfAll;
  return {
    hash: (password) => inTurn(() => hash(password, OPTIONS)),
    async verify(hashed, password) {
      // An imported hash may be of an unknown kind: no password matches it, and the refusal takes as long.
      const check = () =>
        verify(hashed ?? decoy, password).catch(() => verify(decoy, password).then(() => false));
      const matches = await inTurn(check);
      return hashed !== null && matches;
    },
  };
}
