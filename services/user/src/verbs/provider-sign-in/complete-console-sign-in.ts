import type { HandlerContext } from '@connectrpc/connect';
import type { CompleteConsoleSignInRequest } from '@steward/proto/steward/user/v1/provider_sign_ins_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { tokenDigest } from '../../core/model/token.ts';
import { consolePath, consoleStartPath } from './console-paths.ts';
import { findSignIn, finishSignIn } from './finish-sign-in.ts';
import { orPage } from './or-page.ts';
import { answerRedirect, type Piece } from './pages.ts';

/**
 * As `completeProviderSignIn`, for the console: it gets a login token that counts in this browser only, and not for apps.
 */
export function completeConsoleSignIn(
  deps: Deps,
  request: CompleteConsoleSignInRequest,
  context: HandlerContext,
): AsyncGenerator<Piece> {
  let again: string | undefined;
  const complete = async () => {
    const returned = await findSignIn(deps, request, 'console');
    const { signIn, browser } = returned;
    const isStepUp = signIn.step_up === true;
    again = consoleStartPath(signIn.provider, isStepUp);
    const console = { browser: tokenDigest(browser), step_up: isStepUp };
    const { loginToken } = await finishSignIn(deps, request, returned, context, console);
    return answerRedirect(consolePath(loginToken, isStepUp));
  };
  return orPage(complete, () => again);
}
