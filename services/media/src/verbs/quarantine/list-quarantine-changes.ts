import { refuse } from '@steward/errors';
import { clampToSafe } from '@steward/kernel';
import type { ListQuarantineChangesRequest } from '@steward/proto/steward/media/v1/administration_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { changeId, numberOf } from '../../core/model/quarantine-change.ts';
import { newestNumber } from '../../core/quarantine-changes.ts';

/** The maximum number of changes in an answer. */
const MAX_CHANGES = 100;

/** The position before the first change; the n-th change is at n + 1. */
const FIRST_POSITION = 1;

/** Returns the changes of the quarantine since a position (behaviour.md 13.6, 14.2). */
export async function listQuarantineChanges(deps: Deps, request: ListQuarantineChangesRequest) {
  const from = Math.max(clampToSafe(request.from ?? 0n), FIRST_POSITION);
  const seen = from - FIRST_POSITION;
  if (seen > (await newestNumber(deps))) throw refuse.invalidParam("'from' is beyond the newest change");
  const changes = await deps.quarantineChanges
    .find({ _id: { $gt: changeId(seen) } }, { sort: { _id: 1 }, limit: MAX_CHANGES })
    .toArray();
  const last = changes.at(-1);
  return {
    nextBatch: BigInt(last ? numberOf(last) + FIRST_POSITION : from),
    changes: changes.map(({ origin, media_id, quarantined }) => ({ origin, mediaId: media_id, quarantined })),
  };
}
