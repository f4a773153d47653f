import {
  createKeepAliveClient,
  type KeepAliveClient,
  registerAdmin,
  seededRandom,
} from '@steward/topology/testing';
import { type AccountClient, createAccountClient } from './account-client.ts';
import { type AddressClient, checkContested, createAddressClient } from './address-client.ts';
import { createCaller, insistent } from './caller.ts';
import { checkAccounts } from './check-accounts.ts';
import { checkCrew } from './check-crew.ts';
import { checkInvitations } from './check-invitations.ts';
import { findLeftovers } from './check-store.ts';
import { checkStoredAccounts } from './check-stored-accounts.ts';
import { ContestedAddresses } from './contested-addresses.ts';
import { type Crew, createCrew, work } from './crew.ts';
import { killByChance } from './killer.ts';
import { untilAtRest } from './rest.ts';
import type { Site } from './site.ts';

const CREWS = 5;
/** What each of a crew can do at the same time. */
const HANDS = 4;
const ACCOUNT_CLIENTS = 3;
const ADDRESS_CLIENTS = 3;
/** Addresses that are taken from each other. */
const ADDRESSES = 6;

/** After how many kills everything is looked at; then others go on. */
const KILLS_PER_ROUND = 25;

/**
 * How long it may take until nothing is left to do, in milliseconds. What a dead process was at belongs to it for some
 * time, and what it owed is looked for twice a minute.
 */
const REST_LIMIT_MS = 240_000;

const MS_PER_S = 1_000;

/** A run. */
export interface RunOptions {
  readonly site: Site;
  readonly kills: number;
  /** What is done, and what is killed when, follows from it. How they fall together is up to the machine. */
  readonly seed: string;
  /** Told of what each part of the run came to. */
  readonly onRound?: (report: Report) => void;
}

/** What a run came to. */
export interface Report {
  /** How often which victim was killed. */
  readonly killed: ReadonlyMap<string, number>;
  /** How many requests were answered. */
  readonly answers: number;
  /** How many orders and changes of each kind were accepted. */
  readonly accepted: ReadonlyMap<string, number>;
  /** How many things were compared. */
  readonly checks: number;
  /** The longest time that it took until nothing was left to do, in seconds. */
  readonly longestHealS: number;
  /** What is wrong; nothing, if all is well. */
  readonly faults: readonly string[];
}

/** Kills a server again and again while clients are at work, and looks at what has become of their work. */
export async function run({ site, kills, seed, onRound }: RunOptions): Promise<Report> {
  const report = {
    killed: new Map<string, number>(),
    accepted: new Map<string, number>(),
    answers: 0,
    checks: 0,
    longestHealS: 0,
    faults: [] as string[],
  };
  const adminToken = await registerAdmin(site.urls[0] ?? '');
  const purged = new Set<string>();
  for (let round = 0, left = kills; left > 0 && report.faults.length === 0; round++) {
    const kills = Math.min(left, KILLS_PER_ROUND);
    left -= kills;
    const outcome = await playRound({ site, kills, seed: `${seed} ${round}`, round, adminToken, purged });
    for (const [name, times] of outcome.killed) add(report.killed, name, times);
    for (const [kind, times] of outcome.accepted) add(report.accepted, kind, times);
    report.answers += outcome.answers;
    report.checks += outcome.checks;
    report.longestHealS = Math.max(report.longestHealS, outcome.longestHealS);
    report.faults.push(...outcome.faults);
    onRound?.(report);
  }
  return report;
}

const add = (counts: Map<string, number>, what: string, times: number) => {
  counts.set(what, (counts.get(what) ?? 0) + times);
};

interface Round extends RunOptions {
  readonly round: number;
  readonly adminToken: string;
  /** The rooms that were purged in the rounds before, to which those of this one are added. */
  readonly purged: Set<string>;
}

/** All who are at work in a round. */
interface Crowd {
  readonly crews: readonly Crew[];
  readonly accountClients: readonly AccountClient[];
  readonly addressClients: readonly AddressClient[];
  readonly contested: ContestedAddresses;
  /** A client for each crew, when the others have stopped. */
  readonly checkers: readonly KeepAliveClient[];
  close(): void;
}

