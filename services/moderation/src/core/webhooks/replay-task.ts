import { Conflict } from '@steward/store';
import {
  defineTask,
  type RunningTask,
  TaskDeferred,
  TaskFailed,
  type TaskKind,
  type TaskStep,
} from '@steward/tasks';
import { EVERYTHING } from '../feed/event-filter.ts';
import type { FeedEvent } from '../feed/feed-event.ts';
import { loadHead } from '../feed/feed-head-aggregate.ts';
import { readEvents } from '../feed/read-events.ts';
import type { Webhook } from '../model/webhook.ts';
import { deliveryId } from '../model/webhook-delivery.ts';
import { deliveryOf, selectedBy } from './make-deliveries.ts';
import { isFull } from './pending.ts';
import { sendAgain } from './send-again.ts';
import type { WebhookDeps } from './webhook-deps.ts';

/** The kind of the tasks that send events of a part of the feed again. Their key is the name of the webhook. */
export const REPLAY_WEBHOOK = 'webhook.replay';

/** The part of the feed. */
export interface ReplayParams {
  /** The id of the webhook. */
  readonly webhook: string;
  /** The position after which it begins. */
  readonly after: number;
  /** The position up to which it goes. */
  readonly until: number;
  /** The times between which events are, both inclusive, in milliseconds since the Unix epoch; null for any. */
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
}

/** The number of events that are read at a time. */
const BATCH = 200;

/** The pause while as many deliveries are pending as may be, in milliseconds. Other tasks run then. */
const PAUSE_MS = 5_000;

/** Sends events of a part of the feed again that a webhook selects. */
export function replayTask(deps: WebhookDeps): TaskKind {
  const sending: TaskStep<ReplayParams, number> = { name: 'sending', run: (task) => run(deps, task) };
  return defineTask<ReplayParams>(REPLAY_WEBHOOK, { steps: [sending] });
}

async function run(deps: WebhookDeps, task: RunningTask<ReplayParams, number>): Promise<void> {
  const { webhook: id, after, until, sinceMs, untilMs } = task.params();
  const isWithin = ({ position, time }: FeedEvent) =>
    position <= until && time >= (sinceMs ?? time) && time <= (untilMs ?? time);
  const total = until - after;
  for (let position = task.cursor() ?? after; position < until; ) {
    const webhook = await webhookWithRoom(deps, id);
    // Events that passed their retention since the order are left out.
    const { events, next } = await readEvents(deps, {
      ...EVERYTHING,
      after: await readableAfter(deps, position),
      limit: BATCH,
    });
    for (const event of selectedBy(webhook, events).filter(isWithin)) {
      task.signal.throwIfAborted();
      await order(deps, webhook, event, task.id);
    }
    deps.wakeWebhooks();
    position = Math.min(Math.max(next, position + 1), until);
    await task.save({ cursor: position, done: position - after, total });
  }
}

/** @throws TaskDeferred while the webhook has no room for further deliveries, TaskFailed when it no longer sends */
async function webhookWithRoom(deps: WebhookDeps, id: string): Promise<Webhook> {
  const webhook = await deps.webhooks.findOne({ _id: id });
  if (!webhook || webhook.deleted) throw new TaskFailed('The webhook was deleted');
  if (!webhook.enabled) throw new TaskFailed('The webhook was switched off');
  if (await isFull(deps, id)) throw new TaskDeferred(PAUSE_MS);
  return webhook;
}

async function readableAfter(deps: WebhookDeps, position: number): Promise<number> {
  const { cut } = await loadHead(deps);
  return Math.max(position, cut);
}

/** Makes the delivery of an event due, once for each task. */
async function order(deps: WebhookDeps, webhook: Webhook, event: FeedEvent, task: string): Promise<void> {
  if (await sendAgain(deps, webhook, deliveryId(webhook._id, event.id), task)) return;
  try {
    await deps.webhookDeliveries.insertOne({ ...deliveryOf(deps, webhook, event), replayed_by: task });
  } catch (error) {
    // The process that sends has made it, so that it goes out now.
    if (!(error instanceof Conflict)) throw error;
  }
}
