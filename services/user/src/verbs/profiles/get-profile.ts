import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  GetAvatarUrlRequest,
  GetDisplaynameRequest,
  GetProfileRequest,
  GetProfileResponseSchema,
} from '@steward/proto/steward/user/v1/profiles_pb.ts';
import { loadAccount } from '../../core/accounts/load-account.ts';
import { parseOrRefuse } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';

/** A user's whole profile (client-plane.md 7.5). */
export async function getProfile(
  deps: Deps,
  request: GetProfileRequest,
): Promise<MessageInitShape<typeof GetProfileResponseSchema>> {
  const account = await accountWithProfile(deps, request.userId);
  return { displayname: account.displayname ?? undefined, avatarUrl: account.avatar_url ?? undefined };
}

/** A user's display name (client-plane.md 7.5). */
export async function getDisplayname(deps: Deps, request: GetDisplaynameRequest) {
  const { displayname } = await accountWithProfile(deps, request.userId);
  if (displayname === null) throw refuse.notFound('The user has no display name');
  return { displayname };
}

/** A user's avatar (client-plane.md 7.5). */
export async function getAvatarUrl(deps: Deps, request: GetAvatarUrlRequest) {
  const { avatar_url: avatarUrl } = await accountWithProfile(deps, request.userId);
  if (avatarUrl === null) throw refuse.notFound('The user has no avatar');
  return { avatarUrl };
}

/** An erased user has no profile any more; users of other servers have none here. */
async function accountWithProfile(deps: Deps, userId: string): Promise<Account> {
  const { domain } = parseOrRefuse(userId);
  const account = domain === deps.serverName ? await loadAccount(deps, userId) : undefined;
  if (!account || (account.deactivated && account.erased)) throw refuse.notFound('User not found');
  return account;
}
