import { displayName } from './data.ts';
import { p50 } from './p50.ts';
import { call, register, type Server, startSteward } from './servers.ts';

const SORT_KEYS = [
  'name',
  'is_guest',
  'admin',
  'user_type',
  'deactivated',
  'shadow_banned',
  'displayname',
  'avatar_url',
  'creation_ts',
  'last_seen_ts',
  'locked',
];

const FILTERS = [
  'guests=false',
  'admins=true',
  'admins=false',
  'deactivated=true',
  'locked=true',
  'not_user_type=bot',
  'not_user_type=',
  `name=${encodeURIComponent(displayName(777))}`,
  'user_id=user0000777',
  'limit=0',
];

/** Compares the server with many accounts to the server with few: the first page of every order and filter, and late pages. */
export async function growth(options: {
  readonly few: string;
  readonly many: string;
  readonly users: number;
}): Promise<void> {
  const few = await startSteward(options.few);
  const many = await startSteward(options.many);
  try {
    const tokens = [
      await register(few.url, 'growth', true),
      await register(many.url, 'growth', true),
    ] as const;
    const both = async (query: string) =>
      [
        await p50(() => users(few, tokens[0], query)),
        await p50(() => users(many, tokens[1], query)),
      ] as const;
    console.log('v2/users?                                 few ms  many ms  growth (aim 2)');
    for (const key of SORT_KEYS)
      for (const dir of ['f', 'b'])
        row(`order_by=${key}&dir=${dir}`, await both(`order_by=${key}&dir=${dir}`));
    for (const filter of FILTERS) row(filter, await both(filter));
    console.log('\nfrom=80 %                                 first ms  deep ms  ratio (aim 20)');
    const from = Math.floor(options.users * 0.8);
    for (const key of ['name', 'displayname', 'last_seen_ts']) {
      const first = await p50(() => users(many, tokens[1], `order_by=${key}`));
      const deep = await p50(() => users(many, tokens[1], `order_by=${key}&from=${from}`));
      row(`order_by=${key}&from=${from}`, [first, deep]);
    }
    console.log(`\nmemory at ${options.users} accounts: ${many.memoryMb()} MB`);
  } finally {
    await Promise.all([few.stop(), many.stop()]);
  }
}

function row(name: string, [a, b]: readonly [number, number]): void {
  console.log(
    name.padEnd(40),
    a.toFixed(2).padStart(8),
    b.toFixed(2).padStart(8),
    (b / a).toFixed(2).padStart(8),
  );
}

function users(server: Server, token: string, query: string): Promise<string> {
  return call(server, token, 'GET', `/_service/admin/v2/users?${query}`);
}
