import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { IdInput } from '../../../ui/input/id-input.tsx';
import type { DeletionOptions } from './deletion-options.ts';

interface DeletionFieldsProps {
  readonly options: DeletionOptions;
  readonly onChange: (options: DeletionOptions) => void;
}

/** What `block` and `new_room_user_id` of a deletion require besides. */
const FURTHER_SCOPE = 'rooms:write';

/** The choices of a deletion, each with what it means. */
export function DeletionFields({ options, onChange }: DeletionFieldsProps) {
  const { t } = useTranslation('rooms');
  const can = useCan();
  const mayWrite = can('rooms.beginDeletion', FURTHER_SCOPE);
  const { block, purge, forcePurge, move, newRoomUser, newRoomName, message } = options;
  const set = (change: Partial<DeletionOptions>) => onChange({ ...options, ...change });
  return (
    <Stack gap="sm">
      {mayWrite && (
        <Checkbox
          label={t('delete_block')}
          description={t('delete_block_hint')}
          checked={block}
          onChange={(event) => set({ block: event.currentTarget.checked })}
        />
      )}
      <Checkbox
        label={t('delete_purge')}
        description={t('delete_purge_hint')}
        checked={purge}
        onChange={(event) => set({ purge: event.currentTarget.checked })}
      />
      {purge && (
        <Checkbox
          label={t('delete_force')}
          description={t('delete_force_hint')}
          checked={forcePurge}
          onChange={(event) => set({ forcePurge: event.currentTarget.checked })}
        />
      )}
      {mayWrite && (
        <Checkbox
          label={t('delete_move')}
          description={t('delete_move_hint')}
          checked={move}
          onChange={(event) => set({ move: event.currentTarget.checked })}
        />
      )}
      {move && (
        <>
          <IdInput
            label={t('delete_new_room_user')}
            placeholder="@moderator:example.org"
            value={newRoomUser}
            onValue={(value) => set({ newRoomUser: value })}
            required
          />
          <TextInput
            label={t('delete_new_room_name')}
            description={t('delete_default_hint')}
            value={newRoomName}
            onChange={(event) => set({ newRoomName: event.currentTarget.value })}
          />
          <Textarea
            label={t('delete_message')}
            description={t('delete_default_hint')}
            value={message}
            onChange={(event) => set({ message: event.currentTarget.value })}
            autosize
            minRows={2}
          />
        </>
      )}
    </Stack>
  );
}
