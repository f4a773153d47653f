import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** Turns passwords into hashes, off the event loop. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes the same time without a hash, so that the time does not reveal which accounts exist. */
  verify(hashed: string | null, password: string): Promise<boolean>;
}

/** Memory, in KiB, and passes of one hash: the minimum that OWASP recommends for argon2id. */
const MEMORY_KIB = 19_456;
const PASSES = 2;

/** The threads of the platform's pool that hashing leaves free. */
const THREADS_LEFT = 1;
const POOL_THREADS = 4;

/** The processors that hashing leaves free for the event loop, so that other requests do not wait for logins. */
const PROCESSORS_LEFT = 1;

const OPTIONS = { memoryCost: MEMORY_KIB, timeCost: PASSES, parallelism: 1 };

/** The hash that is verified when an account has none; created on first use. */
let sharedDecoy: Promise<string> | undefined;

/**
 * Hashes with Argon2id, which is the library's default, on the platform's thread pool. Fewer hashes run
 * concurrently than there are processors: more would use memory without being faster, and delay other requests.
 */
export async function createPasswords(): Promise<Passwords> {
  const processors = Math.max(availableParallelism() - PROCESSORS_LEFT, 1);
  const limited = pLimit(Math.min(processors, POOL_THREADS - THREADS_LEFT));
  sharedDecoy ??= hash('', OPTIONS);
  const decoy = await sharedDecoy;
  return {
    hash: (password) => limited(() => hash(password, OPTIONS)),
    async verify(hashed, password) {
      // An imported hash may be of an unknown kind: no password matches it, and the refusal takes the same time.
      const check = () =>
        verify(hashed ?? decoy, password).catch(() => verify(decoy, password).then(() => false));
      const matches = await limited(check);
      return hashed !== null && matches;
    },
  };
}
