import { Badge, SegmentedControl } from '@mantine/core';
import type { InboxReport, ListReportsResponse } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorRows } from '../../../api/use-cursor-rows.ts';
import { ReportLink, UserLink } from '../../../ui/links.tsx';
import type { Column } from '../../../ui/table/column.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { Time } from '../../../ui/time.tsx';
import { Section } from './section.tsx';
import { TableBox } from './table-box.tsx';

const rowsOf = (page: ListReportsResponse) => page.reports;
const nextOf = (page: ListReportsResponse) => page.next_token;
const totalOf = (page: ListReportsResponse) => page.total;
const idOf = (report: InboxReport) => report.id;

const STATES = ['open', 'triaged', 'escalated', 'resolved'] as const;
const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
const KINDS = ['event', 'user', 'room', 'media'] as const;
const COLOURS: Readonly<Record<string, string>> = {
  open: 'orange',
  triaged: 'blue',
  escalated: 'red',
  resolved: 'gray',
};

/** The reports about a user, or what the user sent, and those that the user made. */
export function ReportsTab({ userId }: { readonly userId: string }) {
  const { t } = useTranslation('users');
  const { reports: which } = useSearch({ from: '/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const made = which === 'made';
  const params = useMemo(() => (made ? { reporter: userId } : { user: userId }), [made, userId]);
  const rows = useCursorRows('reports.list', params, { rowsOf, nextOf, totalOf });
  const columns = useMemo<readonly Column<InboxReport>[]>(
    () => [
      {
        id: 'report',
        header: t('reports.report'),
        width: 120,
        grow: 0.4,
        cell: ({ id }) => <ReportLink id={id} />,
      },
      {
        id: 'received',
        header: t('reports.received'),
        width: 140,
        grow: 0.4,
        cell: ({ received_ts: ms }) => <Time ms={ms} />,
      },
      {
        id: 'kind',
        header: t('reports.kind'),
        width: 100,
        grow: 0.3,
        cell: ({ kind }) => {
          const known = KINDS.find((each) => each === kind);
          return known === undefined ? kind : t(`reports.kind_${known}`);
        },
      },
      {
        id: 'state',
        header: t('states'),
        width: 120,
        grow: 0.3,
        cell: ({ state }) => {
          const known = STATES.find((each) => each === state);
          return (
            <Badge variant="outline" size="sm" tt="none" color={COLOURS[state] ?? 'gray'}>
              {known === undefined ? state : t(`reports.state_${known}`)}
            </Badge>
          );
        },
      },
      {
        id: 'severity',
        header: t('reports.severity'),
        width: 100,
        grow: 0.3,
        cell: ({ severity }) => {
          const known = SEVERITIES.find((each) => each === severity);
          return known === undefined ? severity : t(`reports.severity_${known}`);
        },
      },
      {
        id: 'reason',
        header: t('reports.reason'),
        width: 220,
        grow: 2,
        cell: ({ reason }) => <bdi title={reason ?? undefined}>{reason}</bdi>,
      },
      {
        id: 'other',
        header: made ? t('reports.about') : t('reports.reporter'),
        width: 190,
        cell: ({ reporter, user_id: about }) => {
          const other = made ? about : reporter;
          return other === null ? t('reports.server') : <UserLink id={other} />;
        },
      },
    ],
    [t, made],
  );
  return (
    <Section
      title={t('tab.reports')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('reports.which')}
          value={made ? 'made' : 'received'}
          onChange={(next) =>
            navigate({
              search: (before) => ({ ...before, reports: next === 'made' ? next : undefined }),
              replace: true,
            })
          }
          data={[
            { value: 'received', label: t('reports.of_user') },
            { value: 'made', label: t('reports.by_user') },
          ]}
        />
      }
    >
      <TableBox>
        <DataTable
          label={t('tab.reports')}
          columns={columns}
          rows={rows}
          idOf={idOf}
          empty={made ? t('reports.none_made') : t('reports.none')}
        />
      </TableBox>
    </Section>
  );
}
