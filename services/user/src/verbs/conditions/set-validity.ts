import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { SetValidityRequest } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { localUser } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { setCondition } from './set-condition.ts';

/** Sets until when an account is valid; by default one validity period from now (behaviour.md 13.1). */
export async function setValidity(deps: Deps, request: SetValidityRequest, context: HandlerContext) {
  localUser(deps, request.userId);
  const expiration = request.expirationTs ?? BigInt(deps.clock.now() + deps.settings.accountValidityPeriodMs);
  const changed = await setCondition(deps, context, request.userId, () => ({
    expiration_ts: Number(expiration),
  }));
  if (!changed) throw refuse.notFound('User not found');
  return { expirationTs: expiration };
}
