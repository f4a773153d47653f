import type { HandlerContext } from '@connectrpc/connect';
import type { StartConsoleSignInRequest } from '@steward/proto/steward/user/v1/provider_sign_ins_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { beginSignIn } from './begin-sign-in.ts';
import { orPage } from './or-page.ts';
import type { Piece } from './pages.ts';

/** Sends the browser of an administrator to an identity provider, to sign in or to prove their identity again. */
export function startConsoleSignIn(
  deps: Deps,
  request: StartConsoleSignInRequest,
  context: HandlerContext,
): AsyncGenerator<Piece> {
  const result = request.stepUp ? { step_up: true } : {};
  return orPage(() => beginSignIn(deps, request, context, result));
}
