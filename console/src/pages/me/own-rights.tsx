import { Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../session/use-session.ts';
import { ScopeList } from '../../ui/scopes/scope-list.tsx';

/** The roles of the user, and what they permit. */
export function OwnRights() {
  const { t } = useTranslation('session');
  const { user_id: user, roles, scopes } = useMe();
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('rights')}
      </Title>
      <Text style={{ overflowWrap: 'anywhere' }}>
        {t('rights_of', { user, roles: roles.join(', ') })}{' '}
        {roles.includes('admin') && scopes.length > 0 && t('all_scopes')}
      </Text>
      {scopes.length > 0 && <ScopeList scopes={scopes} />}
    </Stack>
  );
}
