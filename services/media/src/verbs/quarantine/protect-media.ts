import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  ProtectMediaRequest,
  UnprotectMediaRequest,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { requester, requireAuthority } from '@steward/rpc';
import { changeAggregates } from '@steward/service';
import type { Deps } from '../../core/deps.ts';
import { mediaKey, protectionChange } from '../../core/model/media.ts';

/** Protects a medium from quarantine; a quarantined one stays quarantined (behaviour.md 5). */
export function protectMedia(deps: Deps, { mediaId }: ProtectMediaRequest) {
  return setProtection(deps, mediaId, true);
}

/** Ends the protection of a medium (behaviour.md 5). */
export async function unprotectMedia(
  deps: Deps,
  { mediaId }: UnprotectMediaRequest,
  context: HandlerContext,
) {
  const _id = mediaKey(deps.serverName, mediaId);
  const medium = await deps.media.findOne({ _id }, { projection: { user_id: 1 } });
  await requireAuthority(deps.authority, requester(context), [medium?.user_id]);
  return setProtection(deps, mediaId, false);
}

async function setProtection(deps: Deps, mediaId: string, isSafe: boolean): Promise<object> {
  const stored = { _id: mediaKey(deps.serverName, mediaId), state: 'stored' } as const;
  const changed = await changeAggregates(deps.media, stored, protectionChange(isSafe));
  if (changed === 0) throw refuse.notFoundUnknown('Media not found');
  return {};
}
