import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListUsersRequest,
  ListUsersResponseSchema,
} from '@steward/proto/steward/user/v1/accounts_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { matchesFlag } from './account-filter.ts';
import { pageOfUsers } from './page-of-users.ts';

/** Returns a page of accounts (behaviour.md 2.3); deactivated accounts are listed only when requested, of which erased ones are a part. */
export function listUsers(
  deps: Deps,
  request: ListUsersRequest,
): Promise<MessageInitShape<typeof ListUsersResponseSchema>> {
  const { deactivated, isDeactivated, erased } = request;
  const asked = isDeactivated ?? (deactivated || erased ? undefined : false);
  return pageOfUsers(deps, request, (flags) => matchesFlag(flags.deactivated, asked));
}
