import { refuse } from '@steward/errors';
import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { AutomationToken } from '../model/automation-token.ts';

/**
 * The automation token with which a call is made; `undefined` for other callers.
 *
 * @throws refuse.unknownToken when it was revoked during the request
 */
export async function callingToken(
  { automationTokens }: Pick<Deps, 'automationTokens'>,
  { kind, tokenId }: Pick<Requester, 'kind' | 'tokenId'>,
): Promise<AutomationToken | undefined> {
  if (kind !== 'automation_token') return undefined;
  const token = await automationTokens.findOne({ 'secrets.digest': tokenId });
  if (!token) throw refuse.unknownToken('Unknown automation token');
  return token;
}
