import { Table, Text } from '@mantine/core';
import type { Role } from '@steward/sdk';
import { Check } from 'lucide-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { areasOf, useScopeWords } from '../../ui/scopes/scope-words.ts';

const SCOPE_PX = 300;
const ROLE_PX = 110;

/** Which role contains which scope. */
export function ScopeMatrix({ roles }: { readonly roles: readonly Role[] }) {
  const { t } = useTranslation('access');
  const words = useScopeWords();
  const scopes = [...new Set(roles.flatMap((role) => role.scopes))];
  return (
    <Table.ScrollContainer
      minWidth={SCOPE_PX + roles.length * ROLE_PX}
      type="native"
      tabIndex={0}
      role="group"
      aria-label={t('matrix')}
    >
      <Table withTableBorder aria-label={t('matrix')} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th miw={SCOPE_PX}>{t('scope')}</Table.Th>
            {roles.map(({ name }) => (
              <Table.Th key={name} ta="center" maw={160} style={{ overflowWrap: 'break-word' }}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {areasOf(scopes).map(({ area, scopes: each }) => (
            <Fragment key={area}>
              <Table.Tr>
                <Table.Th colSpan={roles.length + 1} scope="rowgroup" pt="md">
                  {words.ofArea(area)}
                </Table.Th>
              </Table.Tr>
              {each.map((scope) => (
                <Table.Tr key={scope}>
                  <Table.Th scope="row" fw={400}>
                    <Text size="sm" ff="monospace">
                      {scope}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {words.of(scope)}
                    </Text>
                  </Table.Th>
                  {roles.map((role) => (
                    <Table.Td key={role.name} ta="center">
                      <Mark has={role.scopes.includes(scope)} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Mark({ has }: { readonly has: boolean }) {
  const { t } = useTranslation();
  return has ? (
    <Check size={18} aria-label={t('table.yes')} role="img" />
  ) : (
    <span className="visually-hidden">{t('table.no')}</span>
  );
}
