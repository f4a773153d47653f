import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  GetUserNamesRequest,
  GetUserNamesResponseSchema,
} from '@steward/proto/steward/user/v1/accounts_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { flagsOf } from '../../core/model/account.ts';

/** The most users of a request. */
const MAX_USERS = 100;

/** Returns the names of users; those without an account on this server are left out. */
export async function getUserNames(
  deps: Deps,
  { userId: userIds }: GetUserNamesRequest,
): Promise<MessageInitShape<typeof GetUserNamesResponseSchema>> {
  if (userIds.length > MAX_USERS) throw refuse.invalidParam(`'user_id' is given at most ${MAX_USERS} times`);
  const accounts = await deps.accounts
    .find({ _id: { $in: userIds } }, { projection: { displayname: 1, avatar_url: 1, facet: 1 } })
    .toArray();
  const users = accounts.map(({ _id: id, displayname, avatar_url: avatarUrl, facet }) => {
    const { deactivated, locked, suspended } = flagsOf(facet);
    const name = { displayname: displayname ?? undefined, avatarUrl: avatarUrl ?? undefined };
    return [id, { ...name, deactivated, locked, suspended }] as const;
  });
  return { users: Object.fromEntries(users) };
}
