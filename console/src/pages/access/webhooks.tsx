import { Group, Text } from '@mantine/core';
import type { ListWebhooksResponse, Webhook } from '@steward/sdk';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorRows } from '../../api/use-cursor-rows.ts';
import { TextLink } from '../../ui/link.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { Time } from '../../ui/time.tsx';
import { CreateWebhook } from './create-webhook.tsx';
import { Maker } from './maker.tsx';
import { WebhookState } from './webhook-state.tsx';

const rowsOf = (page: ListWebhooksResponse) => page.webhooks;
const nextOf = (page: ListWebhooksResponse) => page.next_token;
const totalOf = (page: ListWebhooksResponse) => page.total;
const idOf = (webhook: Webhook) => webhook.id;
/** Deliveries are not events of the feed. */
const REFRESH_MS = 10_000;

/** The receivers of events, and whether they accept them. */
export function Webhooks() {
  const { t } = useTranslation('access');
  const rows = useCursorRows('webhooks.list', {}, { rowsOf, nextOf, totalOf, everyMs: REFRESH_MS });
  const columns = useMemo<readonly Column<Webhook>[]>(
    () => [
      {
        id: 'url',
        header: 'URL',
        width: 260,
        grow: 1.6,
        cell: ({ id, url }) => (
          <TextLink to="/access/webhooks/$webhookId" params={{ webhookId: id }}>
            <bdi>{url}</bdi>
          </TextLink>
        ),
      },
      {
        id: 'state',
        header: t('state'),
        width: 130,
        grow: 0.5,
        cell: (webhook) => <WebhookState webhook={webhook} />,
      },
      {
        id: 'description',
        header: t('description'),
        width: 180,
        cell: ({ description }) => <bdi>{description}</bdi>,
      },
      {
        id: 'types',
        header: t('types'),
        width: 180,
        cell: ({ types }) => (types.length === 0 ? t('all_types') : types.join(', ')),
      },
      {
        id: 'success',
        header: t('last_success'),
        width: 140,
        grow: 0.6,
        cell: ({ last_success_ts: ms }) => <Time ms={ms} />,
      },
      {
        id: 'failure',
        header: t('last_failure'),
        width: 140,
        grow: 0.6,
        cell: ({ last_failure_ts: ms }) => <Time ms={ms} />,
      },
      {
        id: 'created_by',
        header: t('created_by'),
        width: 170,
        cell: ({ created_by: by }) => <Maker id={by} />,
      },
    ],
    [t],
  );
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Text size="sm">{t('webhooks_hint')}</Text>
        <CreateWebhook />
      </Group>
      <DataTable
        label={t('tab_webhooks')}
        columns={columns}
        rows={rows}
        idOf={idOf}
        empty={t('no_webhooks')}
      />
    </>
  );
}
