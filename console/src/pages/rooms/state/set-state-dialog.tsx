import { JsonInput, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Params } from '../../../client/operation.ts';
import { IdInput } from '../../../ui/input/id-input.tsx';
import { OrderDialog } from '../../../ui/order/order-dialog.tsx';
import type { JsonObject } from '../room/room-event.ts';
import type { Room } from '../room/use-room.ts';

/** A state event as it is edited. */
export interface EditedState {
  readonly type: string;
  readonly stateKey: string;
  readonly content: JsonObject;
  /** Whether the type and the state key are asked for. */
  readonly isNew: boolean;
}

interface SetStateDialogProps {
  readonly room: Room;
  readonly edited: EditedState | undefined;
  readonly onClose: () => void;
}

const NOTHING: EditedState = { type: '', stateKey: '', content: {}, isNew: true };

/** Sets a state event of a room. */
export function SetStateDialog({ room, edited, onClose }: SetStateDialogProps) {
  const { t } = useTranslation('rooms');
  const [type, setType] = useState('');
  const [stateKey, setStateKey] = useState('');
  const [text, setText] = useState('{}');
  const { isNew } = edited ?? NOTHING;
  useEffect(() => {
    if (edited === undefined) return;
    setType(edited.type);
    setStateKey(edited.stateKey);
    setText(JSON.stringify(edited.content, null, 2));
  }, [edited]);
  const content = parseObject(text);
  const isMembership = type === 'm.room.member';
  const params: Params<'rooms.setState'> | undefined =
    content === undefined || type === '' || isMembership
      ? undefined
      : { room_id: room.room_id, type: type, state_key: stateKey, content };
  return (
    <OrderDialog
      opened={edited !== undefined}
      onClose={onClose}
      operation="rooms.setState"
      title={isNew ? t('state_new') : t('state_change_event')}
      consequences={[t('state_effect'), t('sender_effect'), t('state_effect_permissions')]}
      params={params}
      danger
    >
      <Stack gap="sm">
        <IdInput
          label={t('state_type')}
          value={type}
          readOnly={!isNew}
          onValue={setType}
          error={isMembership ? t('state_no_membership') : undefined}
          required
        />
        <IdInput label={t('state_key')} value={stateKey} readOnly={!isNew} onValue={setStateKey} />
        <JsonInput
          label={t('state_content')}
          value={text}
          onChange={setText}
          error={content === undefined ? t('state_no_object') : undefined}
          formatOnBlur
          autosize
          minRows={6}
          maxRows={20}
          spellCheck={false}
          styles={{ input: { fontFamily: 'monospace' } }}
        />
      </Stack>
    </OrderDialog>
  );
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}
