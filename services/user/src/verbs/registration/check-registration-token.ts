import type { HandlerContext } from '@connectrpc/connect';
import type { CheckRegistrationTokenRequest } from '@steward/proto/steward/user/v1/registration_pb.ts';
import { clientAddress, raiseDeferred } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { isUsable } from '../../core/model/registration-token.ts';
import { requireRegistration } from './require-registration.ts';

/** Returns whether a token admits another registration (client-plane.md 7.3), to any client at a limited rate. */
export async function checkRegistrationToken(
  deps: Deps,
  request: CheckRegistrationTokenRequest,
  context: HandlerContext,
) {
  deps.limits.registrationTokenValidity.take(clientAddress(context));
  requireRegistration(deps);
  raiseDeferred(context);
  const token = await deps.registrationTokens.findOne({ _id: request.token });
  return { valid: token !== null && isUsable(token, deps.clock.now()) };
}
