import type { GetAdminFlagRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { localUser } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';

/** Returns whether an account is a server administrator (behaviour.md 2.7); false for an unknown one. */
export async function getAdminFlag(deps: Deps, request: GetAdminFlagRequest) {
  localUser(deps, request.userId);
  const account = await deps.accounts.findOne({ _id: request.userId }, { projection: { admin: 1 } });
  return { admin: account?.admin ?? false };
}
