import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListUsersByStateRequest,
  ListUsersByStateResponseSchema,
} from '@steward/proto/steward/user/v1/accounts_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { pageOfUsers } from './page-of-users.ts';

/**
 * A page of accounts of the asked states (behaviour.md 13.1); a state that is not asked for may be
 * either.
 */
export function listUsersByState(
  deps: Deps,
  request: ListUsersByStateRequest,
): Promise<MessageInitShape<typeof ListUsersByStateResponseSchema>> {
  const { deactivated, suspended, shadowBanned } = request;
  return pageOfUsers(
    deps,
    request,
    (flags) =>
      isAsAsked(flags.deactivated, deactivated) &&
      isAsAsked(flags.suspended, suspended) &&
      isAsAsked(flags.shadow_banned, shadowBanned),
  );
}

function isAsAsked(flag: boolean, asked: boolean | undefined): boolean {
  return asked === undefined || flag === asked;
}
