import { Button } from '@mantine/core';
import type { RoomListEntry } from '@steward/sdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowSource } from '../../../api/row-source.ts';
import { useCan } from '../../../api/use-can.ts';
import { BulkDialog } from '../../../ui/order/bulk-dialog.tsx';
import { SelectionBar } from '../../../ui/table/selection-bar.tsx';
import type { Selection } from '../../../ui/table/use-selection.ts';
import { deletionConsequences } from '../deletion/deletion-consequences.ts';
import { DeletionFields } from '../deletion/deletion-fields.tsx';
import { deletionOf, USUAL_DELETION } from '../deletion/deletion-options.ts';

interface RoomBulkOrdersProps {
  readonly selection: Selection;
  readonly rows: RowSource<RoomListEntry>;
}

type Chosen = 'block' | 'unblock' | 'delete';

const idOf = (room: RoomListEntry) => room.room_id;

/** The orders for several rooms at once. */
export function RoomBulkOrders({ selection, rows }: RoomBulkOrdersProps) {
  const { t } = useTranslation('rooms');
  const can = useCan();
  const [chosen, setChosen] = useState<Chosen>();
  const [options, setOptions] = useState(USUAL_DELETION);
  const { ids } = selection;
  const close = (sent: boolean) => {
    if (sent) selection.clear();
    setChosen(undefined);
    setOptions(USUAL_DELETION);
  };
  return (
    <>
      <SelectionBar selection={selection} rows={rows} idOf={idOf}>
        {can('rooms.putBlock') && (
          <>
            <Button size="compact-sm" variant="default" onClick={() => setChosen('block')}>
              {t('block')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setChosen('unblock')}>
              {t('unblock')}
            </Button>
          </>
        )}
        {can('rooms.beginDeletion') && (
          <Button size="compact-sm" variant="outline" color="red" onClick={() => setChosen('delete')}>
            {t('delete')}
          </Button>
        )}
      </SelectionBar>
      <BulkDialog
        opened={chosen === 'block'}
        onClose={close}
        operation="rooms.putBlock"
        title={t('block')}
        consequences={[t('block_effect_joins'), t('block_effect_members')]}
        ids={ids}
        paramsOf={(id) => ({ room_id: id, block: true })}
      />
      <BulkDialog
        opened={chosen === 'unblock'}
        onClose={close}
        operation="rooms.putBlock"
        title={t('unblock')}
        consequences={[t('unblock_effect')]}
        ids={ids}
        paramsOf={(id) => ({ room_id: id, block: false })}
      />
      <BulkDialog
        opened={chosen === 'delete'}
        onClose={close}
        operation="rooms.beginDeletion"
        title={t('delete')}
        consequences={[...deletionConsequences(t, options), t('delete_effect_tasks')]}
        danger
        typeToConfirm={t('delete_confirm', { count: ids.length })}
        ids={ids}
        paramsOf={(id) => deletionOf(id, options) ?? { room_id: id }}
      >
        <DeletionFields options={options} onChange={setOptions} />
      </BulkDialog>
    </>
  );
}
