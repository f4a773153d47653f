import { createNotifier, pauseUntil } from '@steward/kernel';
import { NOT_FLUSHED } from '@steward/store';
import { loadHead } from '../feed/feed-head-aggregate.ts';
import type { DisabledReason, Webhook, WebhookProgress } from '../model/webhook.ts';
import type { WebhookDelivery } from '../model/webhook-delivery.ts';
import { attemptDelivery, type Shown } from './attempt-delivery.ts';
import { makeDeliveries } from './make-deliveries.ts';
import { isFull } from './pending.ts';
import { webhookAggregate } from './webhook-aggregate.ts';
import type { WebhookDeps } from './webhook-deps.ts';

/** How many attempts run at a time for a webhook whose last attempt failed; otherwise one, which keeps the order. */
const CONCURRENCY_WHILE_FAILING = 5;

/** How long a webhook may have nothing but failures, in milliseconds. */
const FAILING_MS = 5 * 24 * 60 * 60_000;

/** How long nothing is looked for when nothing is due and no one says that there is something, in milliseconds. */
const IDLE_MS = 5_000;

/** The pause after a failure of the store, and while as many deliveries are pending as may be, in milliseconds. */
const PAUSE_MS = 1_000;

/** The work of this process on one webhook. */
export interface WebhookRunner {
  /** Says that there may be something to send. */
  notify(): void;
  /** Stores how far the webhook is, if that changed. */
  flush(): Promise<void>;
  /** Resolves when the work has ended: the webhook was switched off or deleted, or it was stopped. Never rejects. */
  readonly ended: Promise<void>;
  /** Ends the running attempts, which then do not count. */
  stop(): void;
}

/**
 * Starts the work on a webhook: makes deliveries of the events of the feed, and sends what is due. It may be killed at any moment
 * and run twice: deliveries have fixed ids, and the position is stored after them.
 *
 * @param holdsLease whether this process may send
 */
