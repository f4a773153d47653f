import type { HandlerContext } from '@connectrpc/connect';
import type { Planned } from '@steward/plans';
import {
  MediaAdministrationService,
  type QuarantineRoomMediaRequest,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { methodRules, requester } from '@steward/rpc';
import { BATCH_SIZE } from '../../core/change-quarantine.ts';
import type { Deps } from '../../core/deps.ts';
import { keyOf } from '../../core/model/media.ts';
import { type Reach, reachOf } from '../../core/reach.ts';
import { UNPROTECTED } from '../../core/same-content.ts';
import { QUARANTINE_ROOM_MEDIA, quarantineAll } from './bulk-quarantine.ts';
import { findIfFew } from './find-if-few.ts';
import { quarantinePlan } from './quarantine-plan.ts';

const MAX_WAIT_MS = methodRules(MediaAdministrationService.method.quarantineRoomMedia).maxWaitMs;

/**
 * Quarantines the media in a room's events and all of the same content, each once, apart from what the caller may not act against (behaviour.md 5, 14.2).
 */
export async function quarantineRoomMedia(
  deps: Deps,
  { roomId }: QuarantineRoomMediaRequest,
  context: HandlerContext,
) {
  const caller = requester(context);
  const { userId: requestedBy } = caller;
  const reach = await reachOf(deps, caller);
  const bulk = { kind: QUARANTINE_ROOM_MEDIA, key: roomId, requestedBy, maxWaitMs: MAX_WAIT_MS } as const;
  const few = async () => (await shownIn(deps, roomId, reach)).few;
  return { numQuarantined: BigInt(await quarantineAll(deps, bulk, few, context.signal)) };
}

/** Plans `quarantineRoomMedia`. */
export async function planQuarantineRoomMedia(
  deps: Deps,
  { roomId }: QuarantineRoomMediaRequest,
  context: HandlerContext,
): Promise<Planned> {
  const caller = requester(context);
  const { keys, few } = await shownIn(deps, roomId, await reachOf(deps, caller));
  const selected = { _id: { $in: few?.keys ?? keys }, ...UNPROTECTED };
  return quarantinePlan(deps, selected, caller.userId, few === undefined);
}

/** The first media that the events of a room show; with all of the same content, if they are few. */
async function shownIn(deps: Deps, roomId: string, reach: Reach) {
  const { uris, next } = await deps.rooms.mediaOf(roomId, null);
  const keys = [...new Set(uris.flatMap(keyOf))];
  const isAll = next === null && keys.length <= BATCH_SIZE;
  const few = isAll ? await findIfFew(deps, { _id: { $in: keys } }, UNPROTECTED, reach) : undefined;
  return { keys, few };
}
