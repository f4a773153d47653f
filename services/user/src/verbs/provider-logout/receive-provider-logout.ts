import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { ReceiveProviderLogoutRequest } from '@steward/proto/steward/user/v1/provider_sign_ins_pb.ts';
import { clientAddress } from '@steward/rpc';
import { Conflict } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import type { IdentityProvider } from '../../core/identity-providers/identity-provider.ts';
import type { Logout } from '../../core/identity-providers/logout-token.ts';
import { ProviderFailure } from '../../core/identity-providers/provider-failure.ts';
import { digestsOf } from '../../core/model/provider-session.ts';
import { endProviderSessions } from '../../core/provider-sessions/end-provider-sessions.ts';
import { recordEnd } from '../../core/provider-sessions/ended-while-signing-in.ts';

const MAX_BODY_BYTES = 64 * 1024;

/**
 * Ends the sessions of users and administrators that began with a session at an identity provider, which it has ended (OpenID Connect
 * Back-Channel Logout 1.0). A token counts once; one whose logout was not completed may be sent again.
 *
 * @throws refuse.notFound for an unknown provider; refuse.invalidParam for a token that does not count; limitExceeded
 */
export async function receiveProviderLogout(
  deps: Deps,
  pieces: AsyncIterable<ReceiveProviderLogoutRequest>,
  context: HandlerContext,
) {
  const { idp, text } = await readBody(pieces);
  const provider = deps.identityProviders.get(idp);
  if (!provider) throw refuse.notFound('The server does not know this identity provider');
  const token = new URLSearchParams(text).get('logout_token');
  if (token === null) throw refuse.missingParam("'logout_token' is missing");
  const address = clientAddress(context);
  deps.limits.providerSignIn.take(address);
  const logout = await readLogout(provider, token);
  // Senders of tokens that do not count are limited; a provider may end many sessions.
  deps.limits.providerSignIn.giveBack(address);
  const spent = `logout ${JSON.stringify([idp, logout.id])}`;
  if (await deps.spentNonces.findOne({ _id: spent })) throw usedBefore();
  const ended = digestsOf(idp, logout);
  await recordEnd(deps, ended);
  await endProviderSessions(deps, ended);
  try {
    await deps.spentNonces.insertOne({ _id: spent, expires_ts: logout.expiresTs });
  } catch (error) {
    throw error instanceof Conflict ? usedBefore() : error;
  }
  return {};
}

async function readLogout(provider: IdentityProvider, token: string): Promise<Logout> {
  try {
    return await provider.readLogout(token);
  } catch (error) {
    if (error instanceof ProviderFailure) throw refuse.invalidParam('The logout token is not valid');
    throw error;
  }
}

function usedBefore(): Error {
  return refuse.invalidParam('The logout token was used before');
}

async function readBody(pieces: AsyncIterable<ReceiveProviderLogoutRequest>) {
  let idp = '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    // Messages with a chunk have nothing else, not even an empty text.
    idp ||= piece.idp;
    bytes += piece.data.length;
    if (bytes > MAX_BODY_BYTES) throw refuse.tooLarge('A logout token is not that long');
    chunks.push(piece.data);
  }
  return { idp, text: Buffer.concat(chunks).toString() };
}
