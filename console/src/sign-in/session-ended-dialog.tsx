import { Button, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { client } from '../client/client.ts';
import { live } from '../live/live.ts';
import { session } from '../session/session.ts';
import { useSession } from '../session/use-session.ts';
import { CredentialsForm } from './credentials-form.tsx';

/** Lets the user go on after the session has ended: what is on the page, such as a form that is half filled in, stays. */
export function SessionEndedDialog() {
  const { t } = useTranslation(['session', 'common']);
  const state = useSession();
  const queries = useQueryClient();
  if (state.kind !== 'signed-in' || !state.ended) return null;
  const { user_id: user } = state.me;

  async function goOn() {
    const me = await client.me.get({});
    // Another user must not see what this one had on the page.
    if (me.user_id !== user) queries.clear();
    await session.begin();
    live.start();
    await queries.invalidateQueries();
  }

  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t('session:ended_title')}
      zIndex={400}
    >
      <Stack>
        <Text>{t('session:ended')}</Text>
        <CredentialsForm user={user} onSignedIn={goOn}>
          <Button variant="default" onClick={() => void session.end()}>
            {t('common:account.sign_out')}
          </Button>
        </CredentialsForm>
      </Stack>
    </Modal>
  );
}
