import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { refuse } from '@steward/errors';
import { pauseBetween } from '@steward/kernel';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { hasScope, headers, raiseDeferred, requester } from '@steward/rpc';
import { requirePermittedAvatar } from '../../core/accounts/avatar-rules.ts';
import { changeAccount } from '../../core/accounts/change-account.ts';
import { parseOrRefuse, requireLocal } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { causedBy } from '../../core/model/cause.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';

/** The fields of a profile that change. */
type ProfileChange = Partial<Pick<Account, 'displayname' | 'avatar_url' | 'profile_fields'>>;

/**
 * Changes the caller's own profile; administrators may change any profile. A change by a shadow-banned user is
 * delayed, and does not reach rooms (client-plane.md 8.3).
 */
export async function changeProfile(
  deps: Deps,
  userId: string,
  context: HandlerContext,
  decide: (account: Account) => ProfileChange,
): Promise<object> {
  const caller = requester(context);
  const user = parseOrRefuse(userId);
  raiseDeferred(context);
  if (caller.suspended) throw refuse.userSuspended('This account is suspended');
  requireLocal(deps, user);
  if (caller.userId !== userId) {
    if (!hasScope(caller, Scope.USERS_WRITE))
      throw refuse.forbiddenRequest('Only administrators change the profiles of others');
    await recordCall(context, { scope: Scope.USERS_WRITE });
  }
  deps.limits.message.take(caller);
  const { minMs, maxMs } = deps.settings.shadowBanPause;
  if (caller.shadowBanned) await pauseBetween(deps.random, minMs, maxMs);
  const cause = causedBy(caller, context.requestHeader.get(headers.traceparent));
  const changed = await changeAccount(deps, userId, cause, async (account) => {
    if (caller.userId !== userId) await requireAuthority(deps, caller, account);
    const set = decide(account);
    const next = { ...account, ...set };
    const same = next.displayname === account.displayname && next.avatar_url === account.avatar_url;
    if (set.avatar_url !== undefined) await requirePermittedAvatar(deps, set.avatar_url);
    const { avatar_url: previousAvatar } = account;
    const effect = { kind: 'profile_changed', roomsUnaware: caller.shadowBanned, previousAvatar } as const;
    return { set, effects: same ? [] : [effect] };
  });
  if (!changed) throw refuse.notFound('User not found');
  return {};
}
