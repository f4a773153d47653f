import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { create } from '@bufbuild/protobuf';
import { type Clock, type Random, randomId } from '@steward/kernel';
import {
  type ProcessStatus,
  ProcessStatusSchema,
} from '@steward/proto/steward/moderation/v1/server_status_pb.ts';
import type { Metrics } from '@steward/telemetry';
import type { Peer } from '../open-peer.ts';
import type { Condition, Readiness } from '../readiness/readiness.ts';
import { RELEASE } from '../release.ts';

/** The interval at which the event loop is watched, in milliseconds; it is part of what is measured. */
const RESOLUTION_MS = 20;
const NS_PER_MS = 1e6;
const MS_PER_S = 1_000;
const PERCENTILE = 99;

/** What a process runs. */
export type ProcessKind = Peer | 'gateway' | 'all-in-one';

/** The parts of a process that its report is about. */
export interface DescribedProcess {
  readonly kind: ProcessKind;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Pick<Metrics, 'read'>;
  readonly readiness: Pick<Readiness, 'read'>;
}

/** Describes a process. */
export interface Description {
  /** The id of this run of the process. */
  readonly id: string;
  /** Its report, as of now. */
  describe(): Promise<ProcessStatus>;
  /** Stops watching the event loop. */
  close(): void;
}

/** Watches this process, so that it can be described. What it says of its backlog is what its metrics say. */
export function describeProcess(options: DescribedProcess): Description {
  const { kind, clock, random, metrics, readiness } = options;
  const id = randomId(random);
  const startedTs = BigInt(Math.round(clock.now() - process.uptime() * MS_PER_S));
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  return {
    id,
    async describe() {
      const [condition, entries, oldest, pending, tasks, waiting, imported] = await Promise.all([
        readiness.read(),
        metrics.read('steward_outbox_entries'),
        metrics.read('steward_outbox_oldest_seconds'),
        metrics.read('steward_bus_consumer_pending'),
        metrics.read('steward_tasks'),
        metrics.read('steward_tasks_oldest_waiting_seconds'),
        metrics.read('steward_accounts_imported_passwords'),
      ]);
      const ages = new Map(oldest.map(({ labels, value }) => [labels.service, value]));
      const inState = (state: string) =>
        sum(tasks.filter(({ labels }) => labels.state === state).map(({ value }) => value));
      const late = delay.percentile(PERCENTILE) / NS_PER_MS - RESOLUTION_MS;
      delay.reset();
      const { rss, heapUsed } = process.memoryUsage();
      return create(ProcessStatusSchema, {
        id,
        kind,
        host: hostname(),
        pid: process.pid,
        release: RELEASE,
        node: process.version,
        startedTs,
        seenTs: BigInt(clock.now()),
        state: stateOf(condition),
        missing: [...condition.missing],
        eventLoopDelayMs: whole(late),
        memoryBytes: BigInt(rss),
        heapBytes: BigInt(heapUsed),
        outboxes: entries.map(({ labels, value }) => ({
          service: String(labels.service),
          entries: whole(value),
          oldestMs: whole((ages.get(labels.service) ?? 0) * MS_PER_S),
        })),
        consumers: pending.map(({ labels, value }) => ({
          consumer: String(labels.consumer),
          pending: whole(value),
        })),
        importedPasswords: imported.map(({ labels, value }) => ({
          scheme: String(labels.scheme),
          accounts: whole(value),
        })),
        ...(tasks.length === 0
          ? {}
          : {
              tasks: {
                scheduled: whole(inState('scheduled')),
                active: whole(inState('active')),
                oldestWaitingMs: whole(Math.max(0, ...waiting.map(({ value }) => value)) * MS_PER_S),
              },
            }),
      });
    },
    close: () => delay.disable(),
  };
}

function stateOf({ phase, isReady, missing }: Condition): string {
  if (phase !== 'serving') return phase;
  if (!isReady) return 'unready';
  return missing.length > 0 ? 'degraded' : 'ready';
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** A number of the metrics as a field; nothing measured is not a number. */
function whole(value: number): bigint {
  return BigInt(Math.max(0, Math.round(value)) || 0);
}
