import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { proofs } from '../session/proofs.ts';
import { session } from '../session/session.ts';
import { useMe } from '../session/use-session.ts';

/** What proves an account with a second factor. */
const FLOWS = [{ stages: ['m.login.password', 'steward.totp'] }];

/**
 * Says why the session has not the rights of its account: the account is suspended, a caller with fewer rights set the password, or
 * the account got a second factor after the session began. A session without any scope for another reason ends.
 */
export function SuspendedBanner() {
  const { t } = useTranslation('session');
  const { scopes, withheld_reason: reason } = useMe();
  if (reason !== undefined) {
    const isSuspended = reason === 'suspended';
    return (
      <Alert
        role="alert"
        variant="outline"
        color="orange"
        title={scopes.length === 0 ? t('rights_none') : t('rights_fewer')}
        mb="md"
      >
        <Text size="sm">{isSuspended ? t('rights_account_suspended') : t('rights_limited')}</Text>
      </Alert>
    );
  }
  return scopes.length === 0 ? <Suspended /> : null;
}

function Suspended() {
  const { t } = useTranslation('session');
  const queries = useQueryClient();

  async function prove() {
    try {
      await proofs.ask({ flows: FLOWS });
    } catch {
      // The user has closed the question.
      return;
    }
    await session.refresh();
    await queries.invalidateQueries();
  }

  return (
    <Alert role="alert" variant="outline" color="orange" title={t('rights_none')} mb="md">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('rights_suspended')}</Text>
        <Button size="xs" onClick={() => void prove()}>
          {t('prove')}
        </Button>
      </Stack>
    </Alert>
  );
}
