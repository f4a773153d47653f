import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type {
  SearchUserIdsRequest,
  SearchUserIdsResponseSchema,
} from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { raiseDeferred } from '@steward/rpc';
import { localUser } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { MAX_LIMIT } from './page-of-users.ts';

/** Returns the accounts whose id contains a text (behaviour.md 13.1), up to the maximum page size of the list. */
export async function searchUserIds(
  deps: Deps,
  request: SearchUserIdsRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof SearchUserIdsResponseSchema>> {
  localUser(deps, request.userId);
  raiseDeferred(context);
  const found = await deps.accounts
    .find(
      { $contains: { paths: ['folded_id'], term: request.term.toLowerCase() } },
      { sort: { _id: 1 }, limit: MAX_LIMIT, projection: { is_guest: 1, admin: 1, user_type: 1 } },
    )
    .toArray();
  return {
    users: found.map((account) => ({
      name: account._id,
      isGuest: account.is_guest,
      admin: account.admin,
      userType: account.user_type ?? undefined,
    })),
  };
}
