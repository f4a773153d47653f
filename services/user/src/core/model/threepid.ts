import { refuse } from '@steward/errors';
import type { HeldThreepid } from './account.ts';

/** The key by which an address is looked up. */
export function threepidKey(medium: string, address: string): string {
  return `${medium} ${address}`;
}

/**
 * The one spelling under which an address is stored and compared: e-mail addresses are trimmed and composed, their
 * local part case-folded, their domain lower-cased (behaviour.md 2.2); numbers stay as they are.
 */
export function canonicalAddress(medium: string, address: string): string {
  if (medium !== 'email') return address;
  const trimmed = address.trim().normalize('NFC');
  const at = trimmed.lastIndexOf('@');
  if (at < 0) return foldCase(trimmed);
  return `${foldCase(trimmed.slice(0, at))}@${trimmed
    .slice(at + 1)
    .toLowerCase()
    .normalize('NFC')}`;
}

/** The full case folding of Unicode. In contrast to that of searches, the letters I of Turkish differ: addresses with them do. */
function foldCase(text: string): string {
  // Upper case expands what has several letters, lower case before it reaches those that have no upper case of their own.
  const folded = text.replace(/[^\u0131]+/gu, (part) => part.toLowerCase().toUpperCase().toLowerCase());
  return folded.replaceAll('ς', 'σ').normalize('NFC');
}

/** An address as a request states it. */
export interface RequestedThreepid {
  readonly medium: string;
  readonly address: string;
}

/**
 * The addresses of a request in their stored form, without duplicates.
 *
 * @throws refuse.invalidParam for an unknown medium or an invalid address
 */
export function canonicalThreepids(
  requested: readonly RequestedThreepid[],
): ReadonlyMap<string, RequestedThreepid> {
  const byKey = new Map<string, RequestedThreepid>();
  for (const { medium, address: given } of requested) {
    if (medium !== 'email' && medium !== 'msisdn') {
      throw refuse.invalidParam("'medium' must be one of email, msisdn");
    }
    const address = canonicalAddress(medium, given);
    const isEmail = /^[^@]+@[^@]+$/.test(address);
    if (medium === 'email' ? !isEmail : address === '') {
      throw refuse.invalidParam("'address' is not an address of this medium");
    }
    byKey.set(threepidKey(medium, address), { medium, address });
  }
  return byKey;
}

/**
 * The addresses of a request as the account holds them: existing ones keep their times, new ones are confirmed now
 * and get a higher claim than their current holders. So does an existing one that another account has claimed since
 * and that has not been removed from this one yet.
 */
export function holdThreepids(
  userId: string,
  held: readonly HeldThreepid[],
  requested: ReadonlyMap<string, RequestedThreepid>,
  claims: ReadonlyMap<string, Claim>,
  now: number,
): readonly HeldThreepid[] {
  const before = new Map(held.map((threepid) => [threepid.key, threepid]));
  return [...requested].map(([key, { medium, address }]) => {
    const kept = before.get(key);
    const latest = claims.get(key);
    if (kept && !(latest && claimsLater(latest, { userId, key, claim: kept.claim }))) return kept;
    return { key, medium, address, claim: (latest?.claim ?? 0) + 1, added_at: now, validated_at: now };
  });
}

function claimsLater(a: Claim, b: Claim): boolean {
  return a.claim === b.claim ? a.userId > b.userId : a.claim > b.claim;
}

/** The claim of an account on an address. */
export interface Claim {
  readonly userId: string;
  readonly key: string;
  readonly claim: number;
}

/** The accounts that own addresses. */
export function holdersOf(claims: ReadonlyMap<string, Claim>): readonly string[] {
  return [...new Set([...claims.values()].map(({ userId }) => userId))];
}

/** The latest claim on each address, by key. It determines the owner; the others are about to be removed. */
export function latestClaims(claims: readonly Claim[]): ReadonlyMap<string, Claim> {
  const latest = new Map<string, Claim>();
  for (const claim of claims) {
    const other = latest.get(claim.key);
    if (!other || claimsLater(claim, other)) latest.set(claim.key, claim);
  }
  return latest;
}
