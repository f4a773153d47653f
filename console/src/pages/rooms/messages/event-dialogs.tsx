import { Modal, SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { JsonView } from '../../../ui/json-view.tsx';
import { OrderDialog } from '../../../ui/order/order-dialog.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { PurgeDialog } from '../orders/purge-dialog.tsx';
import { EventReason } from '../orders/user-order-dialog.tsx';
import type { RoomEvent } from '../room/room-event.ts';
import { useContent } from '../room/use-content.ts';
import type { EventAction } from './event-item.tsx';

/** An event, and what was chosen to be done with it. */
export interface ChosenEvent {
  readonly action: EventAction;
  readonly event: RoomEvent;
}

interface EventDialogsProps {
  readonly roomId: string;
  readonly chosen: ChosenEvent | undefined;
  readonly onClose: () => void;
}

/** The dialogs for an event: its raw form, its redaction, and the removal of what was before it. */
export function EventDialogs({ roomId, chosen, onClose }: EventDialogsProps) {
  const { t } = useTranslation('rooms');
  const { t: common } = useTranslation();
  const [reason, setReason] = useState('');
  const eventId = chosen?.event.id ?? '';
  const close = () => {
    setReason('');
    onClose();
  };
  return (
    <>
      <Modal
        opened={chosen?.action === 'raw'}
        onClose={close}
        title={t('raw_show')}
        size="xl"
        closeButtonProps={{ 'aria-label': common('order.close') }}
      >
        {chosen !== undefined && <RawEvent roomId={roomId} event={chosen.event} />}
      </Modal>
      <OrderDialog
        opened={chosen?.action === 'redact'}
        onClose={close}
        operation="rooms.redactEvent"
        title={t('redact')}
        consequences={[t('redact_effect'), t('redact_effect_sender')]}
        params={{
          room_id: roomId,
          event_id: eventId,
          ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
        }}
        danger
      >
        <EventReason value={reason} onChange={setReason} />
      </OrderDialog>
      <PurgeDialog roomId={roomId} opened={chosen?.action === 'purge'} onClose={close} eventId={eventId} />
    </>
  );
}

function RawEvent({ roomId, event }: { readonly roomId: string; readonly event: RoomEvent }) {
  const { t } = useTranslation('rooms');
  const [form, setForm] = useState<'received' | 'stored'>('received');
  const stored = useContent(roomId, 'rooms.fetchEvent', { event_id: event.id }, form === 'stored');
  return (
    <Stack>
      <SegmentedControl
        value={form}
        onChange={(next) => setForm(next === 'stored' ? 'stored' : 'received')}
        data={[
          { value: 'received', label: t('raw_received') },
          { value: 'stored', label: t('raw_stored') },
        ]}
      />
      {form === 'received' ? (
        <JsonView label={t('raw_received')} value={event.source} />
      ) : (
        <QueryState query={stored} operation="rooms.fetchEvent">
          {(answer) => <JsonView label={t('raw_stored')} value={answer.event} />}
        </QueryState>
      )}
    </Stack>
  );
}
