import type { QuotaHolder } from '@steward/limits';
import { NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../deps.ts';
import { CLAIM_GRACE_MS } from '../keep-blob.ts';
import { heldReservations } from '../model/usage.ts';
import { changeOrCreateUsage, usages } from './change-usage.ts';

/** An upload that is about to begin. */
export interface PlannedUpload {
  /** The key of the medium that it will be, see `mediaKey`. */
  readonly media: string;
  /** In bytes. */
  readonly length: number;
}

/**
 * Reserves space for an upload in the quotas of its user. One commit checks and reserves, so that of concurrent uploads no
 * more pass than fit, in any process. The commit that counts the medium ends the reservation; that of a crashed process
 * expires. A user without quotas needs none.
 *
 * @throws quotaExceeded
 */
export async function reserveUpload(
  deps: Deps,
  user: QuotaHolder & { readonly userId: string },
  { media, length }: PlannedUpload,
): Promise<void> {
  const quotas = [deps.quotas.of(user, 'media_count'), deps.quotas.of(user, 'media_bytes')];
  if (!quotas.some(Number.isFinite)) return;
  await changeOrCreateUsage(
    deps,
    user.userId,
    (usage) => {
      const now = deps.clock.now();
      const reserved = heldReservations(usage, now);
      const reservedBytes = reserved.reduce((sum, reservation) => sum + reservation.length, 0);
      deps.quotas.require(user, 'media_count', usage.count + reserved.length + 1);
      deps.quotas.require(user, 'media_bytes', usage.length + reservedBytes + length);
      // The sweep removes the bytes of a crashed upload after the same time.
      const reservation = { media, length, until_ts: now + CLAIM_GRACE_MS };
      return { set: { reserved: [...reserved, reservation] } };
    },
    NOT_FLUSHED,
  );
}

/** Releases the space of an upload that failed. */
export async function releaseUpload(deps: Deps, userId: string, media: string): Promise<void> {
  await usages.change(
    deps,
    userId,
    ({ reserved = [] }) => {
      const others = reserved.filter((reservation) => reservation.media !== media);
      return others.length < reserved.length ? { set: { reserved: others } } : undefined;
    },
    NOT_FLUSHED,
  );
}
