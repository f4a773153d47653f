import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/use-read.ts';
import { JsonView } from '../../../ui/json-view.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Section } from './section.tsx';

/** What a user configured: the account data of all rooms and of none. */
export function AccountDataTab({ userId }: { readonly userId: string }) {
  const { t } = useTranslation('users');
  const query = useRead('users.listAccountData', { user_id: userId });
  return (
    <QueryState query={query} operation="users.listAccountData">
      {({ account_data: data }) => (
        <>
          <Text size="sm" mb="sm">
            {t('data.hint')}
          </Text>
          <Section title={t('data.global')}>
            <JsonView label={t('data.global')} value={data?.global ?? {}} />
          </Section>
          <Section title={t('data.rooms')}>
            <JsonView label={t('data.rooms')} value={data?.rooms ?? {}} />
          </Section>
        </>
      )}
    </QueryState>
  );
}
