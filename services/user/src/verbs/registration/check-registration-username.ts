import type { HandlerContext } from '@connectrpc/connect';
import type { CheckRegistrationUsernameRequest } from '@steward/proto/steward/user/v1/registration_pb.ts';
import { raiseDeferred } from '@steward/rpc';
import { checkUsername } from '../../core/accounts/username.ts';
import type { Deps } from '../../core/deps.ts';
import { requireRegistration } from './require-registration.ts';

/** Returns whether a user name could be registered (client-plane.md 7.3). */
export async function checkRegistrationUsername(
  deps: Deps,
  request: CheckRegistrationUsernameRequest,
  context: HandlerContext,
) {
  requireRegistration(deps);
  raiseDeferred(context);
  if (!deps.settings.takenNamesHidden) await checkUsername(deps, request.username);
  return { available: true };
}
