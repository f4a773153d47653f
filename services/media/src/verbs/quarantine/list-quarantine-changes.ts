import { refuse } from '@steward/errors';
import type { ListQuarantineChangesRequest } from '@steward/proto/steward/media/v1/administration_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { changeId, positionOf } from '../../core/model/quarantine-change.ts';
import { clampToSafe } from '../../core/page.ts';
import { newestPosition } from '../../core/quarantine-changes.ts';

/** The maximum number of changes in an answer. */
const MAX_CHANGES = 100;

/** Returns the changes of the quarantine since a position (behaviour.md 13.6). */
export async function listQuarantineChanges(deps: Deps, request: ListQuarantineChangesRequest) {
  const from = clampToSafe(request.from ?? 0n);
  if (from > (await newestPosition(deps))) throw refuse.invalidParam("'from' is beyond the newest change");
  const changes = await deps.quarantineChanges
    .find({ _id: { $gt: changeId(from) } }, { sort: { _id: 1 }, limit: MAX_CHANGES })
    .toArray();
  const last = changes.at(-1);
  return {
    nextBatch: BigInt(last ? positionOf(last) : from),
    changes: changes.map(({ origin, media_id, quarantined }) => ({ origin, mediaId: media_id, quarantined })),
  };
}
