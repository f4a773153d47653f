import { refuse } from '@steward/errors';
import type { UpdateRegistrationTokenRequest } from '@steward/proto/steward/user/v1/registration_tokens_pb.ts';
import type { Deps } from '../../core/deps.ts';
import {
  changeRegistrationToken,
  type TokenChange,
} from '../../core/registration-tokens/change-registration-token.ts';
import { requireFuture } from './create-registration-token.ts';
import { toRegistrationToken } from './render-registration-token.ts';

/** Changes how often and until when a token can be used (behaviour.md 13.2); earlier uses still count. */
export async function updateRegistrationToken(deps: Deps, request: UpdateRegistrationTokenRequest) {
  const presentKeys = request.present?.paths ?? [];
  const { usesAllowed, expiryTime } = request;
  const change: TokenChange = {
    ...(presentKeys.includes('uses_allowed')
      ? { uses_allowed: usesAllowed === undefined ? null : Number(usesAllowed) }
      : {}),
    ...(presentKeys.includes('expiry_time')
      ? { expiry_ts: expiryTime === undefined ? null : Number(expiryTime) }
      : {}),
  };
  requireFuture(deps, { expiry_ts: change.expiry_ts ?? null });
  const changed = await changeRegistrationToken(deps, request.token, () =>
    Object.keys(change).length > 0 ? change : undefined,
  );
  if (!changed) throw refuse.notFound('Registration token not found');
  return { token: toRegistrationToken(changed, deps.clock.now()) };
}
