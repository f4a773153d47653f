import { Badge, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/use-read.ts';
import { Fields } from '../../../ui/fields.tsx';
import { UserLink } from '../../../ui/links.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Time } from '../../../ui/time.tsx';
import { AccountOrderButton } from './account-order-button.tsx';
import { PlainTable } from './plain-table.tsx';
import { Section } from './section.tsx';

/** How often what no event announces is read again, in milliseconds. */
const USE_MS = 30_000;

interface OfUser {
  readonly userId: string;
}

/** From where an account is used: its administrator sessions, its second factor, and its connections. */
export function SessionsTab({ userId }: OfUser) {
  return (
    <>
      <Connections userId={userId} />
      <AdminSessions userId={userId} />
      <SecondFactor userId={userId} />
    </>
  );
}

function Connections({ userId }: OfUser) {
  const { t } = useTranslation('users');
  const query = useRead('users.whois', { user_id: userId }, { everyMs: USE_MS });
  return (
    <Section title={t('sessions.connections')}>
      <QueryState query={query} operation="users.whois">
        {({ devices }) => {
          const connections = Object.values(devices)
            .flatMap(({ sessions }) => sessions)
            .flatMap((session) => session.connections);
          if (connections.length === 0) return <Text c="dimmed">{t('sessions.no_connections')}</Text>;
          return (
            <PlainTable
              label={t('sessions.connections')}
              minWidth={560}
              head={[t('devices.address'), t('devices.program'), t('last_seen'), t('sessions.acting_as')]}
              rows={connections.map(({ ip, user_agent: program, last_seen: ms, acting_as: other }) => [
                `${ip} ${program} ${ms} ${other ?? ''}`,
                [
                  ip,
                  <bdi key="program">{program}</bdi>,
                  <Time key="seen" ms={ms} />,
                  other === undefined ? '' : <UserLink key="other" id={other} />,
                ],
              ])}
            />
          );
        }}
      </QueryState>
    </Section>
  );
}

function AdminSessions({ userId }: OfUser) {
  const { t } = useTranslation('users');
  const query = useRead('users.listSessions', { user_id: userId }, { everyMs: USE_MS });
  return (
    <Section title={t('sessions.admin')}>
      <QueryState query={query} operation="users.listSessions">
        {({ sessions }) =>
          sessions.length === 0 ? (
            <Text c="dimmed">{t('sessions.no_admin')}</Text>
          ) : (
            <PlainTable
              label={t('sessions.admin')}
              minWidth={760}
              head={[
                t('devices.address'),
                t('devices.program'),
                t('sessions.started'),
                t('sessions.used'),
                t('sessions.ends'),
                t('orders_of_row'),
              ]}
              rows={sessions.map((session) => [
                session.id,
                [
                  session.address,
                  <bdi key="program">{session.user_agent}</bdi>,
                  <Time key="started" ms={session.created_ts} />,
                  <Time key="used" ms={session.last_used_ts} />,
                  <Time key="ends" ms={Math.min(session.expires_ts, session.idle_expires_ts)} />,
                  session.current ? (
                    <Badge key="current" variant="outline" tt="none">
                      {t('sessions.current')}
                    </Badge>
                  ) : (
                    <AccountOrderButton
                      key="end"
                      userId={userId}
                      operation="users.endSession"
                      title={t('sessions.end')}
                      consequences={[t('sessions.end_effect')]}
                      params={{ user_id: userId, session_id: session.id }}
                      danger
                      button={{ size: 'compact-xs' }}
                    />
                  ),
                ],
              ])}
            />
          )
        }
      </QueryState>
    </Section>
  );
}

function SecondFactor({ userId }: OfUser) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation();
  const query = useRead('users.getTotp', { user_id: userId });
  return (
    <Section
      title={t('factor.title')}
      actions={
        query.data?.enabled === true && (
          <AccountOrderButton
            userId={userId}
            operation="users.resetTotp"
            title={t('factor.reset')}
            consequences={[t('factor.reset_effect'), t('factor.reset_effect_rights')]}
            params={{ user_id: userId }}
            danger
          />
        )
      }
    >
      <QueryState query={query} operation="users.getTotp">
        {({ enabled, confirmed_ts: confirmed, recovery_codes_left: left }) => (
          <Fields
            fields={[
              [t('factor.enabled'), enabled ? common('table.yes') : common('table.no')],
              ...(enabled
                ? [
                    [t('factor.since'), <Time key="since" ms={confirmed} exact />] as const,
                    [t('factor.codes'), left] as const,
                  ]
                : []),
            ]}
          />
        )}
      </QueryState>
    </Section>
  );
}
