import { Conflict, NOT_FLUSHED } from '@steward/store';
import { selects, typesMatching } from '../feed/event-filter.ts';
import { envelopeJson, type FeedEvent } from '../feed/feed-event.ts';
import type { Webhook } from '../model/webhook.ts';
import { deliveryId, type WebhookDelivery } from '../model/webhook-delivery.ts';
import type { WebhookDeps } from './webhook-deps.ts';
import { rightsOfWebhook } from './webhook-rights.ts';

/** How long a delivery is kept beyond the retention while it is pending: longer than all its attempts take, in milliseconds. */
const PENDING_KEPT_MS = 14 * 24 * 60 * 60_000;

/** The latest time that has a text in ISO 8601, in milliseconds since the Unix epoch. */
const LATEST_MS = 8.64e15;

/** The events that a webhook gets. */
export function selectedBy(webhook: Webhook, events: readonly FeedEvent[]): readonly FeedEvent[] {
  const { types, targets } = webhook;
  const filter = {
    rights: rightsOfWebhook(webhook),
    ...(types.length === 0 ? {} : { types: new Set(types.flatMap(typesMatching)) }),
  };
  const wanted = new Set(targets);
  return events.filter(
    (event) =>
      selects(filter, event) && (wanted.size === 0 || event.targets.some((target) => wanted.has(target))),
  );
}

/**
 * Stores the deliveries of the events that a webhook gets, unless they are stored.
 *
 * @returns how many of the events the webhook gets
 */
export async function makeDeliveries(
  deps: Pick<WebhookDeps, 'clock' | 'deliveryRetentionMs' | 'webhookDeliveries'>,
  webhook: Webhook,
  events: readonly FeedEvent[],
): Promise<number> {
  const selected = selectedBy(webhook, events);
  if (selected.length === 0) return 0;
  try {
    await deps.webhookDeliveries.insertMany(
      selected.map((event) => deliveryOf(deps, webhook, event)),
      { ...NOT_FLUSHED, ordered: false },
    );
  } catch (error) {
    // A process that was killed, or lost its lease, has stored them.
    if (!(error instanceof Conflict)) throw error;
  }
  return selected.length;
}

/** The delivery of an event to a webhook, due now. */
export function deliveryOf(
  deps: Pick<WebhookDeps, 'clock' | 'deliveryRetentionMs'>,
  { _id: webhook }: Pick<Webhook, '_id'>,
  event: FeedEvent,
): WebhookDelivery {
  const { id, type, scope, position } = event;
  return newDelivery(deps, { webhook, event: id, type, scope, position, body: bodyOf(event) });
}

/** A pending delivery without attempts, due now. */
export function newDelivery(
  { clock, deliveryRetentionMs }: Pick<WebhookDeps, 'clock' | 'deliveryRetentionMs'>,
  about: Pick<WebhookDelivery, 'webhook' | 'event' | 'type' | 'scope' | 'position' | 'body'>,
): WebhookDelivery {
  const now = clock.now();
  return {
    _id: deliveryId(about.webhook, about.event),
    ...about,
    ...pendingFrom(now, deliveryRetentionMs),
    created_ts: now,
    attempts: [],
  };
}

/** The fields of a delivery that is to be attempted from now on. */
export function pendingFrom(
  now: number,
  deliveryRetentionMs: number,
): Pick<WebhookDelivery, 'state' | 'due' | 'attempt' | 'keep_until'> {
  return {
    state: 'pending',
    due: now,
    attempt: 0,
    keep_until: now + deliveryRetentionMs + PENDING_KEPT_MS,
  };
}

/** The message of an event: its envelope, and `timestamp`, the time in ISO 8601. */
function bodyOf(event: FeedEvent): string {
  return `${envelopeJson(event).slice(0, -1)},"timestamp":"${isoTime(event.time)}"}`;
}

/** A time as a message has it. */
export function isoTime(ms: number): string {
  return new Date(Math.max(0, Math.min(ms, LATEST_MS))).toISOString();
}
