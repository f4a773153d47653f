import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { verify as verifyBcrypt } from '@node-rs/bcrypt';
import { passwordText } from '@steward/kernel';
import { FairSlots } from '@steward/limits';
import { readPasswordHash } from '../model/password-hash.ts';
import type { Peppers } from './peppers.ts';

/**
 * Turns passwords into hashes, off the event loop, in the form of `passwordText`. `by` is the user or the address that causes the work: where it queues,
 * they take turns. Logins have a queue of their own.
 *
 * All throw `limitExceeded` when too much waits.
 */
export interface Passwords {
  hash(password: string, by: string): Promise<string>;
  /**
   * Takes the same time without a hash, so that the time does not reveal which accounts exist. A hash of another scheme takes its own
   * time, until it is renewed.
   */
  verifyLogin(hashed: string | null, password: string, by: string): Promise<boolean>;
  /** As `verifyLogin`, for a user who is logged in. */
  verify(hashed: string | null, password: string, by: string): Promise<boolean>;
}

/** Memory, in KiB, and passes of one hash: the minimum that OWASP recommends for argon2id. */
const MEMORY_KIB = 19_456;
const PASSES = 2;

/** The threads of the platform's pool that hashing leaves free. */
const THREADS_LEFT = 1;
const POOL_THREADS = 4;

/** The processors that hashing leaves free for the event loop, so that other requests do not wait for logins. */
const PROCESSORS_LEFT = 1;

/** The slots that logins and all other hashes have together at least, so that one queue does not wait for the other. */
const MIN_SLOTS = 2;

/** How much waits in a queue, and of one user or address: more than an administrator's tool has in progress. */
const MAX_WAITING = 1_000;
const MAX_WAITING_OF_ONE = 250;

/** How much of a password, with its pepper, bcrypt uses, in bytes. */
const BCRYPT_BYTES = 72;

const OPTIONS = { memoryCost: MEMORY_KIB, timeCost: PASSES, parallelism: 1 };

const NO_PEPPER = Buffer.alloc(0);

/** The hash that is verified when an account has none; created on first use. */
let sharedDecoy: Promise<string> | undefined;

/**
 * Hashes with Argon2id, which is the library's default, on the platform's thread pool. Fewer hashes run
 * concurrently than there are processors: more would use memory without being faster, and delay other requests. Imported bcrypt hashes
 * are verified in the same slots.
 *
 * @param peppers those of imported hashes; a password whose pepper is not among them matches nothing
 */
export async function createPasswords(peppers: Peppers = new Map()): Promise<Passwords> {
  const processors = Math.max(availableParallelism() - PROCESSORS_LEFT, 1);
  const slots = Math.min(processors, POOL_THREADS - THREADS_LEFT);
  const pool = new FairSlots({ slots: Math.max(slots, MIN_SLOTS) });
  const queue = (name: string) => {
    const waiting = new FairSlots({ slots, maxWaiting: MAX_WAITING, maxWaitingPerKey: MAX_WAITING_OF_ONE });
    return <T>(by: string, work: () => Promise<T>) => waiting.run(by, () => pool.run(name, work));
  };
  const logins = queue('logins');
  const others = queue('others');
  sharedDecoy ??= hash('', OPTIONS);
  const decoy = await sharedDecoy;
  const matchesHash = async (hashed: string | null, text: string) => {
    // An imported hash may be of an unknown kind: no password matches it, and the refusal takes the same time.
    const matches = await verify(hashed ?? decoy, text).catch(() => verify(decoy, text).then(() => false));
    return hashed !== null && matches;
  };
  const check = async (hashed: string | null, password: string) => {
    const text = passwordText(password);
    const stored = readPasswordHash(hashed ?? '');
    if (stored.scheme === 'bcrypt') {
      const pepper = stored.pepper === undefined ? NO_PEPPER : peppers.get(stored.pepper);
      const bytes = Buffer.concat([Buffer.from(text), pepper ?? NO_PEPPER]).subarray(0, BCRYPT_BYTES);
      return (await verifyBcrypt(bytes, stored.hash)) && pepper !== undefined;
    }
    if (await matchesHash(hashed, text)) return true;
    // Earlier releases, and other servers, hashed the password as it was given.
    return text !== password && matchesHash(hashed, password);
  };
  return {
    hash: (password, by) => others(by, () => hash(passwordText(password), OPTIONS)),
    verifyLogin: (hashed, password, by) => logins(by, () => check(hashed, password)),
    verify: (hashed, password, by) => others(by, () => check(hashed, password)),
  };
}
