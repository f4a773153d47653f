import type { HandlerContext } from '@connectrpc/connect';
import type { BanRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { moderate } from './moderate.ts';

/** Bans a user (client-plane.md 7.9). */
export function ban(deps: Deps, request: BanRequest, context: HandlerContext) {
  return moderate(deps, request, context, 'ban', 'ban');
}
