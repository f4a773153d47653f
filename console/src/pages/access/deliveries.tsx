import { Group, Stack } from '@mantine/core';
import type { ListWebhookDeliveriesResponse, Webhook, WebhookDelivery } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorRows } from '../../api/use-cursor-rows.ts';
import { Answer } from '../../ui/answer.tsx';
import { type Filter, paramsOf } from '../../ui/filters/filter.ts';
import { FilterBar } from '../../ui/filters/filter-bar.tsx';
import { TextLink } from '../../ui/link.tsx';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { Time } from '../../ui/time.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { DELIVERY_FILTERS } from './delivery-filters.ts';
import { DELIVERY_STATES, DeliveryState } from './delivery-state.tsx';

const rowsOf = (page: ListWebhookDeliveriesResponse) => page.deliveries;
const nextOf = (page: ListWebhookDeliveriesResponse) => page.next_token;
const idOf = (delivery: WebhookDelivery) => delivery.id;
/** Deliveries are not events of the feed. */
const REFRESH_MS = 3_000;
const HEIGHT_PX = 460;
const ROUTE = '/access/webhooks/$webhookId';

/** What was and is to be sent to a receiver, newest first. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation(['access', 'common']);
  const { delivery, ...search } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const filtered = useMemo(() => paramsOf(DELIVERY_FILTERS, search), [search]);
  const params = useMemo(() => ({ id: webhook.id, ...filtered }), [webhook.id, filtered]);
  const rows = useCursorRows('webhooks.listDeliveries', params, { rowsOf, nextOf, everyMs: REFRESH_MS });
  const columns = useDeliveryColumns(webhook);
  const filters: readonly Filter[] = [
    { id: 'event_id', label: t('event_id'), kind: 'text' },
    {
      id: 'state',
      label: t('state'),
      kind: 'choice',
      options: DELIVERY_STATES.map((value) => ({ value, label: t(`delivery_${value}`) })),
    },
  ];
  return (
    <>
      <FilterBar
        filters={filters}
        search={search}
        onChange={(change) => navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
      />
      <Stack h={HEIGHT_PX}>
        <DataTable
          label={t('deliveries')}
          columns={columns}
          rows={rows}
          idOf={idOf}
          empty={Object.keys(filtered).length === 0 ? t('no_deliveries') : t('common:state.no_match')}
        />
      </Stack>
      <SidePanel
        opened={delivery !== undefined}
        onClose={() =>
          navigate({
            search: (before) => ({ ...before, delivery: undefined }),
            replace: true,
            resetScroll: false,
          })
        }
        title={t('delivery')}
      >
        {delivery !== undefined && <DeliveryDetails webhook={webhook} id={String(delivery)} />}
      </SidePanel>
    </>
  );
}

function useDeliveryColumns({ id: webhookId, enabled }: Webhook): readonly Column<WebhookDelivery>[] {
  const { t } = useTranslation('access');
  return useMemo(
    () => [
      {
        id: 'type',
        header: t('event_type'),
        width: 200,
        cell: ({ id, type }) => (
          <TextLink
            from={ROUTE}
            search={(before) => ({ ...before, delivery: id })}
            replace
            resetScroll={false}
          >
            {type}
          </TextLink>
        ),
      },
      {
        id: 'state',
        header: t('state'),
        width: 120,
        grow: 0.5,
        cell: (delivery) => <DeliveryState delivery={delivery} />,
      },
      {
        id: 'answer',
        header: t('last_answer'),
        width: 150,
        cell: ({ attempts }) => {
          const last = attempts.at(-1);
          return last === undefined ? '' : <Answer attempt={last} />;
        },
      },
      {
        id: 'attempts',
        header: t('attempts'),
        width: 105,
        grow: 0.3,
        cell: ({ attempts }) => attempts.length,
      },
      {
        id: 'created',
        header: t('created'),
        width: 130,
        grow: 0.6,
        cell: ({ created_ts: ms }) => <Time ms={ms} />,
      },
      {
        id: 'next',
        header: t('next_attempt'),
        width: 130,
        grow: 0.6,
        cell: ({ next_attempt_ts: ms }) => ms !== null && <Time ms={ms} />,
      },
      { id: 'event', header: t('event_id'), width: 220, cell: ({ event_id: id }) => <bdi>{id}</bdi> },
      {
        id: 'orders',
        header: t('orders'),
        width: 140,
        grow: 0.3,
        cell: ({ id, type }) =>
          enabled &&
          type !== 'webhook.test' && (
            <Group gap="xs" wrap="nowrap">
              <OrderButton
                operation="webhooks.replayDelivery"
                title={t('replay_delivery')}
                text={t('replay')}
                consequences={[t('replay_delivery_effect')]}
                params={{ id: webhookId, delivery_id: id }}
                button={{ size: 'compact-xs' }}
              />
            </Group>
          ),
      },
    ],
    [t, webhookId, enabled],
  );
}
