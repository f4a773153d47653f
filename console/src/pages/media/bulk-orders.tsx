import { Button } from '@mantine/core';
import type { InventoryMedia } from '@steward/sdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowSource } from '../../api/row-source.ts';
import { useCan } from '../../api/use-can.ts';
import { useMe } from '../../session/use-session.ts';
import { BulkDialog } from '../../ui/order/bulk-dialog.tsx';
import { SelectionBar } from '../../ui/table/selection-bar.tsx';
import type { Selection } from '../../ui/table/use-selection.ts';
import { mediaIdOf, mediumOf, serverOf } from './media-id.ts';
import { isLocalOnly, MEDIA_ORDERS, type MediaOrder } from './media-orders.ts';
import { useConsequences } from './use-consequences.ts';

interface BulkOrdersProps {
  readonly selection: Selection;
  readonly rows: RowSource<InventoryMedia>;
}

/** The orders for the media that are selected. */
export function BulkOrders({ selection, rows }: BulkOrdersProps) {
  const { t } = useTranslation('media');
  const can = useCan();
  const server = serverOf(useMe().user_id);
  const consequencesOf = useConsequences();
  const [order, setOrder] = useState<MediaOrder>();
  const local = selection.ids.filter((id) => mediumOf(id).server_name === server);
  const ids = order !== undefined && isLocalOnly(order) ? local : selection.ids;
  const isDeletion = order?.key === 'delete';
  return (
    <>
      <SelectionBar selection={selection} rows={rows} idOf={mediaIdOf}>
        {MEDIA_ORDERS.filter(({ one }) => can(one)).map((each) => (
          <Button
            key={each.key}
            size="compact-sm"
            variant={each.key === 'delete' ? 'outline' : 'default'}
            color={each.key === 'delete' ? 'red' : undefined}
            disabled={isLocalOnly(each) && local.length === 0}
            onClick={() => setOrder(each)}
          >
            {t(each.title)}
          </Button>
        ))}
      </SelectionBar>
      {order !== undefined && (
        <BulkDialog
          opened
          onClose={() => {
            setOrder(undefined);
            selection.clear();
          }}
          operation={order.one}
          title={t(order.title)}
          consequences={[
            ...consequencesOf(order.key),
            ...(ids.length < selection.size ? [t('delete.local_only', { count: ids.length })] : []),
          ]}
          danger={isDeletion}
          typeToConfirm={isDeletion ? t('delete.confirm') : undefined}
          ids={ids}
          paramsOf={mediumOf}
        />
      )}
    </>
  );
}
