import { isObject, own } from '@steward/kernel';
import type { ListIgnoredUsersRequest } from '@steward/proto/steward/user/v1/account_feed_pb.ts';
import { contentOf } from '../../core/account-data/content-of.ts';
import type { Deps } from '../../core/deps.ts';
import { GLOBAL } from '../../core/model/account-data.ts';

/** The type of the account data in which clients keep whom their user ignores. */
const IGNORED_USERS = 'm.ignored_user_list';

/** Returns whom an account ignores; nobody can ignore themselves. Content of another shape ignores nobody. */
export async function listIgnoredUsers(
  deps: Pick<Deps, 'accountData'>,
  { userId }: ListIgnoredUsersRequest,
): Promise<{ userIds: string[] }> {
  const content = await contentOf(deps, userId, GLOBAL, IGNORED_USERS);
  const ignored = content === undefined ? undefined : own(JSON.parse(content), 'ignored_users');
  const userIds = isObject(ignored) ? Object.keys(ignored) : [];
  return { userIds: userIds.filter((ignoredId) => ignoredId !== userId) };
}
