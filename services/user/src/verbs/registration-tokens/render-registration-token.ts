import type { MessageInitShape } from '@bufbuild/protobuf';
import { optionalInt64 } from '@steward/kernel';
import type { RegistrationTokenSchema } from '@steward/proto/steward/user/v1/registration_tokens_pb.ts';
import { liveUses, type RegistrationToken } from '../../core/model/registration-token.ts';

/** The token as administrators see it. */
export function toRegistrationToken(
  token: RegistrationToken,
  now: number,
): MessageInitShape<typeof RegistrationTokenSchema> {
  const { _id, uses_allowed: usesAllowed, completed, expiry_ts: expiry } = token;
  return {
    token: _id,
    usesAllowed: optionalInt64(usesAllowed),
    pending: BigInt(liveUses(token, now).length),
    completed: BigInt(completed),
    expiryTime: optionalInt64(expiry),
  };
}
