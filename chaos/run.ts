import {
  createKeepAliveClient,
  type KeepAliveClient,
  registerAdmin,
  seededRandom,
} from '@steward/topology/testing';
import { type AccountClient, createAccountClient } from './account-client.ts';
import { type AddressClient, checkContested, createAddressClient } from './address-client.ts';
import { createCaller, persistent } from './caller.ts';
import { checkAccounts } from './check-accounts.ts';
import { checkFeed } from './check-feed.ts';
import { checkInvitations } from './check-invitations.ts';
import { findLeftovers } from './check-store.ts';
import { checkStoredAccounts } from './check-stored-accounts.ts';
import { checkWorkload } from './check-workload.ts';
import { ContestedAddresses } from './contested-addresses.ts';
import { createDeviceClient, type DeviceClient } from './device-client.ts';
import { type Gateway, openGateway } from './gateway.ts';
import { untilIdle } from './idle.ts';
import { killByChance } from './killer.ts';
import { createPushClient, type PushClient } from './push-client.ts';
import { createWorkload, runWorkload } from './run-workload.ts';
import type { Site } from './site.ts';
import type { Workload } from './workload.ts';

const WORKLOADS = 5;
/** The most concurrent requests of a workload. */
const CALLERS = 4;
const ACCOUNT_CLIENTS = 3;
const ADDRESS_CLIENTS = 3;
const DEVICE_CLIENTS = 2;
const PUSH_CLIENTS = 2;
/** Addresses that several accounts claim. */
const ADDRESSES = 6;

/** The kills of one round, after which everything is compared; the next round has new clients. */
const KILLS_PER_ROUND = 25;

/**
 * How long the server may take until no work is left, in milliseconds. The leases of a crashed process last for some
 * time, and its pending effects are swept twice a minute.
 */
const IDLE_LIMIT_MS = 240_000;

const MS_PER_S = 1_000;

/** The parameters of a run. */
export interface RunOptions {
  readonly site: Site;
  readonly kills: number;
  /** Determines the requests and the kills; their interleaving depends on the machine. */
  readonly seed: string;
  /** Called with the report so far after each round. */
  readonly onRound?: (report: Report) => void;
}

/** The result of a run. */
export interface Report {
  /** The number of kills of each victim. */
  readonly killed: ReadonlyMap<string, number>;
  /** The number of answers. */
  readonly answers: number;
  /** The number of accepted orders and changes of each kind. */
  readonly accepted: ReadonlyMap<string, number>;
  /** The number of comparisons. */
  readonly checks: number;
  /** The longest time until no work was left, in seconds. */
  readonly longestRecoveryS: number;
  /** The differences found. */
  readonly faults: readonly string[];
}

/** Kills a server repeatedly under load and compares its state with what it acknowledged. */
export async function run({ site, kills, seed, onRound }: RunOptions): Promise<Report> {
  const report = {
    killed: new Map<string, number>(),
    accepted: new Map<string, number>(),
    answers: 0,
    checks: 0,
    longestRecoveryS: 0,
    faults: [] as string[],
  };
  const adminToken = await registerAdmin(site.urls[0] ?? '');
  const purged = new Set<string>();
  const gateway = await openGateway();
  for (let round = 0, left = kills; left > 0 && report.faults.length === 0; round++) {
    const kills = Math.min(left, KILLS_PER_ROUND);
    left -= kills;
    const outcome = await runRound({
      site,
      kills,
      seed: `${seed} ${round}`,
      round,
      adminToken,
      gateway,
      purged,
    });
    for (const [name, times] of outcome.killed) add(report.killed, name, times);
    for (const [kind, times] of outcome.accepted) add(report.accepted, kind, times);
    report.answers += outcome.answers;
    report.checks += outcome.checks;
    report.longestRecoveryS = Math.max(report.longestRecoveryS, outcome.longestRecoveryS);
    report.faults.push(...outcome.faults);
    onRound?.(report);
  }
  await gateway.close();
  return report;
}

