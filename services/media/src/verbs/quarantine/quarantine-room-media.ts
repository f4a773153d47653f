import type { HandlerContext } from '@connectrpc/connect';
import {
  MediaAdministrationService,
  type QuarantineRoomMediaRequest,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { methodRules, requester } from '@steward/rpc';
import { BATCH_SIZE } from '../../core/change-quarantine.ts';
import type { Deps } from '../../core/deps.ts';
import { keyOf } from '../../core/model/media.ts';
import { UNPROTECTED } from '../../core/same-content.ts';
import { QUARANTINE_ROOM_MEDIA, quarantineAll } from './bulk-quarantine.ts';
import { findFew } from './find-few.ts';

const MAX_WAIT_MS = methodRules(MediaAdministrationService.method.quarantineRoomMedia).maxWaitMs;

/** Quarantines the media in a room's events and all of the same content, each once (behaviour.md 5, 14.2). */
export async function quarantineRoomMedia(
  deps: Deps,
  { roomId }: QuarantineRoomMediaRequest,
  context: HandlerContext,
) {
  const { userId: requestedBy } = requester(context);
  const bulk = { kind: QUARANTINE_ROOM_MEDIA, key: roomId, requestedBy, maxWaitMs: MAX_WAIT_MS } as const;
  const few = async () => {
    const { uris, next } = await deps.rooms.mediaOf(roomId, null);
    const keys = [...new Set(uris.flatMap(keyOf))];
    const isAll = next === null && keys.length <= BATCH_SIZE;
    return isAll ? findFew(deps, { _id: { $in: keys } }, UNPROTECTED) : undefined;
  };
  return { numQuarantined: BigInt(await quarantineAll(deps, bulk, few, context.signal)) };
}
