import type { Report } from '@steward/events';
import type { OpenedCollections } from '@steward/service';
import type { Counter, Labels } from '@steward/telemetry';
import type { AddressRules, Sender } from '@steward/webhooks';
import type { collections } from '../collections.ts';
import type { FeedAppender } from '../feed/feed-appender.ts';
import type { FeedDeps } from '../feed/feed-deps.ts';
import type { FeedTail } from '../feed/feed-tail.ts';

/** The dependencies of webhooks. */
export interface WebhookDeps
  extends FeedDeps,
    Pick<OpenedCollections<typeof collections>, 'webhookDeliveries' | 'webhookLeases' | 'webhooks'> {
  readonly feedAppender: FeedAppender;
  readonly feedTail: FeedTail;
  readonly report: Report;
  readonly sender: Pick<Sender, 'post' | 'close'>;
  /** Which addresses webhooks reach. */
  readonly addressRules: AddressRules;
  /** The most webhooks. */
  readonly maxWebhooks: number;
  /** The retention of deliveries, in milliseconds. */
  readonly deliveryRetentionMs: number;
  readonly webhookAttempts: Counter<Labels<'steward_webhook_attempts_total'>>;
  /** Says that webhooks or deliveries changed, to the processes that send. */
  readonly wakeWebhooks: () => void;
}
