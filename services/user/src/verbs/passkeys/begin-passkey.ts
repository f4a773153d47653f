import { hash } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import type { BeginPasskeyResponseSchema } from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { makeChallenge } from '../../core/passkeys/challenges.ts';
import { requireRelyingParty } from '../../core/passkeys/relying-party.ts';
import { provedSession } from './passkey-session.ts';
import { requireRoom } from './require-room.ts';

/**
 * Begins to add a passkey to the caller's account. The handle of the user is a digest: authenticators store it in the clear.
 *
 * @throws refuse.unknown where there are no passkeys, refuse.tooLate with too many, and as `provedSession`
 */
export async function beginPasskey(
  deps: Deps,
  context: HandlerContext,
): Promise<MessageInitShape<typeof BeginPasskeyResponseSchema>> {
  const { id: rpId } = requireRelyingParty(deps);
  const { account, session } = await provedSession(deps, context);
  requireRoom(account);
  await recordCall(context);
  return {
    ...(await makeChallenge(deps, { purpose: 'add', session })),
    rpId,
    rpName: deps.serverName,
    userHandle: hash('sha256', account._id, 'base64url'),
    userId: account._id,
    exclude: (account.passkeys ?? []).map(({ credential }) => credential),
  };
}
