import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { ChangeOwnPasswordRequest } from '@steward/proto/steward/user/v1/own_account_pb.ts';
import { headers, type Requester, requester } from '@steward/rpc';
import { changeAccount } from '../../core/accounts/change-account.ts';
import { endOtherSessions } from '../../core/accounts/end-other-sessions.ts';
import { withPassword } from '../../core/accounts/new-password.ts';
import type { Deps } from '../../core/deps.ts';
import { requireInteractiveAuth } from '../../core/interactive-auth/require-interactive-auth.ts';
import type { Account } from '../../core/model/account.ts';
import { causedBy } from '../../core/model/cause.ts';
import { checkPassword } from '../../core/model/password-policy.ts';
import { isAlive } from '../../core/model/token.ts';
import { limitOfPassword } from '../../core/sessions/limit-of-caller.ts';

/**
 * Sets the caller's own password (client-plane.md 7.4). All other sessions end, unless the request keeps them;
 * the caller's session always stays.
 */
export async function changeOwnPassword(
  deps: Deps,
  request: ChangeOwnPasswordRequest,
  context: HandlerContext,
) {
  if (!deps.settings.passwordsMaySet) throw refuse.forbidden('Users have no passwords on this server');
  const { newPassword, logoutDevices = true, auth, present } = request;
  if (newPassword !== undefined) checkPassword(deps.settings.passwordPolicy, newPassword);
  const change = await requireInteractiveAuth(deps, context, {
    operation: 'POST account/password',
    auth,
    presentKeys: present?.paths,
    body: async () => ({
      password_hash:
        newPassword === undefined ? null : await deps.passwords.hash(newPassword, requester(context).userId),
      logout_devices: logoutDevices,
    }),
  });
  const { password_hash, logout_devices } = change;
  if (password_hash === null) throw refuse.missingParam("'new_password' is missing");

  const caller = requester(context);
  const cause = causedBy(caller, context.requestHeader.get(headers.traceparent));
  const password = { hash: password_hash, limit: await limitOfPassword(deps, caller, caller.userId) };
  await changeAccount(deps, caller.userId, cause, async (account) => {
    await requireSession(deps, caller, account);
    const set = withPassword(account, password);
    if (!logout_devices) return { set, effects: [] };
    const { sessions, effect } = endOtherSessions(account, caller);
    return { set: { ...set, sessions }, effects: [effect] };
  });
  return {};
}

/**
 * Requires that the caller's session is still alive: a user whom an administrator shuts out with a new password
 * during the request must not change that password.
 *
 * @throws refuse.unknownToken
 */
async function requireSession(deps: Deps, caller: Requester, account: Account): Promise<void> {
  const token = await deps.tokens.findOne({ _id: caller.tokenId });
  const ended = token?.owner === account._id && !isAlive(token, account);
  if (!token || account.deactivated || ended) throw refuse.unknownToken('Unknown access token');
}
