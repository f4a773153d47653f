import { Badge, Group, Table, Text, Title } from '@mantine/core';
import type { Role } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { TextLink } from '../../ui/link.tsx';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { CreateRole, EditRole } from './role-form.tsx';
import { ScopeMatrix } from './scope-matrix.tsx';
import { Scrolling } from './scrolling.tsx';
import { useMayGive } from './use-may-give.ts';

/** The roles, who has them, and what each permits. */
export function Roles() {
  const { t } = useTranslation('access');
  const query = useRead('roles.list', {});
  return (
    <QueryState query={query} operation="roles.list">
      {({ roles }) => (
        <Scrolling label={t('tab_roles')}>
          <Group justify="space-between">
            <Text size="sm">{t('roles_hint')}</Text>
            <CreateRole />
          </Group>
          <Table.ScrollContainer
            minWidth={680}
            type="native"
            tabIndex={0}
            role="group"
            aria-label={t('tab_roles')}
          >
            <Table withTableBorder aria-label={t('tab_roles')} verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('role')}</Table.Th>
                  <Table.Th>{t('description')}</Table.Th>
                  <Table.Th>{t('holders')}</Table.Th>
                  <Table.Th>{t('role_tokens')}</Table.Th>
                  <Table.Th>{t('scopes')}</Table.Th>
                  <Table.Th>
                    <span className="visually-hidden">{t('orders')}</span>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {roles.map((role) => (
                  <RoleRow key={role.name} role={role} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          <Title order={2} size="h4">
            {t('matrix')}
          </Title>
          <ScopeMatrix roles={roles} />
        </Scrolling>
      )}
    </QueryState>
  );
}

function RoleRow({ role }: { readonly role: Role }) {
  const { t } = useTranslation('access');
  const format = useFormat();
  const mayGive = useMayGive();
  const { name, description, scopes, built_in: builtIn, holders, tokens } = role;
  const changeable = !builtIn && mayGive(scopes);
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={600} style={{ overflowWrap: 'anywhere', minWidth: 110 }}>
        {name}{' '}
        {builtIn && (
          <Badge variant="outline" color="gray" size="sm" tt="none">
            {t('built_in')}
          </Badge>
        )}
      </Table.Th>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <bdi>{description}</bdi>
      </Table.Td>
      <Table.Td>
        <Holding role={name} count={holders} />
      </Table.Td>
      <Table.Td>{format.number(tokens)}</Table.Td>
      <Table.Td>{format.number(scopes.length)}</Table.Td>
      <Table.Td>
        {changeable && (
          <Group gap="xs" wrap="nowrap" justify="flex-end">
            <EditRole role={role} />
            <OrderButton
              operation="roles.delete"
              title={t('delete_role', { name })}
              text={t('delete')}
              consequences={[
                t('delete_role_effect'),
                ...(holders + tokens > 0 ? [t('delete_role_refused')] : []),
              ]}
              params={{ name }}
              danger
              button={{ size: 'compact-xs' }}
            />
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** How many accounts have a role, as a link to them. */
function Holding({ role, count }: { readonly role: string; readonly count: number }) {
  const { t } = useTranslation('access');
  const can = useCan();
  const format = useFormat();
  if (count === 0 || !can('users.list')) return format.number(count);
  return (
    <TextLink
      to="/users"
      search={{ role } as never}
      aria-label={t('holders_of', { role, count, formatted: format.number(count) })}
    >
      {format.number(count)}
    </TextLink>
  );
}
