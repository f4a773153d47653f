import { refuse } from '@steward/errors';
import type {
  ProtectMediaRequest,
  UnprotectMediaRequest,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { changeAggregates } from '@steward/service';
import type { Deps } from '../../core/deps.ts';
import { mediaKey, protectionChange } from '../../core/model/media.ts';

/** Protects a medium from quarantine; a quarantined one stays quarantined (behaviour.md 5). */
export function protectMedia(deps: Deps, { mediaId }: ProtectMediaRequest) {
  return setProtection(deps, mediaId, true);
}

/** Ends the protection of a medium (behaviour.md 5). */
export function unprotectMedia(deps: Deps, { mediaId }: UnprotectMediaRequest) {
  return setProtection(deps, mediaId, false);
}

async function setProtection(deps: Deps, mediaId: string, isSafe: boolean): Promise<object> {
  const stored = { _id: mediaKey(deps.serverName, mediaId), state: 'stored' } as const;
  const changed = await changeAggregates(deps.media, stored, protectionChange(isSafe));
  if (changed === 0) throw refuse.notFoundUnknown('Media not found');
  return {};
}
