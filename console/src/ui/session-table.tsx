import { Badge, Table } from '@mantine/core';
import type { AdminSession } from '@steward/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Time } from './time.tsx';

interface SessionTableProps {
  readonly sessions: readonly AdminSession[];
  /** What can be done with a session. */
  readonly order: (session: AdminSession) => ReactNode;
}

/** Administrator sessions, the latest first. */
export function SessionTable({ sessions, order }: SessionTableProps) {
  const { t } = useTranslation('session');
  return (
    <Table.ScrollContainer minWidth={720} type="native" tabIndex={0} role="group" aria-label={t('sessions')}>
      <Table withTableBorder aria-label={t('sessions')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('browser')}</Table.Th>
            <Table.Th>{t('address')}</Table.Th>
            <Table.Th>{t('started')}</Table.Th>
            <Table.Th>{t('last_used')}</Table.Th>
            <Table.Th>{t('ends')}</Table.Th>
            <Table.Th>
              <span className="visually-hidden">{t('end')}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.map((session) => (
            <Table.Tr key={session.id}>
              <Table.Td style={{ overflowWrap: 'anywhere', maxWidth: 320 }}>
                <bdi>{session.user_agent}</bdi>{' '}
                {session.current && (
                  <Badge variant="outline" tt="none">
                    {t('current')}
                  </Badge>
                )}
              </Table.Td>
              <Table.Td>{session.address}</Table.Td>
              <Table.Td>
                <Time ms={session.created_ts} />
              </Table.Td>
              <Table.Td>
                <Time ms={session.last_used_ts} />
              </Table.Td>
              <Table.Td>
                <Time ms={Math.min(session.idle_expires_ts, session.expires_ts)} />
              </Table.Td>
              <Table.Td>{order(session)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
