import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { OrderButton } from '../../../ui/order/order-button.tsx';
import { deletionConsequences } from './deletion-consequences.ts';
import { DeletionFields } from './deletion-fields.tsx';
import { DeletionList, useDeletions } from './deletion-list.tsx';
import { deletionOf, USUAL_DELETION } from './deletion-options.ts';

/** The deletions of a room with their progress, and the order for another one. */
export function DeletionsTab({ roomId }: { readonly roomId: string }) {
  const { t } = useTranslation('rooms');
  const can = useCan();
  const [options, setOptions] = useState(USUAL_DELETION);
  const { running } = useDeletions(roomId);
  return (
    <Stack gap="md">
      {!running && can('rooms.beginDeletion') && (
        <div>
          <Text size="sm" mb="xs">
            {t('delete_hint')}
          </Text>
          <OrderButton
            operation="rooms.beginDeletion"
            title={t('delete_room')}
            consequences={deletionConsequences(t, options)}
            params={deletionOf(roomId, options)}
            danger
            typeToConfirm={roomId}
            done={t('delete_begun')}
            onDone={() => setOptions(USUAL_DELETION)}
          >
            <DeletionFields options={options} onChange={setOptions} />
          </OrderButton>
        </div>
      )}
      <DeletionList roomId={roomId} />
    </Stack>
  );
}
