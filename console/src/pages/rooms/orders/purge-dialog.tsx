import { Checkbox, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Params } from '../../../client/operation.ts';
import { IdInput } from '../../../ui/input/id-input.tsx';
import { OrderDialog } from '../../../ui/order/order-dialog.tsx';

interface PurgeDialogProps {
  readonly roomId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The first event to keep; asked for when unset. */
  readonly eventId?: string | undefined;
}

/** Removes the events of a room before a time or an event. */
export function PurgeDialog({ roomId, opened, onClose, eventId }: PurgeDialogProps) {
  const { t } = useTranslation('rooms');
  const navigate = useNavigate({ from: '/rooms/$roomId' });
  const [by, setBy] = useState<'time' | 'event'>('time');
  const [time, setTime] = useState('');
  const [event, setEvent] = useState('');
  const [local, setLocal] = useState(false);
  const bound = boundOf();
  const params: Params<'rooms.purgeHistory'> | undefined =
    bound === undefined
      ? undefined
      : { room_id: roomId, ...bound, ...(local ? { delete_local_events: true } : {}) };

  function boundOf() {
    if (eventId !== undefined) return { purge_up_to_event_id: eventId };
    if (by === 'event') {
      const given = event;
      return given.startsWith('$') && given.length > 1 ? { purge_up_to_event_id: given } : undefined;
    }
    const ms = Date.parse(time);
    return Number.isNaN(ms) ? undefined : { purge_up_to_ts: ms };
  }

  return (
    <OrderDialog
      opened={opened}
      onClose={() => {
        setTime('');
        setEvent('');
        setLocal(false);
        onClose();
      }}
      operation="rooms.purgeHistory"
      title={t('purge')}
      consequences={[
        t('purge_effect'),
        local ? t('purge_effect_local') : t('purge_effect_remote'),
        t('purge_effect_state'),
      ]}
      params={params}
      danger
      typeToConfirm={roomId}
      onDone={() => navigate({ search: { tab: 'tasks' } })}
    >
      <Stack gap="sm">
        {eventId === undefined && (
          <SegmentedControl
            value={by}
            onChange={(next) => setBy(next === 'event' ? 'event' : 'time')}
            data={[
              { value: 'time', label: t('purge_by_time') },
              { value: 'event', label: t('purge_by_event') },
            ]}
          />
        )}
        {eventId === undefined && by === 'time' && (
          <TextInput
            type="datetime-local"
            label={t('purge_time')}
            value={time}
            onChange={(change) => setTime(change.currentTarget.value)}
            required
          />
        )}
        {eventId === undefined && by === 'event' && (
          <IdInput label={t('purge_event')} placeholder="$event" value={event} onValue={setEvent} required />
        )}
        {eventId !== undefined && <TextInput label={t('purge_event')} value={eventId} readOnly />}
        <Checkbox
          label={t('purge_local')}
          description={t('purge_local_hint')}
          checked={local}
          onChange={(change) => setLocal(change.currentTarget.checked)}
        />
      </Stack>
    </OrderDialog>
  );
}
