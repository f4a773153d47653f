import { Button, List, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Note, QueryState } from '../../../ui/query-state.tsx';

const SHOWN_AT_ONCE = 200;

/** The addresses of all media that the events of a room name, also of those that the server does not have. */
export function AddressesOfMedia({ roomId }: { readonly roomId: string }) {
  const { t } = useTranslation('rooms');
  const { t: common } = useTranslation();
  const format = useFormat();
  const [asked, setAsked] = useState(false);
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const query = useRead('rooms.getMedia', { room_id: roomId }, { enabled: asked });
  if (!asked) {
    return (
      <div>
        <Button size="xs" variant="default" onClick={() => setAsked(true)}>
          {t('addresses_show')}
        </Button>
      </div>
    );
  }
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('addresses')}
      </Title>
      <QueryState query={query} operation="rooms.getMedia">
        {({ local, remote }) => {
          const all = [...local, ...remote];
          if (all.length === 0) return <Note>{t('media_empty')}</Note>;
          return (
            <>
              <Text size="sm">
                {t('addresses_count', {
                  local: format.number(local.length),
                  remote: format.number(remote.length),
                })}{' '}
                <CopyButton text={all.join('\n')} />
              </Text>
              <List size="sm">
                {all.slice(0, shown).map((uri) => (
                  <List.Item key={uri} style={{ overflowWrap: 'anywhere' }}>
                    <bdi>{uri}</bdi>
                  </List.Item>
                ))}
              </List>
              {all.length > shown && (
                <Button size="compact-sm" variant="subtle" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
                  {common('state.more')}
                </Button>
              )}
            </>
          );
        }}
      </QueryState>
    </Stack>
  );
}
