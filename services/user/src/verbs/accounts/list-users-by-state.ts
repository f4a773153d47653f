import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  AccountFilterSchema,
  type ListUsersByStateRequest,
  type ListUsersByStateResponseSchema,
} from '@steward/proto/steward/user/v1/accounts_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { matchesFlag } from './account-filter.ts';
import { pageOfUsers } from './page-of-users.ts';

/**
 * Returns a page of the accounts in the requested states (behaviour.md 13.1); a state that the request omits
 * may have either value.
 */
export function listUsersByState(
  deps: Deps,
  { filter = create(AccountFilterSchema) }: ListUsersByStateRequest,
): Promise<MessageInitShape<typeof ListUsersByStateResponseSchema>> {
  return pageOfUsers(deps, filter, (flags) => matchesFlag(flags.deactivated, filter.deactivated));
}
