import type { HandlerContext } from '@connectrpc/connect';
import { recordCall, reportEvent } from '@steward/audit';
import { PasskeyRemovedSchema } from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import type { RemovePasskeyRequest } from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { changePasskey } from './change-passkey.ts';
import { provedSession } from './passkey-session.ts';

/** Removes a passkey of the caller's account. */
export async function removePasskey(
  deps: Deps,
  { passkeyId }: RemovePasskeyRequest,
  context: HandlerContext,
) {
  const { account } = await provedSession(deps, context);
  await recordCall(context);
  await changePasskey(deps, account._id, passkeyId, () => undefined);
  reportEvent(context, PasskeyRemovedSchema, { userId: account._id });
  return {};
}
