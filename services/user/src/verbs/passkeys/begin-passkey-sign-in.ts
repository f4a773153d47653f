import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  BeginPasskeySignInResponseSchema,
  BeginPasskeyStepUpResponseSchema,
} from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import { clientAddress, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { makeChallenge } from '../../core/passkeys/challenges.ts';
import { requireRelyingParty } from '../../core/passkeys/relying-party.ts';

/**
 * Answers a challenge for a sign-in. Challenges are limited as logins of an address are, and counted apart.
 *
 * @throws refuse.unknown where there are no passkeys, limitExceeded
 */
export async function beginPasskeySignIn(
  deps: Deps,
  context: HandlerContext,
): Promise<MessageInitShape<typeof BeginPasskeySignInResponseSchema>> {
  const { id: rpId } = requireRelyingParty(deps);
  deps.limits.loginAddress.take(`passkey ${clientAddress(context)}`);
  return { ...(await makeChallenge(deps, { purpose: 'prove', session: null })), rpId };
}

/**
 * Answers a challenge for a step-up of the session of the request.
 *
 * @throws refuse.unknown where there are no passkeys, refuse.forbidden with another credential
 */
export async function beginPasskeyStepUp(
  deps: Deps,
  context: HandlerContext,
): Promise<MessageInitShape<typeof BeginPasskeyStepUpResponseSchema>> {
  const { id: rpId } = requireRelyingParty(deps);
  const { kind, tokenId } = requester(context);
  if (kind !== 'session') throw refuse.forbidden('The request has no administrator session');
  return { ...(await makeChallenge(deps, { purpose: 'prove', session: tokenId })), rpId };
}
