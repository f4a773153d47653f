import type { HandlerContext } from '@connectrpc/connect';
import {
  MediaAdministrationService,
  type QuarantineUserMediaRequest,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { methodRules, requester } from '@steward/rpc';
import { BATCH_SIZE } from '../../core/change-quarantine.ts';
import type { Deps } from '../../core/deps.ts';
import { QUARANTINE_USER_MEDIA, quarantineAll } from './bulk-quarantine.ts';

const MAX_WAIT_MS = methodRules(MediaAdministrationService.method.quarantineUserMedia).maxWaitMs;

/** Quarantines a user's media, except quarantined ones (behaviour.md 5). */
export async function quarantineUserMedia(
  deps: Deps,
  request: QuarantineUserMediaRequest,
  context: HandlerContext,
) {
  const { userId: requestedBy } = requester(context);
  const { userId } = request;
  const bulk = { kind: QUARANTINE_USER_MEDIA, key: userId, requestedBy, maxWaitMs: MAX_WAIT_MS } as const;
  const findFew = async () => {
    const which = { quarantined_by: null, safe_from_quarantine: false };
    const some = await deps.media
      .find({ user_id: userId, ...which }, { limit: BATCH_SIZE + 1, projection: { _id: 1 } })
      .toArray();
    return some.length > BATCH_SIZE ? undefined : { keys: some.map(({ _id }) => _id), which };
  };
  return { numQuarantined: BigInt(await quarantineAll(deps, bulk, findFew, context.signal)) };
}
