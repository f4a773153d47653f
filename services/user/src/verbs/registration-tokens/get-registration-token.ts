import { refuse } from '@steward/errors';
import type { GetRegistrationTokenRequest } from '@steward/proto/steward/user/v1/registration_tokens_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { toRegistrationToken } from './render-registration-token.ts';

/** Returns one token. */
export async function getRegistrationToken(deps: Deps, request: GetRegistrationTokenRequest) {
  const token = await deps.registrationTokens.findOne({ _id: request.token });
  if (!token) throw refuse.notFound('Registration token not found');
  return { token: toRegistrationToken(token, deps.clock.now()) };
}
