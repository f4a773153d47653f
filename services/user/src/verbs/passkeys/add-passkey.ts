import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { recordCall, reportEvent } from '@steward/audit';
import { refuse } from '@steward/errors';
import { randomId } from '@steward/kernel';
import { PasskeyAddedSchema } from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import type {
  AddPasskeyRequest,
  AddPasskeyResponseSchema,
} from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import { hasScopes } from '@steward/rpc';
import { Conflict } from '@steward/store';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import { requireActive } from '../../core/accounts/callers-account.ts';
import type { Deps } from '../../core/deps.ts';
import type { Passkey } from '../../core/model/passkey.ts';
import { spendChallenge } from '../../core/passkeys/challenges.ts';
import { readNewPasskey } from '../../core/passkeys/read-new-passkey.ts';
import { requireRelyingParty } from '../../core/passkeys/relying-party.ts';
import { renderPasskey } from '../../core/passkeys/render-passkey.ts';
import { holderOfPasskey } from '../../core/passkeys/use-passkey.ts';
import { rightsOf } from '../../core/roles/account-rights.ts';
import { limitOfCredential } from '../../core/sessions/limit-of-caller.ts';
import { passkeyName } from './passkey-name.ts';
import { provedSession } from './passkey-session.ts';
import { requireRoom } from './require-room.ts';

/**
 * Adds the passkey that the browser has created to the caller's account, in one commit. The session of the request has proved it; after a
 * crash before that is recorded, its user steps up.
 *
 * @throws refuse.forbidden for a response that does not answer the challenge, refuse.tooLate for a passkey that an account has, and as `beginPasskey`
 */
export async function addPasskey(
  deps: Deps,
  request: AddPasskeyRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof AddPasskeyResponseSchema>> {
  const party = requireRelyingParty(deps);
  const name = passkeyName(request.name);
  const { account, session } = await provedSession(deps, context);
  if (!hasScopes(await rightsOf(deps, account)))
    throw refuse.forbidden('Only accounts with administrative rights have passkeys');
  await recordCall(context);
  const challenge = await spendChallenge(deps, request.clientData, { purpose: 'add', session });
  const created = await readNewPasskey(request, challenge, party);
  if (await holderOfPasskey(deps, { id: created.credential })) throw taken();
  const limit = await limitOfCredential(deps, { kind: 'session', tokenId: session });
  const now = deps.clock.now();
  const passkey: Passkey = {
    ...{ id: randomId(deps.random), ...created, name, created_ts: now, used_ts: null },
    ...(limit ? { rights_limit: limit } : {}),
  };
  await accountAggregate
    .change(deps, account._id, (current) => {
      requireRoom(requireActive(current));
      return { set: { passkeys: [...(current.passkeys ?? []), passkey] } };
    })
    .catch((error: unknown) => {
      throw error instanceof Conflict ? taken() : error;
    });
  await deps.adminSessions.updateOne({ _id: session }, { $set: { proved_passkey: passkey.id } });
  reportEvent(context, PasskeyAddedSchema, { userId: account._id });
  return { passkey: renderPasskey(passkey) };
}

function taken(): Error {
  return refuse.tooLate('An account has this passkey already');
}
