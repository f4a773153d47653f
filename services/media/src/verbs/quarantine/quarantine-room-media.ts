import type { HandlerContext } from '@connectrpc/connect';
import {
  MediaAdministrationService,
  type QuarantineRoomMediaRequest,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { methodRules, requester } from '@steward/rpc';
import { changeQuarantine, MAX_AT_ONCE } from '../../core/change-quarantine.ts';
import type { Deps } from '../../core/deps.ts';
import { QUARANTINE_ROOM_MEDIA, quarantineInBulk } from './bulk-quarantine.ts';
import { keyOf } from './quarantine-task.ts';

const MAX_WAIT_MS = methodRules(MediaAdministrationService.method.quarantineRoomMedia).maxWaitMs;

/** Puts what a room's events show into quarantine, each medium once (behaviour.md 5). */
export async function quarantineRoomMedia(
  deps: Deps,
  { roomId }: QuarantineRoomMediaRequest,
  context: HandlerContext,
) {
  const { userId: requestedBy } = requester(context);
  const { uris, next } = await deps.rooms.mediaOf(roomId, null);
  const keys = [...new Set(uris.flatMap(keyOf))];
  if (next === null && keys.length <= MAX_AT_ONCE) {
    const open = { safe_from_quarantine: false };
    return { numQuarantined: BigInt(await changeQuarantine(deps, keys, open, requestedBy)) };
  }
  const bulk = { kind: QUARANTINE_ROOM_MEDIA, key: roomId, requestedBy, maxWaitMs: MAX_WAIT_MS } as const;
  return { numQuarantined: BigInt(await quarantineInBulk(deps, bulk, context.signal)) };
}
