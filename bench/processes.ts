import { randomBytes } from 'node:crypto';
import { startTopology } from '@steward/topology';
import { loadData, loadInto, userId } from './data.ts';
import { type Load, load, median } from './load.ts';
import { register, SECRET, startSteward } from './servers.ts';

const CREDENTIAL = 'internal-credential';

/** The smallest acceptable share of the one-process throughput, by request. */
const AIMS: Readonly<Record<string, number>> = {
  'GET v2/users/<id>': 1 / 3,
  'GET v2/users?limit=100': 1 / 2,
};

const requests: Readonly<Record<string, string>> = {
  'GET client versions': '/_proto/client/versions',
  'GET whoami': '/_proto/client/v3/account/whoami',
  'GET v2/users/<id>': `/_service/admin/v2/users/${userId(77)}`,
  'GET v2/users?limit=100': '/_service/admin/v2/users?limit=100',
};

/** Compares the server as several processes on MongoDB and NATS with the server in one process, alternating. */
export async function processes(options: {
  readonly directory: string;
  readonly mongo: string;
  readonly nats: string;
  readonly users: number;
  readonly seconds: number;
  readonly rounds: number;
}): Promise<void> {
  const name = `bench_${randomBytes(4).toString('hex')}`;
  const store = new URL(options.mongo);
  store.pathname = `/${name}`;
  const { file } = await loadData(options.directory, options.users);
  const topology = await startTopology({
    env: {
      ...process.env,
      STEWARD_STORE: store.href,
      STEWARD_INTERNAL_CREDENTIAL: CREDENTIAL,
      STEWARD_NATS_URL: options.nats,
      STEWARD_REGISTRATION_SHARED_SECRET: SECRET,
      STEWARD_CONFIG_OVERRIDES: JSON.stringify({ bus: { namespace: name } }),
    },
  });
  const one = await startSteward(options.directory);
  try {
    const rate = loadInto(file, {
      STEWARD_USER_URLS: topology.user.map(({ url }) => url).join(','),
      STEWARD_INTERNAL_CREDENTIAL: CREDENTIAL,
    });
    console.log(`import: ${options.users} accounts, ${rate} a second\n`);
    const urls = [topology.url, one.url] as const;
    const tokens = [await register(urls[0], 'bench', true), await register(urls[1], 'bench', true)] as const;
    const alone: Record<string, number> = {};
    console.log(
      'request                  processes/s  one process/s  ratio (aim)     p50 ms   p99 ms  failed',
    );
    for (const [request, path] of Object.entries(requests)) {
      const runs: [Load, Load][] = [];
      const repeat = (n: 0 | 1, connections: number) =>
        load(
          {
            url: urls[n] + path,
            duration: options.seconds,
            headers: { authorization: `Bearer ${tokens[n]}` },
          },
          connections,
        );
      for (let round = 0; round < options.rounds; round++) {
        runs.push([await repeat(0, CLIENTS), await repeat(1, CLIENTS)]);
      }
      alone[request] = (await repeat(0, 1)).meanMs;
      const of = (which: 0 | 1, key: keyof Load) => median(runs.map((pair) => pair[which][key]));
      const ratio = median(runs.map(([ours, theirs]) => ours.perSecond / theirs.perSecond));
      const aim = AIMS[request];
      console.log(
        request.padEnd(24),
        of(0, 'perSecond').toFixed(0).padStart(11),
        of(1, 'perSecond').toFixed(0).padStart(14),
        `${ratio.toFixed(2)}${aim === undefined ? '' : ` (${aim.toFixed(2)})`}`.padStart(13),
        of(0, 'p50Ms').toFixed(1).padStart(10),
        of(0, 'p99Ms').toFixed(1).padStart(8),
        String(of(0, 'failed') + of(1, 'failed')).padStart(7),
      );
    }
    console.log('\nwhere the time goes, one request at a time (mean ms):');
    const versions = alone['GET client versions'] ?? 0;
    const whoami = alone['GET whoami'] ?? 0;
    const user = alone['GET v2/users/<id>'] ?? 0;
    const page = alone['GET v2/users?limit=100'] ?? 0;
    hop('gateway and call, no store', versions);
    hop('authentication: token and account', whoami - versions);
    hop('reading one account', user - whoami);
    hop('counting and reading a page', page - whoami);
  } finally {
    await topology.close();
    await one.stop();
  }
}

/** The same number of clients as in the other benches. */
const CLIENTS = 16;

function hop(name: string, ms: number): void {
  console.log(name.padEnd(40), ms.toFixed(2).padStart(8));
}
