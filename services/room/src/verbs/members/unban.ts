import type { HandlerContext } from '@connectrpc/connect';
import type { UnbanRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { moderate } from './moderate.ts';

/** Lifts a ban (client-plane.md 7.9). */
export function unban(deps: Deps, request: UnbanRequest, context: HandlerContext) {
  return moderate(deps, request, context, 'unban', 'leave');
}
