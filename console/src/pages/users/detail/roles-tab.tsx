import { Badge, Checkbox, Group, Stack, Text } from '@mantine/core';
import type { Role } from '@steward/sdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/use-read.ts';
import { useMe } from '../../../session/use-session.ts';
import { Fields } from '../../../ui/fields.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { AccountOrderButton } from './account-order-button.tsx';
import { Section } from './section.tsx';

const ADMIN = 'admin';

/** The roles of an account, and what they permit. */
export function RolesTab({ userId }: { readonly userId: string }) {
  const { t } = useTranslation('users');
  const query = useRead('users.getRoles', { user_id: userId });
  return (
    <QueryState query={query} operation="users.getRoles">
      {({ roles, scopes }) => (
        <Section title={t('roles.title')} actions={<EditRoles userId={userId} held={roles} />}>
          <Fields
            fields={[
              [t('roles.title'), roles.length === 0 ? t('roles.none') : <Names key="roles" names={roles} />],
              [
                t('roles.scopes'),
                scopes.length === 0 ? t('roles.no_scopes') : <Names key="scopes" names={scopes} />,
              ],
            ]}
          />
        </Section>
      )}
    </QueryState>
  );
}

function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <Group gap={4}>
      {names.map((name) => (
        <Badge key={name} variant="outline" color="gray" tt="none">
          {name}
        </Badge>
      ))}
    </Group>
  );
}

interface EditRolesProps {
  readonly userId: string;
  readonly held: readonly string[];
}

function EditRoles({ userId, held }: EditRolesProps) {
  const { t } = useTranslation('users');
  const me = useMe();
  const all = useRead('roles.list', {});
  const [chosen, setChosen] = useState<readonly string[]>();
  const next = chosen ?? held;
  const given = next.filter((name) => !held.includes(name));
  const taken = held.filter((name) => !next.includes(name));
  // Who could not take a role again could give what they lack; who demotes themselves could not go back.
  const isFixed = ({ name, scopes }: Role) =>
    !scopes.every((scope) => me.scopes.includes(scope)) || (name === ADMIN && me.user_id === userId);
  return (
    <AccountOrderButton
      userId={userId}
      operation="users.setRoles"
      title={t('roles.change')}
      consequences={[
        ...(given.length > 0 ? [t('roles.effect_given', { roles: given.join(', ') })] : []),
        ...(taken.length > 0 ? [t('roles.effect_taken', { roles: taken.join(', ') })] : []),
        ...(given.includes(ADMIN) ? [t('create.effect_admin')] : []),
        t('roles.effect'),
      ]}
      params={given.length + taken.length === 0 ? undefined : { user_id: userId, roles: next }}
      danger={given.includes(ADMIN)}
      onDone={() => setChosen(undefined)}
    >
      <Stack gap="sm">
        {(all.data?.roles ?? []).map((role) => (
          <Checkbox
            key={role.name}
            label={<bdi>{role.name}</bdi>}
            description={role.description}
            checked={next.includes(role.name)}
            disabled={isFixed(role)}
            onChange={(event) =>
              setChosen(
                event.currentTarget.checked
                  ? [...next, role.name]
                  : next.filter((name) => name !== role.name),
              )
            }
          />
        ))}
        <Text size="sm" c="dimmed">
          {t('roles.fixed')}
        </Text>
      </Stack>
    </AccountOrderButton>
  );
}
