import { userId } from './data.ts';
import { type Load, load, loadTask, median } from './load.ts';
import { register, type Server, startFloor, startSteward } from './servers.ts';

/** The smallest acceptable share of the baseline's throughput, by request. */
const AIMS: Readonly<Record<string, number>> = {
  'GET v2/users/<id>': 1 / 4,
  'GET v2/users?limit=100': 1 / 2,
  'PUT v2/users/<id>': 1 / 4,
  'POST v1/register': 1 / 4,
};

type Run = (server: Server, token: string, seconds: number, round: number) => Promise<Load>;

const url = (server: Server, path: string) => `${server.url}/_service/admin/${path}`;

const requests: Readonly<Record<string, Run>> = {
  'GET v2/users/<id>': (server, token, duration) =>
    load({ url: url(server, `v2/users/${userId(77)}`), duration, headers: bearer(token) }),
  'GET v2/users?limit=100': (server, token, duration) =>
    load({ url: url(server, 'v2/users?limit=100'), duration, headers: bearer(token) }),
  'PUT v2/users/<id>': (server, token, duration) => {
    let n = 0;
    return load({
      url: server.url,
      duration,
      requests: [
        {
          method: 'PUT',
          headers: bearer(token),
          setupRequest: (request) => ({
            ...request,
            path: `/_service/admin/v2/users/${userId(n++ % 900)}`,
            body: JSON.stringify({ displayname: `Name ${n}` }),
          }),
        },
      ],
    });
  },
  'POST v1/register': (server, _, seconds, round) =>
    loadTask(seconds, async (n) => {
      await register(server.url, `r${round}-${n}`, true);
    }),
};

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Compares the server with the baseline, alternating (A B A B). */
export async function paired(options: {
  readonly steward: string;
  readonly floor: string;
  readonly seconds: number;
  readonly rounds: number;
}): Promise<void> {
  const steward = await startSteward(options.steward);
  const floor = await startFloor(options.floor);
  try {
    console.log(`ready after ${Math.round(steward.readyMs)} ms\n`);
    const tokens = [
      await register(steward.url, 'bench', true),
      await register(floor.url, 'bench', true),
    ] as const;
    console.log('request                   steward/s   floor/s   ratio (aim)     p50 ms   p99 ms  failed');
    for (const [name, run] of Object.entries(requests)) {
      const ours: Load[] = [];
      const theirs: Load[] = [];
      for (let round = 0; round < options.rounds; round++) {
        ours.push(await run(steward, tokens[0], options.seconds, round));
        theirs.push(await run(floor, tokens[1], options.seconds, round));
      }
      const ratios = ours.map((one, round) => one.perSecond / (theirs[round]?.perSecond ?? 1));
      const of = (loads: Load[], key: keyof Load) => median(loads.map((one) => one[key]));
      console.log(
        name.padEnd(24),
        of(ours, 'perSecond').toFixed(0).padStart(10),
        of(theirs, 'perSecond').toFixed(0).padStart(9),
        `${median(ratios).toFixed(2)} (${(AIMS[name] ?? 0).toFixed(2)})`.padStart(14),
        of(ours, 'p50Ms').toFixed(1).padStart(10),
        of(ours, 'p99Ms').toFixed(1).padStart(8),
        String(of(ours, 'failed') + of(theirs, 'failed')).padStart(7),
      );
    }
    console.log(`\nmemory: steward ${steward.memoryMb()} MB, floor ${floor.memoryMb()} MB\n`);
  } finally {
    await Promise.all([steward.stop(), floor.stop()]);
  }
}
