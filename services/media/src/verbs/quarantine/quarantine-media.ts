import type { HandlerContext } from '@connectrpc/connect';
import type {
  QuarantineMediaRequest,
  UnquarantineMediaRequest,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { requester } from '@steward/rpc';
import { changeQuarantine } from '../../core/change-quarantine.ts';
import type { Deps } from '../../core/deps.ts';
import { mediaKey } from '../../core/model/media.ts';

/** Quarantines one medium if it exists and is not protected (behaviour.md 5). */
export async function quarantineMedia(
  deps: Deps,
  { serverName, mediaId }: QuarantineMediaRequest,
  context: HandlerContext,
) {
  const { userId } = requester(context);
  await changeQuarantine(deps, [mediaKey(serverName, mediaId)], { safe_from_quarantine: false }, userId);
  return {};
}

/** Ends the quarantine of one medium, if it is quarantined (behaviour.md 5). */
export async function unquarantineMedia(deps: Deps, { serverName, mediaId }: UnquarantineMediaRequest) {
  await changeQuarantine(deps, [mediaKey(serverName, mediaId)], { quarantined_by: { $ne: null } }, null);
  return {};
}
