import { type Account, newAccount, withDerived } from '@steward/user/testing';
import { displayName } from './data.ts';

const SERVER = 'localhost';

/** The earliest time of the accounts, and the time over which they were made, in milliseconds. */
export const FIRST_TS = 1_600_000_000_000;
export const SPAN_MS = 5 * 365 * 86_400_000;

/** Spreads numbers over 0 to 1, the same in each run. */
export const spread = (n: number, seed: number): number => {
  const mixed = Math.imul(n ^ (n >>> 15), 2_654_435_761 + 2 * seed) >>> 0;
  return ((Math.imul(mixed ^ (mixed >>> 13), 1_597_334_677) >>> 0) % 1_000_003) / 1_000_003;
};

/** Whether the n-th account is one of a bridge: three of ten are. */
const isOfBridge = (n: number) => n % 10 < 3;

const wordOf = (n: number) => displayName(n).toLowerCase().split(' ')[0] ?? '';

const localpartOf = (n: number) =>
  isOfBridge(n) ? `telegram_${spread(n, 1).toString(36).slice(2)}_${n}` : `${wordOf(n)}.${n}`;

/** The id of the n-th account. */
export const accountId = (n: number): string => `@${localpartOf(n)}:${SERVER}`;

/** The first accounts, in order. */
export function* accountsOf(count: number): Generator<Account> {
  for (let n = 0; n < count; n++) yield accountOf(n);
}

/** The n-th account of a server with bridges. */
export function accountOf(n: number): Account {
  const isOneIn = (count: number, rest: number) => n % count === rest;
  const isBridged = isOfBridge(n);
  const word = wordOf(n);
  const createdTs = Math.floor(FIRST_TS + spread(n, 2) * SPAN_MS);
  const address = `${word}.${n}@mail${n % 50}.example.org`;
  const isErased = isOneIn(200, 17);
  return withDerived({
    ...newAccount({
      localpart: localpartOf(n),
      serverName: SERVER,
      now: createdTs,
      displayname: isOneIn(10, 9) ? null : displayName(n),
      admin: isOneIn(1000, 11),
      bridged: isBridged,
      user_type: isOneIn(100, 16) ? 'bot' : null,
      is_guest: isOneIn(50, 13),
      threepids:
        isBridged || isOneIn(4, 0)
          ? []
          : [
              {
                key: `email ${address}`,
                medium: 'email',
                address,
                claim: 1,
                added_at: createdTs,
                validated_at: createdTs,
              },
            ],
      external_ids: isOneIn(5, 4)
        ? [{ key: JSON.stringify(['oidc', `id-${n}`]), auth_provider: 'oidc', external_id: `id-${n}` }]
        : [],
    }),
    deactivated: isErased || isOneIn(20, 12),
    erased: isErased,
    locked: isOneIn(100, 14),
    suspended: isOneIn(300, 15),
    shadow_banned: isOneIn(200, 15),
    last_seen_ts: isOneIn(4, 3)
      ? null
      : Math.floor(createdTs + spread(n, 3) * (FIRST_TS + SPAN_MS - createdTs)),
  });
}
