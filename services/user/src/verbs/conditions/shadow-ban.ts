import type { HandlerContext } from '@connectrpc/connect';
import type { ShadowBanRequest } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { setShadowBan } from './set-shadow-ban.ts';

/** Shadow-bans an account (behaviour.md 2.10). */
export function shadowBan(deps: Deps, request: ShadowBanRequest, context: HandlerContext) {
  return setShadowBan(deps, context, request.userId, true);
}
