import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { parseOrRefuse, requireLocalSuffix } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { setCondition } from './set-condition.ts';

export async function setShadowBan(deps: Deps, context: HandlerContext, userId: string, banned: boolean) {
  requireLocalSuffix(deps, userId);
  parseOrRefuse(userId);
  const changed = await setCondition(deps, context, userId, () => ({ shadow_banned: banned }));
  if (!changed) throw refuse.notFoundUnknown('User not found');
  return {};
}
