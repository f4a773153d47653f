import { Worker } from 'node:worker_threads';
import { registerAccount } from '@steward/topology/testing';
import { startAdministrator, type Waits } from './administrator.ts';
import type { Attack, Outcome } from './attack.ts';
import type { Orders } from './attacker.ts';
import type { Site } from './site.ts';

/** The longest time that an administrator may wait under attack, in milliseconds, in 99 of 100 requests. */
const MOST_WAIT_MS = 250;

/** The same for all attacks at once on several processes, which share the processors with the engines and the attackers. */
const MOST_WAIT_OF_SEVERAL_MS = 1_000;

/** The memory that a process may use under attack, in MB. */
const MOST_MEMORY_MB = 600;

const SAMPLE_INTERVAL_MS = 250;

/** What one or more attacks at once did to the server. */
export interface Report {
  readonly broken: readonly string[];
  readonly waits: Waits;
  /** The most memory that each process used, in MB. */
  readonly memory: ReadonlyMap<string, number>;
  readonly figures: readonly string[];
}

/** The administrator of the site, whose account is also the one that is read. */
export interface AdministratorAccount {
  readonly userId: string;
  readonly token: string;
}

/** Registers the administrator of a site. */
export function registerAdministrator(site: Site): Promise<AdministratorAccount> {
  return registerAccount(site.url, 'admin', true);
}

/** Runs attacks at once in a thread of their own, while an administrator works. */
export async function carryOut(
  attacks: readonly Attack[],
  site: Site,
  { admin, durationMs, label }: { admin: AdministratorAccount; durationMs: number; label: string },
): Promise<Report> {
  const memory = new Map<string, number>();
  const sampling = setInterval(() => {
    for (const [name, mb] of site.memory()) memory.set(name, Math.max(mb, memory.get(name) ?? 0));
  }, SAMPLE_INTERVAL_MS);
  const administrator = startAdministrator(site.url, admin.token, admin.userId);
  const orders: Orders = {
    names: attacks.map(({ name }) => name),
    target: {
      url: site.url,
      services: site.services,
      admin: admin.token,
      durationMs,
      label,
      alone: attacks.length === 1,
    },
  };
  let before = site.memory();
  const outcomes = await attack(orders, () => {
    before = site.memory();
  });
  const waits = await administrator.finish();
  clearInterval(sampling);
  const starves = attacks.some((each) => each.starves);
  const broken = outcomes.flatMap((outcome) => outcome.broken);
  const isShared = attacks.length > 1 && site.services.length > 0;
  if (starves && waits.p99 > (isShared ? MOST_WAIT_OF_SEVERAL_MS : MOST_WAIT_MS)) {
    broken.push(`the administrator waited ${Math.round(waits.p99)} ms (p99)`);
  }
  if (waits.failures.length > 0) {
    broken.push(
      `${waits.failures.length} of ${waits.count} requests of the administrator failed: ${waits.failures[0]}`,
    );
  }
  for (const [name, mb] of memory) {
    if (mb > MOST_MEMORY_MB) broken.push(`the process ${name} used ${mb} MB`);
  }
  const [{ mostGrowthMb } = {}, other] = attacks;
  for (const [name, mb] of memory) {
    const growth = mb - (before.get(name) ?? 0);
    if (!other && mostGrowthMb !== undefined && growth > mostGrowthMb) {
      broken.push(`the process ${name} grew by ${growth} MB`);
    }
  }
  return { broken, waits, memory, figures: outcomes.flatMap(({ figures }) => figures) };
}

function attack(orders: Orders, onPrepared: () => void): Promise<readonly Outcome[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./attacker.ts', import.meta.url), { workerData: orders });
    worker.on('message', (outcomes: readonly Outcome[] | 'prepared') => {
      if (outcomes === 'prepared') return onPrepared();
      resolve(outcomes);
      void worker.terminate();
    });
    worker.once('error', reject);
  });
}
