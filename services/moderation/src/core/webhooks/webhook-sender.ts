import { createNotifier } from '@steward/kernel';
import { createLeaseHolder } from '@steward/service';
import type { Webhook } from '../model/webhook.ts';
import type { WebhookDeps } from './webhook-deps.ts';
import { startWebhookRunner, type WebhookRunner } from './webhook-runner.ts';

/** The topic of the bus on which processes say that webhooks or deliveries changed. */
export const WEBHOOK_TOPIC = 'webhooks';

/** How often the lease is renewed, progress is stored, and changed webhooks are looked for, in milliseconds. */
const ROUND_MS = 3_000;

/** The work of a process on webhooks. */
export interface WebhookSender {
  /** Says that webhooks or deliveries changed. */
  notify(): void;
  /** Ends the running attempts, which another process repeats, and gives up the lease. */
  close(): Promise<void>;
}

/**
 * Starts the work of a process on webhooks. Of all processes one sends, as long as it renews its lease; the others take over when
 * it ends, at once after an orderly end. A process that loses its lease unnoticed may send a message a second time, with the same
 * id.
 */
export function startWebhookSender(deps: WebhookDeps, roundMs = ROUND_MS): WebhookSender {
  const closing = new AbortController();
  const { signal } = closing;
  const lease = createLeaseHolder(deps, deps.webhookLeases);
  const runners = new Map<string, WebhookRunner>();
  const notifier = createNotifier();
  signal.addEventListener('abort', notifier.notify, { once: true });

  const stopAll = async () => {
    for (const runner of runners.values()) runner.stop();
    await Promise.all([...runners.values()].map(({ ended }) => ended));
  };
  const round = async () => {
    const enabled = await enabledWebhooks(deps);
    const wasSender = lease.holds();
    // Without webhooks there is nothing to write.
    const isSender = enabled.length > 0 && (await lease.take());
    if (signal.aborted) return;
    if (!isSender) return stopAll();
    const ids = new Set(enabled.map(({ _id }) => _id));
    for (const [id, runner] of runners) if (!ids.has(id)) runner.stop();
    for (const webhook of enabled) {
      const { _id: id } = webhook;
      if (runners.has(id)) continue;
      const runner = startWebhookRunner(deps, webhook, lease.holds);
      runners.set(id, runner);
      void runner.ended.then(() => {
        runners.delete(id);
        // It may have been switched on again in between.
        notifier.notify();
      });
    }
    // Webhooks that waited for a lease that had ended.
    if (!wasSender) for (const runner of runners.values()) runner.notify();
    await Promise.all([...runners.values()].map((runner) => runner.flush()));
  };
  const run = async () => {
    while (!signal.aborted) {
      const seen = notifier.count();
      await round().catch((error: unknown) => deps.report('webhooks were not looked after', { error }));
      await notifier.wait(seen, roundMs);
    }
  };
  const ended = run();
  return {
    notify() {
      for (const runner of runners.values()) runner.notify();
      notifier.notify();
    },
    async close() {
      closing.abort();
      await ended;
      await stopAll();
      await lease.release().catch((error: unknown) => {
        deps.report('the lease of webhooks ends later', { error });
      });
      deps.wakeWebhooks();
    },
  };
}

/** The webhooks that are switched on. */
async function enabledWebhooks({ webhooks }: Pick<WebhookDeps, 'webhooks'>): Promise<readonly Webhook[]> {
  const found = await webhooks.find({ deleted: false }).toArray();
  return found.filter(({ enabled }) => enabled);
}
