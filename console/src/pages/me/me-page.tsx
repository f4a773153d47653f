import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/page.tsx';
import { OwnRights } from './own-rights.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { SecondFactor } from './second-factor.tsx';

/** Who is signed in, with what rights, where, and with which proofs. */
export function MePage() {
  const { t } = useTranslation(['session', 'scopes']);
  return (
    <Page title={t('own_title')}>
      <Stack gap="xl" maw={1100}>
        <SecondFactor />
        <OwnSessions />
        <OwnRights />
      </Stack>
    </Page>
  );
}
