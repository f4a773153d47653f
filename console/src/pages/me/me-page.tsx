import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../session/use-session.ts';
import { Page } from '../../ui/page.tsx';
import { OwnRights } from './own-rights.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { Passkeys } from './passkeys.tsx';
import { SecondFactor } from './second-factor.tsx';

/** Who is signed in, with what rights, where, and with which proofs. */
export function MePage() {
  const { t } = useTranslation(['session', 'scopes']);
  const { scopes, withheld_reason: reason } = useMe();
  // The server shows the sessions only to those that prove the second factor; the banner asks for the proof.
  const isUnproved = scopes.length === 0 && reason === undefined;
  return (
    <Page title={t('own_title')}>
      <Stack gap="xl" maw={1100}>
        <SecondFactor />
        <Passkeys />
        {!isUnproved && <OwnSessions />}
        <OwnRights />
      </Stack>
    </Page>
  );
}
