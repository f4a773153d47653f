import type { Deps } from '../deps.ts';
import type { ProviderSession } from '../model/provider-session.ts';
import { PROVIDER_SIGN_IN_LIFE_MS } from '../model/provider-sign-in.ts';

/**
 * Records, before the sessions are ended, that a provider has ended what began with a session of its, or with a user: a sign-in that is
 * being completed has nothing yet that could be ended.
 */
export async function recordEnd(
  { spentNonces, clock }: Pick<Deps, 'spentNonces' | 'clock'>,
  ended: Partial<ProviderSession>,
): Promise<void> {
  const expires_ts = clock.now() + PROVIDER_SIGN_IN_LIFE_MS;
  await spentNonces.updateOne({ _id: nameOf(ended) }, { $max: { expires_ts } }, { upsert: true });
}

/**
 * Whether the provider has ended a session since the server began to ask about the sign-in with it. Call it when what the sign-in leads to is
 * stored, so that a later end finds that.
 */
export async function hasEndedSince(
  { spentNonces }: Pick<Deps, 'spentNonces'>,
  { provider_sub, provider_sid }: Partial<ProviderSession>,
  since: number,
): Promise<boolean> {
  const bySub = provider_sub === undefined ? [] : [{ provider_sub }];
  const bySid = provider_sid === undefined ? [] : [{ provider_sid }];
  const byBoth = bySub.flatMap((one) => bySid.map((other) => ({ ...one, ...other })));
  const names = [...bySub, ...bySid, ...byBoth].map(nameOf);
  const found = await spentNonces.findOne({
    _id: { $in: names },
    expires_ts: { $gte: since + PROVIDER_SIGN_IN_LIFE_MS },
  });
  return found !== null;
}

function nameOf({ provider_sub = '', provider_sid = '' }: Partial<ProviderSession>): string {
  return `ended ${provider_sub} ${provider_sid}`;
}
