import type { HandlerContext } from '@connectrpc/connect';
import { recordCall, reportEvent } from '@steward/audit';
import { PasskeyRenamedSchema } from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import type { RenamePasskeyRequest } from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { changePasskey } from './change-passkey.ts';
import { passkeyName } from './passkey-name.ts';
import { provedSession } from './passkey-session.ts';

/** Gives a passkey of the caller's account another name. */
export async function renamePasskey(deps: Deps, request: RenamePasskeyRequest, context: HandlerContext) {
  const name = passkeyName(request.name);
  const { account } = await provedSession(deps, context);
  await recordCall(context);
  await changePasskey(deps, account._id, request.passkeyId, (passkey) => ({ ...passkey, name }));
  reportEvent(context, PasskeyRenamedSchema, { userId: account._id });
  return {};
}
