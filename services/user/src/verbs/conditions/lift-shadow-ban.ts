import type { HandlerContext } from '@connectrpc/connect';
import type { LiftShadowBanRequest } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { setShadowBan } from './set-shadow-ban.ts';

/** Lifts a shadow-ban. */
export function liftShadowBan(deps: Deps, request: LiftShadowBanRequest, context: HandlerContext) {
  return setShadowBan(deps, context, request.userId, false);
}
