import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import { loadConfig } from '@steward/config';
import { createLocalBus } from '@steward/events';
import { systemClock, systemRandom } from '@steward/kernel';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { createLocalTransport, defer, identify } from '@steward/rpc';
import { identifyAs } from '@steward/rpc/testing';
import { openSqliteStore } from '@steward/store';
import { noMeters } from '@steward/telemetry';
import { noMedia, noRooms, startUserService } from '@steward/user';
import { accountOf, FIRST_TS, SERVER, SPAN_MS, spread, writeAccounts } from './find-users-data.ts';
import { p50 } from './p50.ts';

/** The limit of a page, as clients ask for it. */
const LIMIT = 100n;

/** The largest acceptable ratio of the time of a filtered first page to that of the plain one. */
const AIM = 2;

/** A filter, with values that differ from run to run as those of administrators do. */
type FilterOf = (n: number) => Readonly<Record<string, unknown>>;

const at = (part: number) => BigInt(Math.floor(FIRST_TS + part * SPAN_MS));

/** The filters of the list, each as administrators use it: what selects few accounts, some, and nearly all. */
function filtersOf(users: number): Readonly<Record<string, FilterOf>> {
  const someone = (n: number) => accountOf(Math.floor(spread(n, 9) * (users / 4)) * 4 + 1);
  const word = (n: number) => someone(n).displayname?.split(' ')[0]?.toLowerCase() ?? 'x';
  return {
    threepid: (n) => ({ threepid: `email:${someone(n).threepids[0]?.address ?? 'a@b'}` }),
    threepid_contains: (n) => ({ threepidContains: `${word(n)}.${n}` }),
    external_id: (n) => ({ externalId: `oidc:id-${Math.floor(spread(n, 8) * (users / 5)) * 5 + 4}` }),
    'created (a day)': (n) => ({
      createdAfter: at(spread(n, 1)),
      createdBefore: at(spread(n, 1) + 1 / 1825),
    }),
    'created (a year)': (n) => ({
      createdAfter: at(spread(n, 1) / 2),
      createdBefore: at(spread(n, 1) / 2 + 0.2),
    }),
    last_seen_before: (n) => ({ lastSeenBefore: at(0.9 - spread(n, 2) / 10) }),
    last_seen_after: (n) => ({ lastSeenAfter: at(1 - spread(n, 2) / 100) }),
    never_seen: () => ({ neverSeen: true }),
    'user_type none': () => ({ userType: ['none'] }),
    'user_type bot': () => ({ userType: ['bot'] }),
    guests: () => ({ isGuest: true }),
    hide_bridges: () => ({ hideBridges: true }),
    locked: () => ({ isLocked: true }),
    suspended: () => ({ suspended: true }),
    shadow_banned: () => ({ shadowBanned: true }),
    deactivated: () => ({ isDeactivated: true }),
    erased: () => ({ erased: true }),
    name: (n) => ({ name: word(n) }),
  };
}

/** Measures the filters of the user list alone and two at a time, against the plain first page in the same run. */
export async function findUsers(options: {
  readonly directory: string;
  readonly users: number;
}): Promise<void> {
  const { users } = options;
  await mkdir(options.directory, { recursive: true });
  const path = join(options.directory, `accounts-${users}.db`);
  const loading = await openSqliteStore({ path, loading: true });
  if ((await loading.someId('user.accounts')) === undefined) await writeAccounts(loading, users);
  await loading.close();

  const overrides = {
    server: { name: SERVER },
    accounts: { bridge_patterns: ['telegram_*'] },
    rate_limits: { enabled: false },
  };
  const config = loadConfig({ env: { STEWARD_CONFIG_OVERRIDES: JSON.stringify(overrides) } });
  const store = await openSqliteStore({ path });
  const engine = { store, clock: systemClock, random: systemRandom, report: console.error, meters: noMeters };
  const bus = await createLocalBus(engine);
  const user = await startUserService({ config, bus, rooms: noRooms, media: noMedia, ...engine });
  const admin = {
    userId: '@root:localhost',
    owner: '@root:localhost',
    deviceId: undefined,
    tokenId: 'root',
    admin: true,
    guest: false,
    shadowBanned: false,
    suspended: false,
  };
  const transport = createLocalTransport(user.routes, { interceptors: [identifyAs(admin), defer] });
  const client = createClient(AccountService, transport);
  await user.whenIdle();

  let run = 0;
  const measure = async (filters: readonly FilterOf[]) => {
    let total = 0n;
    const ms = await p50(async () => {
      const query = Object.assign({}, ...filters.map((filter) => filter(run)));
      run++;
      ({ total } = await client.listUsers({ ...query, limit: LIMIT }));
    });
    return { ms, total };
  };
  const plain = await measure([]);
  console.log(`${users} accounts: the plain first page takes ${plain.ms.toFixed(2)} ms`);
  const filters = Object.entries(filtersOf(users));
  const named = filters.flatMap(([name, filter], i) => [
    { name, filters: [filter] },
    ...filters
      .slice(i + 1)
      .map(([other, second]) => ({ name: `${name} + ${other}`, filters: [filter, second] })),
  ]);
  let slow = 0;
  for (const { name, filters } of named) {
    const { ms, total } = await measure(filters);
    const ratio = ms / plain.ms;
    if (ratio > AIM) slow++;
    console.log(
      `${ratio > AIM ? '!' : ' '} ${ratio.toFixed(2)} (${ms.toFixed(2)} ms, ${total} in all)  ${name}`,
    );
  }
  const again = await measure([]);
  console.log(
    `the plain first page at the end: ${again.ms.toFixed(2)} ms; ${slow} of ${named.length} above ${AIM}`,
  );
  await user.close();
  await bus.close();
  await store.close();
}
