import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqliteStore } from '@steward/store';
import { accounts } from '@steward/user/testing';
import { accountOf, accountsOf, FIRST_TS, SPAN_MS, spread } from './find-users-data.ts';
import { insertAll } from './insert.ts';
import { median } from './load.ts';
import { timed } from './p50.ts';
import { call, register, startSteward } from './servers.ts';

/** The largest acceptable ratio of the time of a filtered first page to that of the plain one. */
const AIM = 2;

/** The requests before the first measurement, and how often a request is measured. */
const WARM_UP = 500;
const REPEATS = 15;

/** How long the server has for the work in the background that the first requests begin. */
const SETTLE_MS = 15_000;

/** A filter, with values that differ from run to run as those of administrators do. */
type FilterOf = (n: number) => Readonly<Record<string, string | number | boolean>>;

const at = (part: number) => Math.floor(FIRST_TS + part * SPAN_MS);

/** The filters of the list, each as administrators use it: what selects few accounts, some, and nearly all. */
function filtersOf(users: number): Readonly<Record<string, FilterOf>> {
  const someone = (n: number) => accountOf(Math.floor(spread(n, 9) * (users / 4)) * 4 + 1);
  const word = (n: number) => someone(n).displayname?.split(' ')[0]?.toLowerCase() ?? 'x';
  return {
    threepid: (n) => ({ threepid: `email:${someone(n).threepids[0]?.address ?? 'a@b'}` }),
    threepid_contains: (n) => ({ threepid_contains: someone(n).threepids[0]?.address.split('@')[0] ?? 'x' }),
    external_id: (n) => ({ external_id: `oidc:id-${Math.floor(spread(n, 8) * (users / 5)) * 5 + 4}` }),
    'created (a day)': (n) => ({
      created_after: at(spread(n, 1)),
      created_before: at(spread(n, 1) + 1 / 1825),
    }),
    'created (a year)': (n) => ({
      created_after: at(spread(n, 1) / 2),
      created_before: at(spread(n, 1) / 2 + 0.2),
    }),
    last_seen_before: (n) => ({ last_seen_before: at(0.9 - spread(n, 2) / 10) }),
    last_seen_after: (n) => ({ last_seen_after: at(1 - spread(n, 2) / 100) }),
    never_seen: () => ({ never_seen: true }),
    'user_type none': () => ({ user_type: 'none' }),
    'user_type bot': () => ({ user_type: 'bot' }),
    guests: () => ({ is_guest: true }),
    hide_bridges: () => ({ hide_bridges: true }),
    locked: () => ({ is_locked: true }),
    suspended: () => ({ suspended: true }),
    shadow_banned: () => ({ shadow_banned: true }),
    deactivated: () => ({ is_deactivated: true }),
    erased: () => ({ erased: true }),
    name: (n) => ({ name: word(n) }),
  };
}

/** Measures the filters of the user list alone and two at a time, against the plain first page in the same run. */
export async function findUsers(options: {
  readonly directory: string;
  readonly users: number;
  /** Part of the names of the filters to measure; all of them if absent. */
  readonly name?: string;
}): Promise<void> {
  const { users, name: part = '' } = options;
  const data = join(options.directory, String(users));
  await mkdir(data, { recursive: true });
  const loading = await openSqliteStore({ path: join(data, 'steward.db'), loading: true });
  const isNew = (await loading.someId('user.accounts')) === undefined;
  if (isNew) await insertAll(loading, accounts, accountsOf(users));
  await loading.close();

  const server = await startSteward(data, { accounts: { bridge_patterns: ['telegram_*'] } });
  const own = `@bench-${process.pid}:localhost`;
  const token = await register(server.url, `bench-${process.pid}`, true);
  const filters = Object.entries(filtersOf(users));
  const named = filters.flatMap(([name, filter], i) => [
    { name, filters: [filter] },
    ...filters
      .slice(i + 1)
      .map(([other, second]) => ({ name: `${name} + ${other}`, filters: [filter, second] })),
  ]);
  let run = 0;
  const list = async (filters: readonly FilterOf[]): Promise<number> => {
    const parameters = new URLSearchParams(Object.assign({}, ...filters.map((filter) => filter(run))));
    return JSON.parse(await call(server, token, 'GET', `/_service/admin/v2/users?${parameters}`)).total;
  };
  /** On a server in use accounts are written all the time, so that no page is answered from the answer before. */
  const write = () =>
    call(server, token, 'PUT', `/_service/admin/v2/users/${own}`, { displayname: `${run}` });
  for (let n = 0; n < WARM_UP; n++) await list([]);
  // The positions of times are made known by the first ranges that are counted.
  for (const { name, filters } of named.filter((one) => one.filters.length === 1)) {
    if (name.startsWith('created') || name.startsWith('last_seen')) await list(filters);
  }
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const plains: number[] = [];
  /** Takes turns with the plain page, so that other work of the machine slows both. */
  const measure = async (filters: readonly FilterOf[]) => {
    const [plain, filtered]: [number[], number[]] = [[], []];
    let total = 0;
    for (let n = 0; n < REPEATS; n++, run++) {
      await write();
      plain.push(await timed(() => list([])));
      await write();
      filtered.push(
        await timed(async () => {
          total = await list(filters);
        }),
      );
    }
    plains.push(median(plain));
    return { ratio: median(filtered) / median(plain), ms: median(filtered), total };
  };
  let slow = 0;
  for (const { name, filters } of named.filter((one) => one.name.includes(part))) {
    const { ratio, ms, total } = await measure(filters);
    if (ratio > AIM) slow++;
    console.log(
      `${ratio > AIM ? '!' : ' '} ${ratio.toFixed(2)} (${ms.toFixed(2)} ms, ${total} in all)  ${name}`,
    );
  }
  console.log(
    `${users} accounts: the plain first page took ${median(plains).toFixed(2)} ms; ${slow} of ${named.length} filters took more than ${AIM} times as long`,
  );
  await server.stop();
}
