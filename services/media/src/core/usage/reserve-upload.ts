import type { QuotaHolder } from '@steward/limits';
import type { Deps } from '../deps.ts';
import { changeTogether } from './change-together.ts';

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
  upload: PlannedUpload,
): Promise<void> {
  if (!isLimited(deps, user)) return;
  await changeTogether(deps, user.userId, { kind: 'reserve', holder: user, ...upload });
}

/** Releases the space of an upload that failed. */
export async function releaseUpload(
  deps: Deps,
  user: QuotaHolder & { readonly userId: string },
  media: string,
): Promise<void> {
  if (!isLimited(deps, user)) return;
  await changeTogether(deps, user.userId, { kind: 'release', media });
}

function isLimited({ quotas }: Deps, user: QuotaHolder): boolean {
  return Number.isFinite(quotas.of(user, 'media_count')) || Number.isFinite(quotas.of(user, 'media_bytes'));
}