const add = (counts: Map<string, number>, what: string, times: number) => {
  counts.set(what, (counts.get(what) ?? 0) + times);
};

interface Round extends RunOptions {
  readonly round: number;
  readonly adminToken: string;
  readonly gateway: Gateway;
  /** The rooms purged in the earlier rounds; this round adds its own. */
  readonly purged: Set<string>;
}

/** The clients of a round. */
interface Clients {
  readonly workloads: readonly Workload[];
  readonly accountClients: readonly AccountClient[];
  readonly addressClients: readonly AddressClient[];
  readonly deviceClients: readonly DeviceClient[];
  readonly pushClients: readonly PushClient[];
  readonly contested: ContestedAddresses;
  /** A client for each workload, for the comparison. */
  readonly checkers: readonly KeepAliveClient[];
  close(): void;
}

async function runRound(options: Round): Promise<Report> {
  const { site, kills, seed } = options;
  const traffic = countAnswers();
  const clients = await createClients(options, traffic.onAnswer);
  const faults: string[] = [];
  let killing = true;
  const isRunning = () => killing && faults.length === 0;
  const note = (error: unknown) => {
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  const running = [
    ...clients.workloads.map((workload) => runWorkload(workload, isRunning).catch(note)),
    ...[
      ...clients.accountClients,
      ...clients.addressClients,
      ...clients.deviceClients,
      ...clients.pushClients,
    ].map((client) => stepOn(client, isRunning).catch(note)),
  ];
  const killed = await killByChance(site.victims, kills, seededRandom(`${seed} killer`), traffic.after);
  killing = false;
  await Promise.all(running);

  const began = performance.now();
  faults.push(...(await untilIdle(site, IDLE_LIMIT_MS)));
  const longestRecoveryS = (performance.now() - began) / MS_PER_S;
  const findings = await compare(options, clients);
  clients.close();
  faults.push(...findings.faults);
  const { accepted, checks } = findings;
  return { killed, accepted, answers: traffic.total(), checks, longestRecoveryS, faults };
}

async function createClients(
  { site, seed, round, adminToken, gateway }: Round,
  onAnswer: () => void,
): Promise<Clients> {
  const clients = Array.from(
    {
      length: WORKLOADS * CALLERS + 2 * ACCOUNT_CLIENTS + ADDRESS_CLIENTS + DEVICE_CLIENTS + PUSH_CLIENTS,
    },
    (_, first) => createKeepAliveClient(site.urls, { first, trustClosed: false }),
  );
  const left = [...clients];
  const next = () => left.pop() as KeepAliveClient;
  const workloads: Workload[] = [];
  for (let n = 0; n < WORKLOADS; n++) {
    const newCaller = () => createCaller(next(), onAnswer);
    const callers = [newCaller(), ...Array.from({ length: CALLERS - 1 }, newCaller)] as const;
    const random = seededRandom(`${seed} workload ${n}`);
    workloads.push(await createWorkload({ name: `${round}-${n}`, random, callers, adminToken }));
  }
  const shared = { adminToken, onStep: onAnswer };
  const accountClients = Array.from({ length: ACCOUNT_CLIENTS }, (_, n) => {
    const random = seededRandom(`${seed} accounts ${n}`);
    return createAccountClient({
      ...shared,
      name: `${round}-${n}`,
      random,
      http: next(),
      concurrent: next(),
    });
  });
  const contested = new ContestedAddresses(
    Array.from({ length: ADDRESSES }, (_, n) => `contested-${round}-${n}@example.org`),
  );
  const addressClients = Array.from({ length: ADDRESS_CLIENTS }, (_, n) => {
    const random = seededRandom(`${seed} addresses ${n}`);
    return createAddressClient({ ...shared, name: `${round}-${n}`, random, http: next(), contested });
  });
  const deviceClients: DeviceClient[] = [];
  for (let n = 0; n < DEVICE_CLIENTS; n++) {
    const random = seededRandom(`${seed} devices ${n}`);
    const caller = createCaller(next(), onAnswer);
    deviceClients.push(await createDeviceClient({ name: `${round}-${n}`, random, caller, adminToken }));
  }
  const pushClients: PushClient[] = [];
  for (let n = 0; n < PUSH_CLIENTS; n++) {
    const random = seededRandom(`${seed} pushes ${n}`);
    const caller = createCaller(next(), onAnswer);
    pushClients.push(await createPushClient({ name: `${round}-${n}`, random, caller, adminToken, gateway }));
  }
  const close = () => {
    for (const client of clients) client.close();
  };
  return {
    workloads,
    accountClients,
    addressClients,
    deviceClients,
    pushClients,
    contested,
    checkers: clients.slice(0, WORKLOADS),
    close,
  };
}

/** Compares everything with the model. */
async function compare(
  { site, adminToken, purged }: Round,
  { workloads, accountClients, addressClients, deviceClients, pushClients, contested, checkers }: Clients,
): Promise<Pick<Report, 'accepted' | 'checks' | 'faults'>> {
  const accepted = new Map<string, number>();
  const faults: string[] = [];
  let checks = 0;
  const [client] = checkers;
  if (!client) throw new Error('There is no client');
  const http = persistent(client);
  await Promise.all(
    workloads.map(async (workload, n) => {
      const findings = await checkWorkload(
        workload,
        createCaller(checkers[n] ?? client, () => {}),
      );
      checks += findings.checks;
      faults.push(...findings.faults);
      for (const [kind, times] of workload.model.accepted) add(accepted, kind, times);
      for (const { id, deletion } of workload.model.rooms) if (deletion?.purge) purged.add(id);
    }),
  );
  for (const device of deviceClients) {
    faults.push(...(await device.check(createCaller(client, () => {}))));
    checks += device.accepted.messages + device.accepted.receipts;
    add(accepted, 'message to a device', device.accepted.messages);
    add(accepted, 'receipt', device.accepted.receipts);
  }
  for (const phone of pushClients) {
    faults.push(...(await phone.check(createCaller(client, () => {}))));
    checks += phone.accepted.messages;
    add(accepted, 'message that rings', phone.accepted.messages);
    add(accepted, 'push', phone.accepted.pushes);
  }
  const accounts = accountClients.flatMap((client) => client.accounts);
  const uncertain = new Set(accounts.flatMap(({ userId, states }) => (states.length > 1 ? [userId] : [])));
  const acknowledged = accountClients.flatMap((client) => client.acknowledged);
  checks += accounts.length + acknowledged.length + contested.addresses.length + purged.size;
  for (const client of accountClients) add(accepted, 'change of an account', client.accepted);
  for (const client of addressClients) add(accepted, 'claim of addresses', client.accepted);
  faults.push(
    ...(await checkAccounts(http, adminToken, accounts, await site.facts())),
    ...(await checkFeed(http, adminToken, acknowledged)),
    ...(await checkContested(http, adminToken, contested)),
    ...(await checkStoredAccounts(site, http, adminToken, uncertain)),
    ...(await checkInvitations(site)),
    ...(await findLeftovers(site, purged)),
    ...(await site.damage()),
  );
  return { accepted, checks, faults };
}

async function stepOn(
  client: AccountClient | AddressClient | DeviceClient | PushClient,
  isRunning: () => boolean,
): Promise<void> {
  while (isRunning()) await client.step();
}

/** Counts answers and waits for a number of further ones. */
function countAnswers() {
  let total = 0;
  const waiting = new Set<{ readonly goal: number; readonly reached: () => void }>();
  return {
    total: () => total,
    onAnswer() {
      total++;
      for (const each of waiting) {
        if (total < each.goal) continue;
        waiting.delete(each);
        each.reached();
      }
    },
    after: (answers: number) =>
      new Promise<void>((resolve) => {
        waiting.add({ goal: total + answers, reached: resolve });
      }),
  };
}
