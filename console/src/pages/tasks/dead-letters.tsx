import { Group, Text } from '@mantine/core';
import type { DeadLetter, ListDeadLettersResponse } from '@steward/sdk';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorRows } from '../../api/use-cursor-rows.ts';
import { OrderButton } from '../../ui/order/order-button.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { Time } from '../../ui/time.tsx';

const rowsOf = (page: ListDeadLettersResponse) => page.dead_letters;
const nextOf = (page: ListDeadLettersResponse) => page.next_token;
const idOf = (letter: DeadLetter) => letter.id;

/** The changes that a consumer could not process. */
export function DeadLetters() {
  const { t } = useTranslation('tasks');
  const rows = useCursorRows('deadLetters.list', {}, { rowsOf, nextOf });
  const columns = useMemo<readonly Column<DeadLetter>[]>(
    () => [
      { id: 'event', header: t('event'), width: 170, cell: ({ event }) => event },
      { id: 'consumer', header: t('consumer'), width: 170, cell: ({ consumer }) => consumer },
      { id: 'subject', header: t('subject'), width: 220, cell: ({ aggregate_id: id }) => <bdi>{id}</bdi> },
      {
        id: 'error',
        header: t('error'),
        width: 240,
        grow: 2,
        cell: ({ error }) => <span title={error}>{error}</span>,
      },
      { id: 'attempts', header: t('attempts'), width: 90, grow: 0.3, cell: ({ attempts }) => attempts },
      { id: 'given_up', header: t('given_up'), width: 130, cell: ({ given_up_ts: ms }) => <Time ms={ms} /> },
      {
        id: 'orders',
        header: '',
        width: 230,
        grow: 0.5,
        cell: ({ id }) => (
          <Group gap="xs" wrap="nowrap">
            <OrderButton
              operation="deadLetters.replay"
              title={t('replay')}
              consequences={[t('replay_effect')]}
              params={{ letter_id: id }}
              button={{ size: 'compact-xs' }}
            />
            <OrderButton
              operation="deadLetters.drop"
              title={t('drop')}
              consequences={[t('drop_effect')]}
              params={{ letter_id: id }}
              danger
              button={{ size: 'compact-xs' }}
            />
          </Group>
        ),
      },
    ],
    [t],
  );
  return (
    <>
      <Text size="sm" mb="sm">
        {t('letters_hint')}
      </Text>
      <DataTable
        label={t('tab_dead_letters')}
        columns={columns}
        rows={rows}
        idOf={idOf}
        empty={t('letters_empty')}
      />
    </>
  );
}
