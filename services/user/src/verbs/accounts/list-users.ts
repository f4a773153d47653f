import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  AccountFilterSchema,
  type ListUsersRequest,
  type ListUsersResponseSchema,
} from '@steward/proto/steward/user/v1/accounts_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { matchesFlag } from './account-filter.ts';
import { pageOfUsers } from './page-of-users.ts';

/** Returns a page of accounts (behaviour.md 2.3); deactivated accounts are listed only when requested, of which erased ones are a part. */
export function listUsers(
  deps: Deps,
  { filter = create(AccountFilterSchema), isDeactivated }: ListUsersRequest,
): Promise<MessageInitShape<typeof ListUsersResponseSchema>> {
  const asked = isDeactivated ?? (filter.deactivated || filter.erased ? undefined : false);
  return pageOfUsers(deps, filter, (flags) => matchesFlag(flags.deactivated, asked));
}
