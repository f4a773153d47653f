import { List, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { IdText } from '../../../ui/id-text.tsx';
import { Note, QueryState } from '../../../ui/query-state.tsx';
import { ContentNote } from '../parts/content-note.tsx';
import { asObject, asTexts } from '../room/room-event.ts';
import { useContent } from '../room/use-content.ts';
import type { Room } from '../room/use-room.ts';

const CANONICAL_ALIAS = 'm.room.canonical_alias';

/** The aliases that a room names for itself. */
export function AliasesTab({ room }: { readonly room: Room }) {
  const { t } = useTranslation('rooms');
  const can = useCan();
  const { room_id: roomId, canonical_alias: main } = room;
  const query = useContent(roomId, 'rooms.listState', { room_id: roomId, type: CANONICAL_ALIAS });
  return (
    <Stack gap="sm">
      <Text size="sm">{t('aliases_hint')}</Text>
      <Title order={2} size="h4">
        {t('alias')}
      </Title>
      {main === null ? <Text c="dimmed">{t('alias_none')}</Text> : <IdText id={main} />}
      <Title order={2} size="h4">
        {t('alias_others')}
      </Title>
      {can('rooms.listState') ? (
        <QueryState query={query} operation="rooms.listState">
          {({ state }) => {
            const others = asTexts(asObject(asObject(state[0]).content).alt_aliases);
            if (others.length === 0) return <Note>{t('alias_none')}</Note>;
            return (
              <List>
                {others.map((alias) => (
                  <List.Item key={alias}>
                    <IdText id={alias} />
                  </List.Item>
                ))}
              </List>
            );
          }}
        </QueryState>
      ) : (
        <ContentNote what={t('alias_others')} />
      )}
    </Stack>
  );
}
