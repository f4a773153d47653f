import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { session } from '../session/session.ts';
import { CredentialsForm } from './credentials-form.tsx';
import { ProviderSignIn } from './provider-sign-in.tsx';

/** The page of a browser without a session. The address stays, so that a link opens its page after the sign-in. */
export function SignInPage() {
  const { t } = useTranslation('session');
  const title = t('title');
  useEffect(() => {
    document.title = `${title} · steward`;
  }, [title]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={420}>
        <Stack gap="lg">
          <div>
            <Title order={1} size="h2">
              steward
            </Title>
            <Text c="dimmed">{t('intro')}</Text>
          </div>
          <CredentialsForm onSignedIn={session.begin} />
          <ProviderSignIn onSignedIn={session.begin} />
          <Text c="dimmed" size="sm">
            {t('first')}
          </Text>
        </Stack>
      </Paper>
    </Center>
  );
}
