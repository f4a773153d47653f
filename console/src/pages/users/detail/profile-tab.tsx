import { Text } from '@mantine/core';
import type { User } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { Fields } from '../../../ui/fields.tsx';
import { IdText } from '../../../ui/id-text.tsx';
import { Time } from '../../../ui/time.tsx';
import { statesOf, UserStates } from '../user-states.tsx';
import { EditAddresses } from './edit-addresses.tsx';
import { EditExternalIds } from './edit-external-ids.tsx';
import { EditProfile } from './edit-profile.tsx';
import { PlainTable } from './plain-table.tsx';
import { Section } from './section.tsx';
import { SetValidity } from './set-validity.tsx';

/** What an account is: its profile, its addresses, its ids at identity providers, and its validity. */
export function ProfileTab({ user }: { readonly user: User }) {
  const { t } = useTranslation('users');
  const none = (
    <Text span c="dimmed">
      {t('none')}
    </Text>
  );
  return (
    <>
      <Section title={t('tab.profile')} actions={<EditProfile user={user} />}>
        <Fields
          fields={[
            [t('user_id'), <IdText key="id" id={user.name} />],
            [t('displayname'), user.displayname === null ? none : <bdi key="name">{user.displayname}</bdi>],
            [t('avatar'), user.avatar_url === null ? none : <IdText key="avatar" id={user.avatar_url} />],
            [t('user_type'), user.user_type ?? none],
            [t('states'), statesOf(user).length === 0 ? none : <UserStates key="states" user={user} wrap />],
            [t('created'), <Time key="created" ms={user.creation_ts} exact />],
            [t('last_seen'), <Time key="seen" ms={user.last_seen_ts} exact />],
            [t('appservice'), user.appservice_id ?? none],
            [
              t('consent'),
              user.consent_version === null ? (
                none
              ) : (
                <span key="consent">
                  {user.consent_version} <Time ms={user.consent_ts} exact />
                </span>
              ),
            ],
          ]}
        />
      </Section>
      <Section title={t('addresses')} actions={<EditAddresses user={user} />}>
        {user.threepids.length === 0 ? (
          <Text c="dimmed">{t('addresses_none')}</Text>
        ) : (
          <PlainTable
            label={t('addresses')}
            head={[t('medium'), t('address'), t('added'), t('validated')]}
            minWidth={480}
            rows={user.threepids.map(({ medium, address, added_at: added, validated_at: validated }) => [
              `${medium} ${address}`,
              [
                medium,
                <bdi key="address">{address}</bdi>,
                <Time key="added" ms={added} />,
                <Time key="validated" ms={validated} />,
              ],
            ])}
          />
        )}
      </Section>
      <Section title={t('external_ids')} actions={<EditExternalIds user={user} />}>
        {user.external_ids.length === 0 ? (
          <Text c="dimmed">{t('external_ids_none')}</Text>
        ) : (
          <PlainTable
            label={t('external_ids')}
            head={[t('provider'), t('external_id')]}
            minWidth={320}
            rows={user.external_ids.map(({ auth_provider: provider, external_id: id }) => [
              `${provider} ${id}`,
              [<bdi key="provider">{provider}</bdi>, <bdi key="id">{id}</bdi>],
            ])}
          />
        )}
      </Section>
      <Section title={t('validity')} actions={<SetValidity userId={user.name} />}>
        <Text size="sm">{t('validity_hint')}</Text>
      </Section>
    </>
  );
}
