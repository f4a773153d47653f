import { Badge } from '@mantine/core';
import type { WebhookDelivery } from '@steward/sdk';
import { useTranslation } from 'react-i18next';

/** The states of deliveries. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'discarded'] as const;

const COLOURS = { pending: 'blue', delivered: 'green', failed: 'red', discarded: 'gray' } as const;

/** The state of a delivery. A later server may have states that the console does not know. */
export function DeliveryState({ delivery: { state } }: { readonly delivery: WebhookDelivery }) {
  const { t } = useTranslation('access');
  const known = DELIVERY_STATES.find((each) => each === state);
  return (
    <Badge variant="outline" tt="none" color={known === undefined ? 'gray' : COLOURS[known]}>
      {known === undefined ? state : t(`delivery_${known}`)}
    </Badge>
  );
}
