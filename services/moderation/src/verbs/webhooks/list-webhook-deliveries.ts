import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type {
  ListWebhookDeliveriesRequest,
  ListWebhookDeliveriesResponseSchema,
} from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { requester } from '@steward/rpc';
import type { Filter } from '@steward/store';
import { type DeliveryState, deliveryId, type WebhookDelivery } from '../../core/model/webhook-delivery.ts';
import { findWebhook } from '../../core/webhooks/existing-webhook.ts';
import type { WebhookDeps } from '../../core/webhooks/webhook-deps.ts';
import { visibleDeliveries } from '../../core/webhooks/webhook-rights.ts';
import { toDelivery } from './render-delivery.ts';

const DEFAULT_LIMIT = 100n;
const MAX_LIMIT = 500n;

/** Returns a page of the deliveries of a webhook that the caller may see, the newest first. */
export async function listWebhookDeliveries(
  deps: Pick<WebhookDeps, 'webhookDeliveries' | 'webhooks'>,
  { id, from, limit: requested = DEFAULT_LIMIT, state, eventId }: ListWebhookDeliveriesRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof ListWebhookDeliveriesResponseSchema>> {
  await findWebhook(deps, id);
  const limit = Number(requested > MAX_LIMIT ? MAX_LIMIT : requested);
  if (limit === 0) return {};
  // One more than the page, which shows whether another page follows.
  const found = await deps.webhookDeliveries
    .find(
      {
        webhook: id,
        ...visibleDeliveries(requester(context)),
        ...(state === undefined ? {} : { state: state as DeliveryState }),
        ...(eventId === undefined ? {} : { _id: deliveryId(id, eventId) }),
        ...(from === undefined ? {} : { $and: [isAfter(from)] }),
      },
      // Events that arrive together have one time.
      { sort: { created_ts: -1, position: -1, _id: -1 }, limit: limit + 1 },
    )
    .toArray();
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    deliveries: page.map(toDelivery),
    ...(found.length > limit && last ? { nextToken: `${last.created_ts}-${last.position}-${last._id}` } : {}),
  };
}

/** What follows the last delivery of a page. */
function isAfter(token: string): Filter<WebhookDelivery> {
  const [created = '', place = '', ...rest] = token.split('-');
  const createdTs = Number(created);
  const position = Number(place);
  const id = rest.join('-');
  return {
    $and: [
      { created_ts: { $lte: createdTs } },
      {
        $or: [
          { created_ts: { $lt: createdTs } },
          { position: { $lt: position } },
          { position, _id: { $lt: id } },
        ],
      },
    ],
  };
}
