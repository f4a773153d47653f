import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetPasswordPolicyResponseSchema } from '@steward/proto/steward/user/v1/own_account_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** Returns the requirements for passwords that users choose (client-plane.md 12). */
export function getPasswordPolicy({
  settings: { passwordPolicy: policy },
}: Deps): MessageInitShape<typeof GetPasswordPolicyResponseSchema> {
  return {
    minimumLength: policy.minimum_length || undefined,
    requireDigit: policy.require_digit || undefined,
    requireSymbol: policy.require_symbol || undefined,
    requireUppercase: policy.require_uppercase || undefined,
    requireLowercase: policy.require_lowercase || undefined,
  };
}
