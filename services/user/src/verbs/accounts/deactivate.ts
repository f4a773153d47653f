import type { HandlerContext } from '@connectrpc/connect';
import type { DeactivateRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { headers, raiseDeferred, requester } from '@steward/rpc';
import { deactivateAccount } from '../../core/accounts/deactivate-account.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';

/** Deactivates an account for an administrator (behaviour.md 2.5). */
export async function deactivate(deps: Deps, request: DeactivateRequest, context: HandlerContext) {
  await existingAccount(deps, request.userId);
  raiseDeferred(context);
  return deactivateAccount(
    deps,
    request.userId,
    { erase: request.erase },
    requester(context),
    context.requestHeader.get(headers.traceparent),
  );
}
