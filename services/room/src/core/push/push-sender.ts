import { PUSHERS_TOPIC } from '@steward/events';
import { createNotifier, pauseUntil } from '@steward/kernel';
import { createLeaseHolder } from '@steward/service';
import type { PushDeps } from './push-deps.ts';
import { type PushWork, startPushWork } from './push-work.ts';

/** How often the lease is renewed, and what is due is looked for, in milliseconds. */
const ROUND_MS = 3_000;

/** After which time pushers and rooms are read again, in milliseconds, should a notification have been lost. */
const REREAD_MS = 60_000;

/** The shortest time between two readings of all pushers, in milliseconds: each change of one announces itself. */
const MIN_REREAD_MS = 250;

/** The sending of pushes by a process. */
export interface PushSender {
  /** How much waits in this process, for the metrics. */
  backlog(): ReturnType<PushWork['backlog']>;
  /** Ends the running attempts, which another process repeats, and gives up the lease. */
  close(): Promise<void>;
}

/**
 * Starts the sending of pushes. Of all processes one sends, as long as it renews its lease; the others take over when it ends, at
 * once after an orderly end. A process that loses its lease unnoticed may send a push a second time.
 */
export function startPushSender(deps: PushDeps, roundMs = ROUND_MS): PushSender {
  const closing = new AbortController();
  const { signal } = closing;
  const lease = createLeaseHolder(deps, deps.pushLeases);
  const notifier = createNotifier();
  let work: PushWork | undefined;
  let isChanged = true;
  let readAt = 0;
  let hasPushers = false;
  const endListening = deps.bus.onNotification(PUSHERS_TOPIC, () => {
    isChanged = true;
    notifier.notify();
  });
  signal.addEventListener('abort', notifier.notify, { once: true });

  const stopWork = async () => {
    const ending = work;
    work = undefined;
    await ending?.stop();
  };
  /** Renews the lease while something takes longer than it lasts. */
  const whileRenewed = async (task: () => Promise<void>) => {
    const done = new AbortController();
    const renewing = (async () => {
      while (!done.signal.aborted) {
        await pauseUntil(done.signal, roundMs);
        if (!done.signal.aborted) await lease.take().catch(() => false);
      }
    })();
    try {
      await task();
    } finally {
      done.abort();
      await renewing;
    }
  };
  /** Reads all pushers again, and takes over what has changed. */
  const reread = async () => {
    isChanged = false;
    const targets = await deps.targets.list().catch((error: unknown) => {
      isChanged = true;
      throw error;
    });
    readAt = deps.clock.now();
    hasPushers = targets.length > 0;
    // Without pushers there is nothing to write.
    if (!(hasPushers || work) || !(await lease.take()) || signal.aborted) return;
    work ??= startPushWork(deps, lease.holds);
    const current = work;
    await whileRenewed(async () => {
      await current.setAll(targets);
      await current.catchUp();
    });
  };
  const round = async () => {
    const isSender = hasPushers && (await lease.take());
    if (!isSender && hasPushers) await stopWork();
    const isDue = isChanged || deps.clock.now() - readAt >= REREAD_MS;
    // Where the lease of another process has ended, too.
    if (isDue || (isSender && !work)) await reread();
    await work?.round();
  };
  const run = async () => {
    while (!signal.aborted) {
      const seen = notifier.count();
      await round().catch((error: unknown) => {
        if (!signal.aborted) deps.report('pushes were not looked after', { error });
      });
      await notifier.wait(seen, roundMs);
      await pauseUntil(signal, Math.min(MIN_REREAD_MS, roundMs));
    }
  };
  const ended = run();
  return {
    backlog: () => work?.backlog() ?? { queues: 0, since: undefined },
    async close() {
      closing.abort();
      endListening();
      await deps.sender.close();
      await ended;
      await stopWork();
      await lease.release().catch((error: unknown) => {
        deps.report('the lease of pushes ends later', { error });
      });
      deps.bus.notify(PUSHERS_TOPIC);
    },
  };
}
