import { Button, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { session } from '../../session/session.ts';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { SessionTable } from '../../ui/session-table.tsx';

/** The browsers in which the account is signed in. */
export function OwnSessions() {
  const { t } = useTranslation('session');
  const query = useRead('sessions.listOwn', {});
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('sessions')}
      </Title>
      <Text size="sm">{t('sessions_hint')}</Text>
      <QueryState query={query} operation="sessions.listOwn">
        {({ sessions }) => (
          <SessionTable
            sessions={sessions}
            order={({ id, current }) =>
              current ? (
                <Button size="compact-xs" variant="default" onClick={() => void session.end()}>
                  {t('end_own')}
                </Button>
              ) : (
                <OrderButton
                  operation="sessions.endOwn"
                  title={t('end_title')}
                  text={t('end')}
                  consequences={[t('end_effect')]}
                  params={{ session_id: id }}
                  danger
                  button={{ size: 'compact-xs' }}
                />
              )
            }
          />
        )}
      </QueryState>
    </Stack>
  );
}
