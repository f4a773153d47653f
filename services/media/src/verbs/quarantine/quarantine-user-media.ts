import type { HandlerContext } from '@connectrpc/connect';
import {
  MediaAdministrationService,
  type QuarantineUserMediaRequest,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { methodRules, requester } from '@steward/rpc';
import { MAX_AT_ONCE } from '../../core/change-quarantine.ts';
import type { Deps } from '../../core/deps.ts';
import { QUARANTINE_USER_MEDIA, quarantineAll } from './bulk-quarantine.ts';

const MAX_WAIT_MS = methodRules(MediaAdministrationService.method.quarantineUserMedia).maxWaitMs;

/** Puts what a user uploaded into quarantine, but for what is in there already (behaviour.md 5). */
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
      .find({ user_id: userId, ...which }, { limit: MAX_AT_ONCE + 1, projection: { _id: 1 } })
      .toArray();
    return some.length > MAX_AT_ONCE ? undefined : { keys: some.map(({ _id }) => _id), which };
  };
  return { numQuarantined: BigInt(await quarantineAll(deps, bulk, findFew, context.signal)) };
}
