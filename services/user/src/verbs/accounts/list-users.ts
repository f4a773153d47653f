import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListUsersRequest,
  ListUsersResponseSchema,
} from '@steward/proto/steward/user/v1/accounts_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { pageOfUsers } from './page-of-users.ts';

/** Returns a page of accounts (behaviour.md 2.3); deactivated accounts are listed only when requested. */
export function listUsers(
  deps: Deps,
  request: ListUsersRequest,
): Promise<MessageInitShape<typeof ListUsersResponseSchema>> {
  return pageOfUsers(deps, request, ({ deactivated }) => !deactivated || request.deactivated);
}
