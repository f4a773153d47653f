import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/use-format.ts';
import { Person } from '../../../ui/faces/person.tsx';
import { Room } from '../../../ui/faces/room.tsx';
import type { Search } from '../../../ui/filters/filter.ts';
import type { Column } from '../../../ui/table/column.ts';
import { Time } from '../../../ui/time.tsx';
import { CaseState, Severity } from '../desk/case-badges.tsx';
import { isGrouped } from '../desk/report-filters.ts';
import type { InboxRow } from './inbox-row.ts';
import { QueueCell } from './queue-cell.tsx';

/** The columns that are left beside an open case, and their widths there. */
const BESIDE: Readonly<Record<string, number>> = { subject: 190, severity: 78, received: 104 };
/** The further columns on large screens. */
const BESIDE_ON_LARGE: Readonly<Record<string, number>> = { ...BESIDE, reports: 84, assignee: 140 };

/** The columns of the inbox beside an open case. */
export function columnsBeside(
  columns: readonly Column<InboxRow>[],
  large: boolean,
): readonly Column<InboxRow>[] {
  const widths = large ? BESIDE_ON_LARGE : BESIDE;
  return columns.flatMap((column) => {
    const width = widths[column.id];
    return width === undefined ? [] : [{ ...column, width }];
  });
}

/** The columns of the inbox. The search is that of the page, which the links to cases keep. */
export function useInboxColumns(search: Search): readonly Column<InboxRow>[] {
  const { t } = useTranslation('reports');
  const format = useFormat();
  const grouped = isGrouped(search);
  const isOfReporter = search.reporter !== undefined;
  return useMemo(() => {
    const columns: readonly Column<InboxRow>[] = [
      {
        id: 'subject',
        header: t('subject'),
        width: 300,
        grow: 4,
        cell: (row) => <QueueCell row={row} search={search} grouped={grouped} />,
        csv: (row) => row.kind,
      },
      {
        id: 'reason',
        header: t('reason_of_report'),
        width: 220,
        hidden: true,
        cell: ({ report }) => <bdi>{report?.reason}</bdi>,
        csv: ({ report }) => report?.reason,
      },
      {
        id: 'severity',
        header: t('severity'),
        width: 100,
        grow: 0.3,
        cell: ({ severity }) => <Severity severity={severity} />,
        csv: ({ severity }) => severity,
      },
      {
        id: 'state',
        header: t('state'),
        width: 110,
        grow: 0.3,
        cell: ({ state }) => <CaseState state={state} />,
        csv: ({ state }) => state,
      },
      {
        id: 'reports',
        header: t('reports'),
        width: 90,
        grow: 0.3,
        sortKey: 'report_count',
        cell: ({ summary }) => summary && format.number(summary.report_count),
        csv: ({ summary }) => summary?.report_count,
      },
      {
        id: 'reporters',
        header: t('reporters'),
        width: 100,
        grow: 0.3,
        hidden: true,
        cell: ({ summary }) => summary && format.number(summary.reporter_count),
        csv: ({ summary }) => summary?.reporter_count,
      },
      {
        id: 'assignee',
        header: t('assignee'),
        width: 150,
        cell: ({ assignee }) =>
          assignee === null ? (
            <Text span size="sm" c="dimmed">
              {t('assignee_none')}
            </Text>
          ) : (
            <Person id={assignee} />
          ),
        csv: ({ assignee }) => assignee,
      },
      {
        id: 'room',
        header: t('room'),
        width: 180,
        cell: ({ room_id: room }) => room !== null && <Room id={room} />,
        csv: ({ room_id: room }) => room,
      },
      {
        id: 'received',
        header: isOfReporter ? t('received') : t('last_report'),
        width: 130,
        grow: 0.5,
        sortKey: 'received_ts',
        cell: ({ receivedTs }) => <Time ms={receivedTs} />,
        csv: ({ receivedTs }) => new Date(receivedTs).toISOString(),
      },
      {
        id: 'first',
        header: t('first_report'),
        width: 130,
        grow: 0.5,
        hidden: true,
        sortKey: 'first_received_ts',
        cell: ({ summary }) => summary && <Time ms={summary.first_received_ts} />,
        csv: ({ summary }) => summary && new Date(summary.first_received_ts).toISOString(),
      },
      {
        id: 'outcome',
        header: t('outcome'),
        width: 110,
        grow: 0.4,
        hidden: true,
        cell: ({ summary }) => summary?.outcome ?? '',
        csv: ({ summary }) => summary?.outcome,
      },
      {
        id: 'changed_by',
        header: t('changed_by'),
        width: 160,
        hidden: true,
        cell: ({ summary }) => summary?.changed_by,
        csv: ({ summary }) => summary?.changed_by,
      },
      {
        id: 'user',
        header: t('user'),
        width: 180,
        hidden: true,
        cell: ({ user_id: user }) => user !== null && <Person id={user} />,
        csv: ({ user_id: user }) => user,
      },
      {
        id: 'event',
        header: t('event'),
        width: 200,
        hidden: true,
        cell: ({ event_id: event }) => <bdi>{event}</bdi>,
        csv: ({ event_id: event }) => event,
      },
      {
        id: 'case',
        header: t('case_id'),
        width: 200,
        hidden: true,
        cell: ({ caseId }) => caseId,
        csv: ({ caseId }) => caseId,
      },
    ];
    const onlyCases = new Set(['reports', 'reporters', 'first', 'outcome', 'changed_by']);
    return columns
      .filter(({ id }) => (isOfReporter ? !onlyCases.has(id) : id !== 'reason'))
      .map((column) => (isOfReporter && column.sortKey !== 'received_ts' ? unsorted(column) : column));
  }, [t, format, grouped, search, isOfReporter]);
}

/** Reports are in the order in which they were received. */
function unsorted({ sortKey: _, ...column }: Column<InboxRow>): Column<InboxRow> {
  return column;
}
