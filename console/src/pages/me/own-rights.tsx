import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { proofs } from '../../session/proofs.ts';
import { session } from '../../session/session.ts';
import { useMe } from '../../session/use-session.ts';
import { ScopeList } from '../../ui/scopes/scope-list.tsx';

/** What proves an account with a second factor. */
const FLOWS = [{ stages: ['m.login.password', 'steward.totp'] }];

/** The roles of the user, and what they permit. */
export function OwnRights() {
  const { t } = useTranslation('session');
  const queries = useQueryClient();
  const { user_id: user, roles, scopes } = useMe();
  const factor = useRead('secondFactor.getTotp', {});
  const suspended = scopes.length === 0 && factor.data?.enabled === true;

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
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('rights')}
      </Title>
      {suspended ? (
        <Alert variant="outline" color="orange" title={t('rights_none')}>
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{t('rights_suspended')}</Text>
            <Button size="xs" onClick={() => void prove()}>
              {t('prove')}
            </Button>
          </Stack>
        </Alert>
      ) : (
        <Text style={{ overflowWrap: 'anywhere' }}>
          {t('rights_of', { user, roles: roles.join(', ') })} {roles.includes('admin') && t('all_scopes')}
        </Text>
      )}
      {scopes.length > 0 && <ScopeList scopes={scopes} />}
    </Stack>
  );
}
