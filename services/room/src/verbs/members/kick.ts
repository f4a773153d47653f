import type { HandlerContext } from '@connectrpc/connect';
import type { KickRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { moderate } from './moderate.ts';

/** Makes a user leave (client-plane.md 7.9). */
export function kick(deps: Deps, request: KickRequest, context: HandlerContext) {
  return moderate(deps, request, context, 'kick', 'leave');
}
