import { type Doc, declareCollection } from '@steward/store';

/** The id of the only lease. */
export const LEASE_ID = 'sender';

/** Which process sends the messages of webhooks. */
export interface WebhookLease extends Doc {
  readonly _id: typeof LEASE_ID;
  /** The process. */
  readonly owner: string;
  /** Until when, in milliseconds since the Unix epoch. */
  readonly until: number;
}

/** The lease of the process that sends the messages of webhooks. */
export const webhookLeases = declareCollection<WebhookLease>({
  name: 'moderation.webhook_leases',
  shardKey: null,
  indexes: [],
});
