import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { LiftShadowBanRequest, ShadowBanRequest } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { parseOrRefuse, requireLocalSuffix } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { setCondition } from './set-condition.ts';

/** Shadow-bans an account (behaviour.md 2.10). */
export function shadowBan(deps: Deps, request: ShadowBanRequest, context: HandlerContext) {
  return setShadowBan(deps, context, request.userId, true);
}

/** Ends a shadow-ban. */
export function liftShadowBan(deps: Deps, request: LiftShadowBanRequest, context: HandlerContext) {
  return setShadowBan(deps, context, request.userId, false);
}

async function setShadowBan(deps: Deps, context: HandlerContext, userId: string, banned: boolean) {
  requireLocalSuffix(deps, userId);
  parseOrRefuse(userId);
  const changed = await setCondition(deps, context, userId, () => ({ shadow_banned: banned }));
  if (!changed) throw refuse.notFoundUnknown('User not found');
  return {};
}
