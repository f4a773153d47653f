import { writePayload } from '@steward/feed';
import { WebhookDisabledSchema } from '@steward/proto/steward/feed/v1/webhooks_pb.ts';
import { defineAggregate } from '@steward/service';
import { eventId } from '../feed/feed-event.ts';
import type { DisabledEffect, ResumedEffect, Webhook } from '../model/webhook.ts';
import type { WebhookDeps } from './webhook-deps.ts';

/** What changes of webhooks need. */
export type WebhookAggregateDeps = Pick<
  WebhookDeps,
  'clock' | 'feedAppender' | 'random' | 'webhookDeliveries' | 'webhooks'
>;

/** The aggregate of webhooks. What administrators change has its event from the audit log; what the server changes has an effect. */
export const webhookAggregate = defineAggregate<
  Webhook,
  DisabledEffect | ResumedEffect,
  WebhookAggregateDeps
>({
  collection: (deps) => deps.webhooks,
  effects: {
    async disabled({ feedAppender }, { _id: id }, effects) {
      for (const { id: effect, reason, ts } of effects)
        await feedAppender.append({
          id: eventId(`webhook.disabled.${effect}`),
          type: 'webhook.disabled',
          time: ts,
          actor: null,
          requestId: null,
          taskId: null,
          targets: [webhookName(id)],
          data: writePayload(WebhookDisabledSchema, { id, reason }),
        });
    },
    async resumed({ webhookDeliveries }, { _id: webhook }, effects) {
      // With one time for all, they go out in the order of their positions.
      const now = Math.max(...effects.map(({ ts }) => ts));
      await webhookDeliveries.updateMany({ webhook, due: { $gt: now } }, { $set: { due: now } });
    },
  },
});

/** How the audit log and the feed name a webhook. */
export function webhookName(id: string): string {
  return `webhook:${id}`;
}
