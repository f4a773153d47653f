import { refuse } from '@steward/errors';
import type { Client, Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import { automationTokenName, isOver } from '../model/automation-token.ts';
import { tokenDigest } from '../model/token.ts';
import { containsAddress } from './address-ranges.ts';
import { rightsOfToken } from './token-rights.ts';

/**
 * Looks an automation token up. It is read each time, so a revocation holds from the next request on. A repeated look-up for a call
 * in progress is not recorded as a use.
 *
 * @throws refuse.unknownToken when it is unknown, revoked or expired
 * @throws refuse.forbidden when it is not accepted from the client's address
 */
export async function authenticateAutomationToken(
  deps: Deps,
  secret: string,
  client: Client | undefined,
  { repeatedLookUp = false }: { readonly repeatedLookUp?: boolean },
): Promise<Requester> {
  const digest = tokenDigest(secret);
  const now = deps.clock.now();
  const token = await deps.automationTokens.findOne(deps.knownSecrets.filter(digest));
  const until = token?.secrets.find((each) => each.digest === digest)?.until;
  if (!token || until === undefined || (until !== null && until <= now)) {
    deps.tokenRefusals.add({ reason: 'unknown_token' });
    throw refuse.unknownToken('Unknown automation token');
  }
  if (isOver(token, now)) {
    deps.tokenRefusals.add({ reason: 'expired_token' });
    throw refuse.unknownToken('The automation token has expired');
  }
  const { _id: id, allowed_addresses: allowed } = token;
  deps.knownSecrets.add(digest, id);
  if (allowed.length > 0 && !containsAddress(allowed, client?.address ?? '')) {
    deps.tokenRefusals.add({ reason: 'forbidden_address' });
    throw refuse.forbidden('The automation token is not accepted from this address');
  }
  if (client && !repeatedLookUp) deps.tokenUses.record(id, client.address);
  const name = automationTokenName(id);
  return {
    userId: name,
    owner: name,
    kind: 'automation_token',
    deviceId: undefined,
    tokenId: digest,
    ...(await rightsOfToken(deps, token)),
    guest: false,
    shadowBanned: false,
    suspended: false,
  };
}
