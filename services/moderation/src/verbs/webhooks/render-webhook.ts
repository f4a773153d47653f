import type { MessageInitShape } from '@bufbuild/protobuf';
import { optionalInt64 } from '@steward/kernel';
import type { WebhookSchema } from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import type { Webhook } from '../../core/model/webhook.ts';
import { scopeNamesOf } from '../../core/webhooks/webhook-rights.ts';

/** A webhook as administrators see it at a time, in milliseconds since the Unix epoch: without its secrets. */
export function toWebhook(webhook: Webhook, now: number): MessageInitShape<typeof WebhookSchema> {
  const { _id: id, url, description, types, targets, enabled, progress } = webhook;
  const previous = webhook.secrets.find(({ until }) => until !== null && until > now);
  const { missed_from: from, missed_to: to } = progress;
  return {
    id,
    url,
    description,
    types: [...types],
    targets: [...targets],
    enabled,
    ...(webhook.disabled_reason === '' ? {} : { disabledReason: webhook.disabled_reason }),
    scopes: scopeNamesOf(webhook),
    createdTs: BigInt(webhook.created_ts),
    createdBy: webhook.created_by,
    changedTs: BigInt(webhook.changed_ts),
    changedBy: webhook.changed_by,
    previousSecretExpiresTs: optionalInt64(previous?.until ?? null),
    position: BigInt(progress.position),
    lastSuccessTs: optionalInt64(progress.last_success_ts),
    lastFailureTs: optionalInt64(progress.last_failure_ts),
    failingSinceTs: optionalInt64(progress.failing_since_ts),
    ...(from === null || to === null ? {} : { missed: { from: BigInt(from), to: BigInt(to) } }),
  };
}
