import { refuse } from '@steward/errors';
import type { Planned } from '@steward/plans';
import type { DeleteRegistrationTokenRequest } from '@steward/proto/steward/user/v1/registration_tokens_pb.ts';
import { deleteAggregates } from '@steward/service';
import type { Deps } from '../../core/deps.ts';

/** Deletes a token (behaviour.md 13.2); registrations in progress that hold a use of it can no longer complete. */
export async function deleteRegistrationToken(deps: Deps, request: DeleteRegistrationTokenRequest) {
  const deleted = await deleteAggregates(deps.registrationTokens, { _id: request.token });
  if (deleted === 0) throw refuse.notFound('Registration token not found');
  return {};
}

/** Plans `deleteRegistrationToken`. */
export async function planDeleteRegistrationToken(
  deps: Pick<Deps, 'registrationTokens'>,
  { token: id }: DeleteRegistrationTokenRequest,
): Promise<Planned> {
  const token = await deps.registrationTokens.findOne({ _id: id });
  if (!token) throw refuse.notFound('Registration token not found');
  return {
    changes: [{ kind: 'registration_tokens', change: 'removed', count: 1 }],
    sample: [{ kind: 'registration_token', id }],
    state: [token.version],
  };
}
