import { Alert, Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { session } from '../../session/session.ts';
import { useMe } from '../../session/use-session.ts';
import { Passkeys } from './passkeys.tsx';
import { SecondFactor } from './second-factor.tsx';

/**
 * The page of a session that has no rights before its account has a second factor. The address stays, so that the page of a link opens
 * after the enrolment.
 */
export function RequiredEnrolment() {
  const { t } = useTranslation('session');
  const { user_id: user, withheld_reason: reason } = useMe();
  const title = t('must_enrol_title');
  useEffect(() => {
    document.title = `${title} · steward`;
  }, [title]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={560}>
        <Stack gap="lg">
          <Title order={1} size="h2">
            {title}
          </Title>
          <Text>{t('must_enrol', { user })}</Text>
          {reason === undefined ? (
            <>
              <SecondFactor onCodesSeen={() => void session.refresh()} />
              <Passkeys />
            </>
          ) : (
            <Alert role="alert" variant="outline" color="orange" title={t('rights_fewer')}>
              {t('rights_limited')}
            </Alert>
          )}
          <Button variant="default" onClick={() => void session.end()} style={{ alignSelf: 'flex-start' }}>
            {t('end_own')}
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}
