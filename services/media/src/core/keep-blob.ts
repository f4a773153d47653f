import { NOT_FLUSHED, Unavailable } from '@steward/store';
import { originalKey } from './blobs/blob-key.ts';
import type { StoredBlob } from './blobs/blob-store.ts';
import type { Deps } from './deps.ts';

/**
 * How long the sweep keeps bytes without a document, in milliseconds: longer than any upload may take, so
 * that the removed ones belong to a crashed upload.
 */
export const CLAIM_GRACE_MS = 60 * 60 * 1_000;

/** How often the claim of bytes is renewed while they are being stored; a slow move takes longer than an upload. */
const RENEWAL_INTERVAL_MS = CLAIM_GRACE_MS / 6;

/** The number of claims in one read of the sweep. */
const SWEEP_BATCH = 100;

/**
 * Stores bytes, then calls `attach` to name them in a document. After any failure or crash, the bytes are
 * removed if no document names them.
 *
 * @returns the result of `attach`
 */
export async function keepBlob<T>(
  { blobs, claims, clock }: Pick<Deps, 'blobs' | 'claims' | 'clock'>,
  key: string,
  put: () => Promise<StoredBlob>,
  attach: (stored: StoredBlob) => Promise<T>,
): Promise<T> {
  await claims.updateOne({ _id: key }, { $set: { since_ts: clock.now() } }, { upsert: true });
  let renewedTs = clock.now();
  const renew = async () => {
    const now = clock.now();
    const { matchedCount } = await claims.updateOne({ _id: key }, { $set: { since_ts: now } }, NOT_FLUSHED);
    if (matchedCount === 0)
      throw new Error(`The sweep has removed the bytes ${key}, because their claim was old`);
    renewedTs = now;
  };
  // A failed renewal is made up for by the next one, or by the one at the end.
  const renewal = setInterval(() => void renew().catch(() => {}), RENEWAL_INTERVAL_MS);
  let stored: StoredBlob;
  try {
    stored = await put();
    // If the process stood still, the sweep may have removed the bytes.
    if (clock.now() - renewedTs > 2 * RENEWAL_INTERVAL_MS) await renew();
  } catch (error) {
    // Immediately if possible; otherwise the sweep removes them. A storage that did not answer may store them still.
    const mayFollow = error instanceof Unavailable;
    await blobs.delete(key).then(
      () => (mayFollow ? undefined : claims.deleteOne({ _id: key })),
      () => {},
    );
    throw error;
  } finally {
    clearInterval(renewal);
  }
  // When this fails, the document may have been written nevertheless; only the sweep can decide.
  const result = await attach(stored);
  // Not flushed: the sweep finds a claim that a power failure restores, and the document that names the bytes.
  await claims.deleteOne({ _id: key }, NOT_FLUSHED);
  return result;
}

/** Removes the bytes that crashed processes left without a document. */
export async function sweepClaims(deps: Pick<Deps, 'blobs' | 'claims' | 'clock' | 'media'>): Promise<void> {
  const { blobs, claims, clock } = deps;
  const before = clock.now() - CLAIM_GRACE_MS;
  for (;;) {
    const old = await claims
      .find({ since_ts: { $lt: before } }, { sort: { since_ts: 1, _id: 1 }, limit: SWEEP_BATCH })
      .toArray();
    for (const { _id: key } of old) {
      if (!(await isNamed(deps, key))) await blobs.delete(key);
      await claims.deleteOne({ _id: key, since_ts: { $lt: before } });
    }
    if (old.length < SWEEP_BATCH) return;
  }
}

/** Whether a document names a blob, either as its original or as one of its thumbnails. */
async function isNamed({ media }: Pick<Deps, 'media'>, key: string): Promise<boolean> {
  const blob = originalKey(key);
  // A medium that is being deleted needs its bytes no longer.
  const owner = await media.findOne({ blob, state: 'stored' }, { projection: { thumbnails: 1 } });
  if (!owner) return false;
  return key === blob || owner.thumbnails.some((thumbnail) => thumbnail.key === key);
}
