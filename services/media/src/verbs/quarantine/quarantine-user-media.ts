import type { HandlerContext } from '@connectrpc/connect';
import {
  MediaAdministrationService,
  type QuarantineUserMediaRequest,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { methodRules, requester } from '@steward/rpc';
import { changeQuarantine, MAX_AT_ONCE } from '../../core/change-quarantine.ts';
import type { Deps } from '../../core/deps.ts';
import { QUARANTINE_USER_MEDIA, quarantineInBulk } from './bulk-quarantine.ts';

const MAX_WAIT_MS = methodRules(MediaAdministrationService.method.quarantineUserMedia).maxWaitMs;

/** Puts what a user uploaded into quarantine, but for what is in there already (behaviour.md 5). */
export async function quarantineUserMedia(
  deps: Deps,
  request: QuarantineUserMediaRequest,
  context: HandlerContext,
) {
  const { userId: requestedBy } = requester(context);
  const open = { quarantined_by: null, safe_from_quarantine: false };
  const some = await deps.media
    .find({ user_id: request.userId, ...open }, { limit: MAX_AT_ONCE + 1, projection: { _id: 1 } })
    .toArray();
  if (some.length <= MAX_AT_ONCE) {
    const keys = some.map(({ _id }) => _id);
    return { numQuarantined: BigInt(await changeQuarantine(deps, keys, open, requestedBy)) };
  }
  const bulk = {
    kind: QUARANTINE_USER_MEDIA,
    key: request.userId,
    requestedBy,
    maxWaitMs: MAX_WAIT_MS,
  } as const;
  return { numQuarantined: BigInt(await quarantineInBulk(deps, bulk, context.signal)) };
}
