import { SimpleGrid, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { ErrorNotice } from '../../ui/errors/error-notice.tsx';
import { Figure } from './figure.tsx';

/** What no event announces, such as failed sign-ins, is read again this often, in milliseconds. */
const INTERVAL_MS = 15_000;

/** The numbers of now. Who may not read them all sees those of the lists that they may open. */
export function Figures() {
  const { t } = useTranslation('overview');
  const can = useCan();
  const format = useFormat();
  const reads = can('statistics.getOverview');
  const overview = useRead('statistics.getOverview', {}, { everyMs: INTERVAL_MS });
  const users = useRead('users.list', { limit: 1, locked: true, deactivated: true }, { enabled: !reads });
  const rooms = useRead('rooms.list', { limit: 1 }, { enabled: !reads });
  const reports = useRead('reports.list', { limit: 1, group: 'subject' }, { enabled: !reads });
  const number = (value: number | null | undefined) =>
    value === null || value === undefined ? null : format.number(value);
  const figures = overview.data;
  const counts = reports.data?.counts;
  const open = counts === undefined ? undefined : counts.open + counts.triaged + counts.escalated;
  const words = (value: number | null | undefined) => number(value) ?? t('unknown');
  if (overview.isError && figures === undefined) {
    return <ErrorNotice error={overview.error} onRetry={() => overview.refetch()} />;
  }
  if (reads && figures === undefined) return null;
  return (
    <section aria-label={t('figures')}>
      <Title order={2} size="h4" mb="sm">
        {t('figures')}
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} component="ul" className="plain-list">
        {can('users.list') && (
          <Figure
            label={t('accounts')}
            value={number(figures ? figures.accounts : users.data?.total)}
            note={figures && t('accounts_note', { active: words(figures.active_accounts) })}
            to="/users"
          />
        )}
        {figures && (
          <Figure
            label={t('active_users')}
            value={number(figures.daily_active_users)}
            note={t('active_users_note', {
              weekly: words(figures.weekly_active_users),
              monthly: words(figures.monthly_active_users),
            })}
          />
        )}
        {can('rooms.list') && (
          <Figure
            label={t('rooms')}
            value={number(figures ? figures.rooms : rooms.data?.total_rooms)}
            to="/rooms"
          />
        )}
        {figures && (
          <Figure
            label={t('media')}
            value={figures.local_media_bytes === null ? null : format.bytes(figures.local_media_bytes)}
            note={t('media_note', { count: words(figures.local_media) as never })}
            to={can('media.list') ? '/media' : undefined}
          />
        )}
        {can('reports.list') && (
          <Figure
            label={t('open_reports')}
            value={number(figures ? figures.open_reports : open)}
            to="/reports"
          />
        )}
        {figures && (
          <>
            <Figure
              label={t('tasks')}
              value={number(figures.active_tasks)}
              note={t('tasks_note', { scheduled: words(figures.scheduled_tasks) })}
              to={can('tasks.list') ? '/tasks' : undefined}
            />
            <Figure
              label={t('failed_sign_ins')}
              value={number(figures.failed_sign_ins_last_day)}
              note={t('last_day')}
            />
            <Figure
              label={t('registrations')}
              value={number(figures.registrations_last_day)}
              note={t('last_day')}
            />
          </>
        )}
      </SimpleGrid>
    </section>
  );
}
