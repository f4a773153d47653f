import { Accordion, Badge, Group, Select, Stack, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { useRead } from '../../api/use-read.ts';
import { UserLink } from '../../ui/links.tsx';
import { Note, QueryState } from '../../ui/query-state.tsx';
import { HolderSessions } from './holder-sessions.tsx';
import { Scrolling } from './scrolling.tsx';

const SHOWN = 100;

/** The accounts with a role, and their administrator sessions. */
export function Holders() {
  const { t } = useTranslation(['access', 'common']);
  const can = useCan();
  const { role = 'admin', opened } = useSearch({ from: '/access' });
  const navigate = useNavigate({ from: '/access' });
  const roles = useRead('roles.list', {});
  const chosen = String(role);
  const query = useRead(
    'users.list',
    { role: chosen, limit: SHOWN, locked: true },
    { enabled: roles.data?.roles.some(({ name }) => name === chosen) ?? false },
  );
  return (
    <Scrolling label={t('tab_sessions')}>
      <Text size="sm">{t('sessions_hint')}</Text>
      <Select
        label={t('role')}
        data={(roles.data?.roles ?? []).map(({ name }) => name)}
        value={chosen}
        onChange={(next) => navigate({ search: { tab: 'sessions', role: next ?? undefined }, replace: true })}
        allowDeselect={false}
        searchable
        w={260}
      />
      <QueryState query={query} operation="users.list">
        {({ users, total }) =>
          users.length === 0 ? (
            <Note>{t('no_holders')}</Note>
          ) : (
            <Stack gap="xs">
              <Accordion
                variant="separated"
                value={opened === undefined ? null : String(opened)}
                onChange={(next) =>
                  navigate({ search: (before) => ({ ...before, opened: next ?? undefined }), replace: true })
                }
              >
                {users.map(({ name, locked }) => (
                  <Accordion.Item key={name} value={name}>
                    <Accordion.Control>
                      <Group gap="xs">
                        <Text span style={{ overflowWrap: 'anywhere' }}>
                          <bdi>{name}</bdi>
                        </Text>
                        {locked && (
                          <Badge variant="outline" color="orange" tt="none">
                            {t('locked')}
                          </Badge>
                        )}
                      </Group>
                    </Accordion.Control>
                    <Accordion.Panel>
                      {/* Read only when it is opened. */}
                      {opened === name && (
                        <Stack gap="xs">
                          <UserLink id={name}>{t('to_user')}</UserLink>
                          <HolderSessions userId={name} endable={can('users.endSession')} />
                        </Stack>
                      )}
                    </Accordion.Panel>
                  </Accordion.Item>
                ))}
              </Accordion>
              {total > users.length && (
                <Text size="sm">{t('common:state.shown', { shown: users.length, total })}</Text>
              )}
            </Stack>
          )
        }
      </QueryState>
    </Scrolling>
  );
}
