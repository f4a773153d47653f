import type { ProcessStatus } from '@steward/proto/steward/moderation/v1/server_status_pb.ts';

const OUTBOX_LATE_MS = 60_000n;
const CONSUMER_LATE = 1_000n;
const TASK_LATE_MS = 600_000n;
const EVENT_LOOP_LATE_MS = 500n;

/** The kinds of processes of a server that is split. */
const KINDS = ['gateway', 'user', 'room', 'media', 'moderation'];

/** Returns what is not as it should be, in codes; the proto lists them. */
export function degradedOf(processes: readonly ProcessStatus[], deadLetters: number): string[] {
  const live = processes.filter(({ state }) => state !== 'lost');
  const isSplit = !processes.some(({ kind }) => kind === 'all-in-one');
  const kinds = new Set(live.map(({ kind }) => kind));
  const missing = live.flatMap((each) => each.missing);
  if (isSplit) missing.push(...KINDS.filter((kind) => !kinds.has(kind)));
  const states: readonly (readonly [string, boolean])[] = [
    ['process_lost', live.length < processes.length],
    ['releases_differ', new Set(live.map(({ release }) => release)).size > 1],
    ['outbox_late', live.some(({ outboxes }) => outboxes.some((each) => each.oldestMs > OUTBOX_LATE_MS))],
    ['consumers_late', live.some(({ consumers }) => consumers.some((each) => each.pending > CONSUMER_LATE))],
    ['tasks_late', live.some(({ tasks }) => (tasks?.oldestWaitingMs ?? 0n) > TASK_LATE_MS)],
    ['dead_letters', deadLetters > 0],
    ['event_loop_late', live.some(({ eventLoopDelayMs }) => eventLoopDelayMs > EVENT_LOOP_LATE_MS)],
  ];
  return [
    ...[...new Set(missing)].map((need) => `${need}_missing`).sort(),
    ...states.filter(([, holds]) => holds).map(([code]) => code),
  ];
}
