import type { Account, HeldExternalId, HeldThreepid, LimitedId } from './account.ts';
import type { RightsLimit } from './rights-limit.ts';

/** What an account is found by at a sign-in with an identity provider. */
type Ids = { readonly threepids: readonly HeldThreepid[]; readonly external_ids: readonly HeldExternalId[] };

/** What limits the rights of sessions that begin with an external id or an address of an account. */
export function limitOfId(
  { limited_ids: limited = [] }: Pick<Account, 'limited_ids'>,
  key: string,
): RightsLimit {
  return limited.find((each) => each.key === key)?.limit ?? null;
}

/**
 * The limits of an account with other ids: of ids that it keeps, those that they have; of new ones, that of the caller who sets them. An
 * account without limits keeps the document that it has without this field.
 *
 * @param limit see `limitOfPassword`
 */
export function limitIds(
  before: Ids & Pick<Account, 'limited_ids'>,
  next: Ids,
  limit: RightsLimit,
): Pick<Account, 'limited_ids'> {
  const held = new Set(claimsOf(before).map(({ claim }) => claim));
  const limited = claimsOf(next).flatMap(({ key, claim }): LimitedId[] => {
    const of = held.has(claim) ? limitOfId(before, key) : limit;
    return of ? [{ key, limit: of }] : [];
  });
  return limited.length > 0 || before.limited_ids ? { limited_ids: limited } : {};
}

/** An address that is claimed again is a new one. */
function claimsOf({
  threepids,
  external_ids,
}: Ids): readonly { readonly key: string; readonly claim: string }[] {
  return [
    ...external_ids.map(({ key }) => ({ key, claim: key })),
    ...threepids.map(({ key, claim }) => ({ key, claim: `${claim} ${key}` })),
  ];
}