async function playRound(options: Round): Promise<Report> {
  const { site, kills, seed } = options;
  const traffic = countAnswers();
  const crowd = await gather(options, traffic.onAnswer);
  const faults: string[] = [];
  let killing = true;
  const goesOn = () => killing && faults.length === 0;
  const note = (error: unknown) => {
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  const playing = [
    ...crowd.crews.map((crew) => work(crew, goesOn).catch(note)),
    ...[...crowd.accountClients, ...crowd.addressClients].map((client) => stepOn(client, goesOn).catch(note)),
  ];
  const killed = await killByChance(site.victims, kills, seededRandom(`${seed} killer`), traffic.after);
  killing = false;
  await Promise.all(playing);

  const began = performance.now();
  faults.push(...(await untilAtRest(site, REST_LIMIT_MS)));
  const longestHealS = (performance.now() - began) / MS_PER_S;
  const findings = await compare(options, crowd);
  crowd.close();
  faults.push(...findings.faults);
  const { accepted, checks } = findings;
  return { killed, accepted, answers: traffic.total(), checks, longestHealS, faults };
}

async function gather({ site, seed, round, adminToken }: Round, onAnswer: () => void): Promise<Crowd> {
  const clients = Array.from({ length: CREWS * HANDS + 2 * ACCOUNT_CLIENTS + ADDRESS_CLIENTS }, (_, first) =>
    createKeepAliveClient(site.urls, { first, trustClosed: false }),
  );
  const left = [...clients];
  const next = () => left.pop() as KeepAliveClient;
  const crews: Crew[] = [];
  for (let n = 0; n < CREWS; n++) {
    const hand = () => createCaller(next(), onAnswer);
    const hands = [hand(), ...Array.from({ length: HANDS - 1 }, hand)] as const;
    const random = seededRandom(`${seed} crew ${n}`);
    crews.push(await createCrew({ name: `${round}-${n}`, random, hands, adminToken }));
  }
  const shared = { adminToken, onStep: onAnswer };
  const accountClients = Array.from({ length: ACCOUNT_CLIENTS }, (_, n) => {
    const random = seededRandom(`${seed} accounts ${n}`);
    return createAccountClient({ ...shared, name: `${round}-${n}`, random, http: next(), beside: next() });
  });
  const contested = new ContestedAddresses(
    Array.from({ length: ADDRESSES }, (_, n) => `contested-${round}-${n}@example.org`),
  );
  const addressClients = Array.from({ length: ADDRESS_CLIENTS }, (_, n) => {
    const random = seededRandom(`${seed} addresses ${n}`);
    return createAddressClient({ ...shared, name: `${round}-${n}`, random, http: next(), contested });
  });
  const close = () => {
    for (const client of clients) client.close();
  };
  return { crews, accountClients, addressClients, contested, checkers: clients.slice(0, CREWS), close };
}

/** Looks at what has become of everything. */
async function compare(
  { site, adminToken, purged }: Round,
  { crews, accountClients, addressClients, contested, checkers }: Crowd,
): Promise<Pick<Report, 'accepted' | 'checks' | 'faults'>> {
  const accepted = new Map<string, number>();
  const faults: string[] = [];
  let checks = 0;
  const [client] = checkers;
  if (!client) throw new Error('There are no clients');
  const http = insistent(client);
  await Promise.all(
    crews.map(async (crew, n) => {
      const findings = await checkCrew(
        crew,
        createCaller(checkers[n] ?? client, () => {}),
      );
      checks += findings.checks;
      faults.push(...findings.faults);
      for (const [kind, times] of crew.model.accepted) add(accepted, kind, times);
      for (const { id, deletion } of crew.model.rooms) if (deletion?.purge) purged.add(id);
    }),
  );
  const accounts = accountClients.flatMap((client) => client.accounts);
  const uncertain = new Set(accounts.flatMap(({ userId, states }) => (states.length > 1 ? [userId] : [])));
  checks += accounts.length + contested.addresses.length + purged.size;
  for (const client of accountClients) add(accepted, 'change of an account', client.accepted);
  for (const client of addressClients) add(accepted, 'claim of addresses', client.accepted);
  faults.push(
    ...(await checkAccounts(http, adminToken, accounts, await site.facts())),
    ...(await checkContested(http, adminToken, contested)),
    ...(await checkStoredAccounts(site, http, adminToken, uncertain)),
    ...(await checkInvitations(site)),
    ...(await findLeftovers(site, purged)),
    ...(await site.damage()),
  );
  return { accepted, checks, faults };
}

async function stepOn(client: AccountClient | AddressClient, goesOn: () => boolean): Promise<void> {
  while (goesOn()) await client.step();
}

/** Counts answers, and lets others wait for some more of them. */
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
