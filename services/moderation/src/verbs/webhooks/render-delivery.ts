import type { MessageInitShape } from '@bufbuild/protobuf';
import { optionalInt64 } from '@steward/kernel';
import type { WebhookDeliverySchema } from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { TEST_DUE, type WebhookDelivery } from '../../core/model/webhook-delivery.ts';

/** A delivery as administrators see it: without its message, which may be about what they must not see. */
export function toDelivery(delivery: WebhookDelivery): MessageInitShape<typeof WebhookDeliverySchema> {
  const { _id: id, event: eventId, type, position, state, created_ts, due, ended_ts } = delivery;
  return {
    id,
    eventId,
    type,
    ...(position === 0 ? {} : { position: BigInt(position) }),
    state,
    createdTs: BigInt(created_ts),
    nextAttemptTs: optionalInt64(due === TEST_DUE ? created_ts : (due ?? null)),
    endedTs: optionalInt64(ended_ts ?? null),
    attempts: delivery.attempts.map(({ ts, status, failure, detail, duration_ms: duration }) => ({
      ts: BigInt(ts),
      ...(status === null ? {} : { status }),
      ...(failure === null ? {} : { failure }),
      ...(detail === null ? {} : { detail }),
      durationMs: BigInt(duration),
    })),
  };
}
