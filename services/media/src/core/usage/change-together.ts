import { type Decision, unchanged } from '@steward/service';
import { NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../deps.ts';
import { CLAIM_GRACE_MS } from '../keep-blob.ts';
import type { Media } from '../model/media.ts';
import { heldReservations, type Reservation, type Usage, type UsageEffect } from '../model/usage.ts';
import type { UsageOutcome, UsageRequest } from '../usage-requests.ts';
import { addedTo, changeOrCreateUsage, MAX_MEDIA_OF_CHANGE, usages } from './change-usage.ts';

/**
 * Performs a request that concerns the usage of a user, together with the concurrent ones of this process in one commit.
 * Parallel uploads of one user would otherwise conflict with each other. Requests of other processes conflict as usual.
 *
 * The commit is not flushed: after a power failure a reservation has no upload, and a medium is counted once more.
 *
 * @returns how many media were counted
 * @throws quotaExceeded for a reservation that does not fit
 */
export async function changeTogether(deps: Deps, userId: string, request: UsageRequest): Promise<number> {
  const { counted, refusals } = await deps.usageRequests.call(userId, request, (requests) =>
    performAll(deps, userId, requests),
  );
  if (refusals.has(request)) throw refusals.get(request);
  return counted;
}

async function performAll(
  deps: Deps,
  userId: string,
  requests: readonly UsageRequest[],
): Promise<UsageOutcome> {
  const decide = async (usage: Usage) => {
    // Read after the usage, so that their state belongs to the version on which the commit depends.
    const uncounted = requests.some(({ kind }) => kind === 'count') ? await uncountedOf(deps, userId) : [];
    const decided = decideTogether(deps, usage, requests, uncounted);
    const result: UsageOutcome = { counted: uncounted.length, refusals: decided.refusals };
    return decided.decision ? { ...decided.decision, result } : unchanged(result);
  };
  // Only uploads and counts need a usage that does not exist yet.
  const outcome = requests.every(({ kind }) => kind === 'release')
    ? (await usages.change(deps, userId, decide, NOT_FLUSHED))?.result
    : await changeOrCreateUsage(deps, userId, decide, NOT_FLUSHED);
  return outcome ?? { counted: 0, refusals: new Map() };
}

function uncountedOf({ media }: Deps, userId: string): Promise<readonly Media[]> {
  return media.find({ user_id: userId, uncounted: true }, { limit: MAX_MEDIA_OF_CHANGE }).toArray();
}

/** Counts media, ends reservations, and reserves what fits, in the order of the requests. */
function decideTogether(
  { clock, quotas }: Deps,
  usage: Usage,
  requests: readonly UsageRequest[],
  uncounted: readonly Media[],
): {
  readonly decision: Decision<Usage, UsageEffect> | undefined;
  readonly refusals: ReadonlyMap<UsageRequest, unknown>;
} {
  const now = clock.now();
  const sums = addedTo(usage, uncounted);
  const { count, length } = sums;
  const ended = new Set(uncounted.map(({ _id }) => _id));
  for (const request of requests) if (request.kind === 'release') ended.add(request.media);
  const reserved: Reservation[] = heldReservations(usage, now).filter(({ media }) => !ended.has(media));
  const hasEnded = usage.reserved?.some(({ media }) => ended.has(media)) ?? false;

  const refusals = new Map<UsageRequest, unknown>();
  const kept = reserved.length;
  let reservedLength = reserved.reduce((sum, reservation) => sum + reservation.length, 0);
  for (const request of requests) {
    if (request.kind !== 'reserve') continue;
    try {
      quotas.require(request.holder, 'media_count', count + reserved.length + 1);
      quotas.require(request.holder, 'media_bytes', length + reservedLength + request.length);
    } catch (refusal) {
      refusals.set(request, refusal);
      continue;
    }
    // The sweep removes the bytes of a crashed upload after the same time.
    reserved.push({ media: request.media, length: request.length, until_ts: now + CLAIM_GRACE_MS });
    reservedLength += request.length;
  }

  const isChanged = uncounted.length > 0 || hasEnded || reserved.length > kept;
  if (!isChanged) return { decision: undefined, refusals };
  const effects = uncounted.map(({ _id }) => ({ kind: 'counted', media: _id }) as const);
  const counted = uncounted.length > 0 ? sums : {};
  const reservations = hasEnded || reserved.length > kept ? { reserved } : {};
  return { decision: { set: { ...counted, ...reservations }, effects }, refusals };
}
