import type { HandlerContext } from '@connectrpc/connect';
import type { DeactivateOwnAccountRequest } from '@steward/proto/steward/user/v1/own_account_pb.ts';
import { headers, requester } from '@steward/rpc';
import { deactivateAccount } from '../../core/accounts/deactivate-account.ts';
import type { Deps } from '../../core/deps.ts';
import { requireInteractiveAuth } from '../../core/interactive-auth/require-interactive-auth.ts';

/** Deactivates the caller's own account (client-plane.md 7.4), with the effects of `deactivate`. */
export async function deactivateOwnAccount(
  deps: Deps,
  { auth, present, erase }: DeactivateOwnAccountRequest,
  context: HandlerContext,
) {
  const options = await requireInteractiveAuth(deps, context, {
    operation: 'POST account/deactivate',
    auth,
    presentKeys: present?.paths,
    body: () => ({ erase }),
  });
  const caller = requester(context);
  return deactivateAccount(
    deps,
    caller.userId,
    options,
    caller,
    context.requestHeader.get(headers.traceparent),
    [
      {
        kind: 'event',
        event: 'deactivated',
        actor: caller.owner,
        request_id: context.requestHeader.get(headers.requestId) ?? '',
      },
    ],
  );
}
