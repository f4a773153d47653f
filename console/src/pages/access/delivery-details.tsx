import { Stack, Table, Text, Title } from '@mantine/core';
import type { Webhook, WebhookDelivery } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Answer } from '../../ui/answer.tsx';
import { Fields } from '../../ui/fields.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { DeliveryState } from './delivery-state.tsx';

const REFRESH_MS = 1_000;

interface DeliveryDetailsProps {
  readonly webhook: Webhook;
  readonly id: string;
}

/** One delivery, with what its receiver answered to each attempt. */
export function DeliveryDetails({ webhook, id }: DeliveryDetailsProps) {
  const params = { id: webhook.id, delivery_id: id };
  const first = useRead('webhooks.getDelivery', params);
  const pending = first.data?.state === 'pending';
  const query = useRead('webhooks.getDelivery', params, { everyMs: pending ? REFRESH_MS : undefined });
  return (
    <QueryState query={query} operation="webhooks.getDelivery">
      {(delivery) => <Details webhook={webhook} delivery={delivery} />}
    </QueryState>
  );
}

interface DetailsProps {
  readonly webhook: Webhook;
  readonly delivery: WebhookDelivery;
}

function Details({ webhook, delivery }: DetailsProps) {
  const { t } = useTranslation('access');
  const format = useFormat();
  const { id, type, position, attempts, event_id: event } = delivery;
  const { created_ts: created, next_attempt_ts: next, ended_ts: ended } = delivery;
  return (
    <Stack>
      <Fields
        fields={[
          [t('event_type'), type],
          [t('state'), <DeliveryState key="state" delivery={delivery} />],
          [t('event_id'), <IdText key="event" id={event} />],
          ...(position === null ? [] : ([[t('position'), format.number(position)]] as const)),
          [t('created'), <Time key="created" ms={created} exact />],
          ...(next === null ? [] : ([[t('next_attempt'), <Time key="next" ms={next} exact />]] as const)),
          ...(ended === null ? [] : ([[t('ended'), <Time key="ended" ms={ended} exact />]] as const)),
        ]}
      />
      {webhook.enabled && type !== 'webhook.test' && (
        <OrderButton
          operation="webhooks.replayDelivery"
          title={t('replay_delivery')}
          text={t('replay')}
          consequences={[t('replay_delivery_effect')]}
          params={{ id: webhook.id, delivery_id: id }}
          button={{ style: { alignSelf: 'flex-start' } }}
        />
      )}
      <Title order={3} size="h5">
        {t('attempts')}
      </Title>
      {attempts.length === 0 ? (
        <Text size="sm">{t('no_attempts')}</Text>
      ) : (
        <Table withTableBorder aria-label={t('attempts')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('time')}</Table.Th>
              <Table.Th>{t('answer')}</Table.Th>
              <Table.Th>{t('duration')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {attempts.map((attempt) => (
              <Table.Tr key={attempt.ts}>
                <Table.Td>
                  <Time ms={attempt.ts} exact />
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Answer attempt={attempt} withDetail />
                </Table.Td>
                <Table.Td>{format.number(attempt.duration_ms)} ms</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}
