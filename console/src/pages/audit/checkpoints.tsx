import { Box, Stack, Text, Title } from '@mantine/core';
import type { AuditCheckpoint, ListAuditCheckpointsResponse } from '@steward/sdk';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorRows } from '../../api/use-cursor-rows.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { OrderButton } from '../../ui/order/order-button.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { Time } from '../../ui/time.tsx';

const rowsOf = (page: ListAuditCheckpointsResponse) => page.checkpoints;
const nextOf = (page: ListAuditCheckpointsResponse) => page.next_token;
const idOf = ({ number }: AuditCheckpoint) => String(number);
const HEIGHT_PX = 300;

/** The signed statements of what the chain was, newest first. */
export function Checkpoints() {
  const { t } = useTranslation('audit');
  const format = useFormat();
  const [made, setMade] = useState<AuditCheckpoint>();
  const rows = useCursorRows('audit.listCheckpoints', {}, { rowsOf, nextOf });
  const columns = useMemo<readonly Column<AuditCheckpoint>[]>(
    () => [
      {
        id: 'number',
        header: t('number'),
        width: 90,
        grow: 0.4,
        cell: ({ number }) => format.number(number),
      },
      { id: 'made', header: t('made'), width: 130, grow: 0.6, cell: ({ ts }) => <Time ms={ts} /> },
      {
        id: 'hash',
        header: t('hash'),
        width: 240,
        grow: 2,
        cell: ({ hash }) => <Hash text={hash} />,
      },
      {
        id: 'key',
        header: t('signed_with'),
        width: 220,
        cell: ({ key_id: key }) => (key === null ? t('not_signed') : <Hash text={key} />),
      },
    ],
    [t, format],
  );
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('checkpoints')}
      </Title>
      <Text size="sm">{t('checkpoints_hint')}</Text>
      <OrderButton
        operation="audit.createCheckpoint"
        title={t('make_checkpoint')}
        consequences={[t('make_checkpoint_effect')]}
        params={{}}
        onDone={setMade}
        button={{ style: { alignSelf: 'flex-start' } }}
      />
      {made !== undefined && (
        <Box role="status">
          <Text size="sm">{t('checkpoint_made', { number: format.number(made.number) })}</Text>
          <IdText id={made.hash} />
        </Box>
      )}
      <Stack h={rows.count > 0 ? HEIGHT_PX : undefined}>
        <DataTable
          label={t('checkpoints')}
          columns={columns}
          rows={rows}
          idOf={idOf}
          empty={t('no_checkpoints')}
        />
      </Stack>
    </Stack>
  );
}

/** A hash in a cell: cut off by the width, and copied whole. */
function Hash({ text }: { readonly text: string }) {
  return (
    <span className="cut">
      <code title={text}>{text}</code>
      <CopyButton text={text} />
    </span>
  );
}
