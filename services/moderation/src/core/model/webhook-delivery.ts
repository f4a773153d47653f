import { hash } from 'node:crypto';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { type Doc, declareCollection } from '@steward/store';

/** The state of a delivery, see `steward.moderation.v1.WebhookDelivery`. */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'discarded';

/** One attempt. */
export interface Attempt {
  /** When it began, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** What the receiver answered; null without an answer. */
  readonly status: number | null;
  /** Why there was no answer; null after one. */
  readonly failure: string | null;
  readonly detail: string | null;
  readonly duration_ms: number;
}

/** The delivery of one message to one webhook. */
export interface WebhookDelivery extends Doc {
  /** See `deliveryId`. */
  readonly _id: string;
  /** The id of the webhook. */
  readonly webhook: string;
  /** The id of the event, or of the test. */
  readonly event: string;
  readonly type: string;
  /** The scope without which the webhook does not get it; null for a test. */
  readonly scope: Scope | null;
  /** The position of the event; 0 for a test. */
  readonly position: number;
  /** The message: JSON. It is kept, because the event may be past its retention before the last attempt. */
  readonly body: string;
  readonly state: DeliveryState;
  /** When it was created, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** When the next attempt is due, in milliseconds since the Unix epoch, `TEST_DUE` for a test; absent once it has ended. */
  readonly due?: number;
  /** When it ended, in milliseconds since the Unix epoch; absent before. */
  readonly ended_ts?: number;
  /** How many attempts were made since it was created or ordered again. */
  readonly attempt: number;
  /** The last attempts, oldest first. */
  readonly attempts: readonly Attempt[];
  /** The task that ordered it again last; absent when none did. */
  readonly replayed_by?: string;
  /** When it is removed, in milliseconds since the Unix epoch, also if it is still pending. */
  readonly keep_until: number;
}

/** When tests are due, in milliseconds since the Unix epoch: before all else, so that they go out first. */
export const TEST_DUE = 1;

/** The id of the delivery of an event to a webhook: always the same, so that a repeated step makes no second one. */
export function deliveryId(webhook: string, event: string): string {
  return `${webhook}-${hash('sha256', event, 'hex').slice(0, 32)}`;
}

/** The deliveries of webhooks, distributed by their webhooks. */
export const webhookDeliveries = declareCollection<WebhookDelivery>({
  name: 'moderation.webhook_deliveries',
  shardKey: 'webhook',
  shardKeyOfId: (id) => id.split('-', 1)[0] ?? '',
  indexes: [
    {
      name: 'by_due',
      keys: [
        ['webhook', 1],
        ['due', 1],
        ['position', 1],
      ],
      sparse: 'due',
    },
    {
      name: 'list',
      keys: [
        ['webhook', 1],
        ['created_ts', 1],
        ['position', 1],
      ],
    },
    {
      name: 'list_by_state',
      keys: [
        ['webhook', 1],
        ['state', 1],
        ['created_ts', 1],
        ['position', 1],
      ],
    },
    { name: 'keep_until', keys: [['keep_until', 1]] },
  ],
});
