import type { HandlerContext } from '@connectrpc/connect';
import { reportEvent } from '@steward/audit';
import { SecondFactorRemovedSchema } from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import type { RemoveTotpRequest } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { changeOwnFactor } from './change-own-factor.ts';

/** Removes the second factor of the caller's account. */
export async function removeTotp(deps: Deps, request: RemoveTotpRequest, context: HandlerContext) {
  await changeOwnFactor(deps, request, context, () => null);
  reportEvent(context, SecondFactorRemovedSchema, { userId: requester(context).userId });
  return {};
}
