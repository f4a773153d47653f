import { createHmac, timingSafeEqual } from 'node:crypto';
import { Conflict, removeBatch } from '@steward/store';
import type { Deps } from '../../core/deps.ts';

/** How long a nonce is valid (behaviour.md 1.1). */
const NONCE_LIFE_MS = 60_000;

/** By how much the clocks of two machines may differ, in milliseconds; spent nonces are stored for that much longer. */
const CLOCK_DIFFERENCE_MS = 600_000;

/** How many long-expired nonces are deleted whenever one is spent; more than one, so that a backlog shrinks. */
const PRUNE_BATCH = 100;

const TIME_BYTES = 8;
const RANDOM_BYTES = 24;
const PAYLOAD_BYTES = TIME_BYTES + RANDOM_BYTES;
const MAC_BYTES = 32;

/**
 * Issues a nonce: the time, random bytes, and a MAC of both under a key that all instances share. Issued nonces
 * are therefore not stored, however many clients request; only spent ones are.
 */
export function issueNonce(deps: Deps): string {
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload.writeBigUInt64BE(BigInt(deps.clock.now()));
  deps.random.bytes(RANDOM_BYTES).copy(payload, TIME_BYTES);
  return Buffer.concat([payload, sign(deps, payload)]).toString('hex');
}

/**
 * Spends a nonce, which succeeds once across all instances.
 *
 * @returns whether this server issued it, it has not expired, and it was not spent before
 */
export async function spendNonce(deps: Deps, nonce: string): Promise<boolean> {
  const bytes = Buffer.from(nonce, 'hex');
  if (bytes.length !== PAYLOAD_BYTES + MAC_BYTES || bytes.toString('hex') !== nonce) return false;
  const payload = bytes.subarray(0, PAYLOAD_BYTES);
  if (!timingSafeEqual(bytes.subarray(PAYLOAD_BYTES), sign(deps, payload))) return false;
  const expires = Number(payload.readBigUInt64BE()) + NONCE_LIFE_MS;
  const now = deps.clock.now();
  if (expires < now) return false;
  try {
    await deps.spentNonces.insertOne({ _id: nonce, expires_ts: expires });
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
  await pruneNonces(deps, now);
  return true;
}

async function pruneNonces({ spentNonces }: Deps, now: number): Promise<void> {
  const expired = { expires_ts: { $lt: now - CLOCK_DIFFERENCE_MS } };
  await removeBatch(spentNonces, expired, { sort: { expires_ts: 1 }, size: PRUNE_BATCH });
}

function sign(deps: Deps, payload: Buffer): Buffer {
  return createHmac('sha256', deps.nonceKey).update(payload).digest();
}