export function startWebhookRunner(
  deps: WebhookDeps,
  { _id: id, progress: stored }: Webhook,
  holdsLease: () => boolean,
): WebhookRunner {
  const stopping = new AbortController();
  const { signal } = stopping;
  let progress: WebhookProgress = stored;
  let isDirty = false;
  const running = new Map<string, Promise<void>>();
  const notifier = createNotifier();
  signal.addEventListener('abort', notifier.notify, { once: true });

  const change = (changes: Partial<WebhookProgress>) => {
    progress = { ...progress, ...changes };
    isDirty = true;
  };
  const flush = async () => {
    if (!isDirty) return;
    isDirty = false;
    try {
      await deps.webhooks.unversioned.updateOne({ _id: id }, { $set: { progress } }, NOT_FLUSHED);
    } catch (error) {
      isDirty = true;
      throw error;
    }
  };
  /** The webhook as it is now; undefined, and the work ends, when it is switched off or deleted. */
  const current = async () => {
    const webhook = await deps.webhooks.findOne({ _id: id });
    if (webhook?.enabled && !webhook.deleted) return webhook;
    stopping.abort();
    return undefined;
  };

  /** Makes deliveries until the work ends. */
  const makeAll = async () => {
    for await (const events of deps.feedTail.follow(progress.position, signal)) {
      while (await isFull(deps, id)) {
        await pauseUntil(signal, PAUSE_MS);
        if (signal.aborted) return;
      }
      const webhook = await current();
      if (!webhook || signal.aborted || !holdsLease()) return;
      const made = await makeDeliveries(deps, webhook, events);
      change({ position: events.at(-1)?.position ?? progress.position });
      if (made === 0) continue;
      await flush();
      notifier.notify();
    }
  };
  /** Continues where the feed can be read, when the next event is past its retention, or the feed is an earlier one. */
  const reposition = async () => {
    const { last, cut } = await loadHead(deps);
    const { position } = progress;
    if (position < cut) {
      deps.report('a webhook missed events that were past their retention', {
        webhook: id,
        from: position + 1,
        to: cut,
      });
      change({ position: cut, missed_from: position + 1, missed_to: cut });
    } else if (position > last) {
      deps.report('a webhook continues at the end of a feed that was restored', { webhook: id });
      change({ position: last });
    } else return false;
    await flush();
    return true;
  };
  const make = async () => {
    while (!signal.aborted) {
      try {
        await makeAll();
      } catch (error) {
        if (signal.aborted) return;
        if (await reposition().catch(() => false)) continue;
        deps.report('deliveries of a webhook were not made yet', { webhook: id, error });
      }
      await pauseUntil(signal, PAUSE_MS);
    }
  };

  const disable = async ({ url, enabled_ts }: Webhook, reason: Exclude<DisabledReason, '' | 'requested'>) => {
    const ts = deps.clock.now();
    await webhookAggregate.change(deps, id, (webhook) => {
      // What another receiver answered says nothing about this one.
      const isSame = webhook.url === url && webhook.enabled_ts === enabled_ts;
      if (!webhook.enabled || !isSame) return undefined;
      return {
        set: { enabled: false, disabled_reason: reason },
        effects: [{ kind: 'disabled', reason, ts }],
      };
    });
    deps.report('a webhook was switched off', { webhook: id, reason });
  };
  const learn = async (webhook: Webhook, shown: Shown) => {
    const now = deps.clock.now();
    if (shown === 'none') return;
    if (shown === 'accepted') {
      const wasFailing = progress.failing_since_ts !== null;
      change({ last_success_ts: now, failing_since_ts: null });
      if (wasFailing) await flush();
      return;
    }
    const since = Math.max(progress.failing_since_ts ?? now, webhook.enabled_ts);
    const wasFailing = progress.failing_since_ts !== null;
    change({ last_failure_ts: now, failing_since_ts: since });
    if (!wasFailing) await flush();
    if (shown === 'gone') await disable(webhook, 'gone');
    else if (now - since >= FAILING_MS) await disable(webhook, 'failing');
  };
  const attempt = async (delivery: WebhookDelivery) => {
    const webhook = await current();
    if (!webhook || signal.aborted || !holdsLease()) return;
    // It may have been sent, or removed, since it was found.
    const { _id } = delivery;
    const due = await deps.webhookDeliveries.findOne({ _id, webhook: id, state: 'pending' });
    if (!due || (due.due ?? 0) > deps.clock.now()) return;
    await learn(webhook, await attemptDelivery(deps, webhook, due, signal));
  };
  const begin = (delivery: WebhookDelivery) => {
    const { _id } = delivery;
    const ended = attempt(delivery)
      .catch(async (error: unknown) => {
        deps.report('an attempt to deliver a message was not completed', { webhook: id, error });
        await pauseUntil(signal, PAUSE_MS);
      })
      .finally(() => {
        running.delete(_id);
        notifier.notify();
      });
    running.set(_id, ended);
  };
  /** Begins the attempts that are due; returns how long to wait for others. */
  const sendDue = async (): Promise<number> => {
    if (!holdsLease()) return PAUSE_MS;
    const slots = progress.failing_since_ts === null ? 1 : CONCURRENCY_WHILE_FAILING;
    const next = await deps.webhookDeliveries
      .find({ webhook: id, due: { $gt: 0 } }, { sort: { due: 1, position: 1 }, limit: slots + running.size })
      .toArray();
    const now = deps.clock.now();
    for (const delivery of next) {
      const { _id, due = 0 } = delivery;
      if (due > now) return Math.min(due - now, IDLE_MS);
      if (running.size >= slots) return IDLE_MS;
      if (!running.has(_id)) begin(delivery);
    }
    return IDLE_MS;
  };
  const send = async () => {
    while (!signal.aborted) {
      const seen = notifier.count();
      const waitMs = await sendDue().catch((error: unknown) => {
        deps.report('the deliveries of a webhook were not read', { webhook: id, error });
        return PAUSE_MS;
      });
      await notifier.wait(seen, waitMs);
    }
    await Promise.all(running.values());
  };

  const ended = Promise.all([make(), send()])
    .then(flush)
    .catch((error: unknown) => deps.report('how far a webhook is was not stored', { webhook: id, error }));
  return { notify: notifier.notify, flush, ended, stop: () => stopping.abort() };
}
