import { Box } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { AuditEntry, ListAuditLogResponse } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorRows } from '../../api/use-cursor-rows.ts';
import { type Filter, paramsOf } from '../../ui/filters/filter.ts';
import { FilterBar } from '../../ui/filters/filter-bar.tsx';
import { ViewsMenu } from '../../ui/filters/views-menu.tsx';
import { TextLink } from '../../ui/link.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ColumnsMenu } from '../../ui/table/columns-menu.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ExportButton } from '../../ui/table/export-button.tsx';
import { useColumns } from '../../ui/table/use-columns.ts';
import { Time } from '../../ui/time.tsx';
import { usePhrase } from '../../ui/use-phrase.ts';
import { AUDIT_FILTERS } from './audit-filters.ts';
import { EntryPanel } from './entry-panel.tsx';
import { OUTCOMES, Outcome } from './outcome.tsx';
import { Subject } from './subject.tsx';

const rowsOf = (page: ListAuditLogResponse) => page.entries;
const nextOf = (page: ListAuditLogResponse) => page.next_token;
const idOf = (entry: AuditEntry) => entry.id;
/** Refused attempts and reads are entries, but no events of the feed. */
const REFRESH_MS = 10_000;
const WIDE = '(min-width: 75em)';

/** The entries of the audit log, newest first, and beside them the one that is opened. */
export function AuditLog() {
  const { t } = useTranslation(['audit', 'common']);
  const { entry, ...search } = useSearch({ from: '/audit' });
  const opened = entry === undefined ? undefined : String(entry);
  const navigate = useNavigate({ from: '/audit' });
  const wide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const params = useMemo(() => paramsOf(AUDIT_FILTERS, search), [search]);
  const rows = useCursorRows('audit.list', params, { rowsOf, nextOf, everyMs: REFRESH_MS });
  const columns = useEntryColumns(opened);
  const choice = useColumns('audit', columns);
  const filters: readonly Filter[] = [
    { id: 'target', label: t('target_filter'), kind: 'text' },
    { id: 'actor', label: t('actor'), kind: 'text', placeholder: '@alice:example.org' },
    { id: 'action', label: t('action'), kind: 'text', placeholder: 'user.deactivate' },
    {
      id: 'outcome',
      label: t('outcome'),
      kind: 'choice',
      options: OUTCOMES.map((value) => ({ value, label: t(`outcome_${value}`) })),
    },
    { id: 'request_id', label: t('request_id'), kind: 'text' },
    { id: 'from_ts', label: t('from_ts'), kind: 'time' },
    { id: 'until_ts', label: t('until_ts'), kind: 'time' },
  ];
  const close = () => navigate({ search: (before) => ({ ...before, entry: undefined }), replace: true });
  return (
    <>
      <FilterBar
        filters={filters}
        search={search}
        onChange={(change) => navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
      >
        <ViewsMenu page="audit" search={search} onOpen={(saved) => navigate({ search: saved })} />
        <ColumnsMenu columns={columns} choice={choice} />
        <ExportButton name="audit-log" operation="audit.list" params={params} columns={columns} />
      </FilterBar>
      <Box className="split">
        <Box className="split-main">
          <DataTable
            label={t('common:nav.audit')}
            columns={columns}
            rows={rows}
            idOf={idOf}
            choice={choice}
            empty={Object.keys(params).length === 0 ? t('empty') : t('common:state.no_match')}
          />
        </Box>
        {wide && opened !== undefined && (
          <Box component="aside" className="split-side" aria-label={t('entry')} tabIndex={0}>
            <EntryPanel key={opened} id={opened} onClose={close} />
          </Box>
        )}
      </Box>
      <SidePanel opened={!wide && opened !== undefined} onClose={close} title={t('entry')}>
        {opened !== undefined && <EntryPanel key={opened} id={opened} />}
      </SidePanel>
    </>
  );
}

function useEntryColumns(opened: string | undefined): readonly Column<AuditEntry>[] {
  const { t } = useTranslation('audit');
  const phraseOf = usePhrase('actions');
  return useMemo(
    () => [
      {
        id: 'action',
        header: t('action'),
        width: 230,
        grow: 1.4,
        cell: ({ id, action }) => (
          <TextLink
            from="/audit"
            search={(before) => ({ ...before, entry: id })}
            replace
            resetScroll={false}
            aria-current={id === opened ? 'true' : undefined}
            fw={id === opened ? 700 : undefined}
            title={action}
          >
            {phraseOf(action)}
          </TextLink>
        ),
        csv: ({ action }) => action,
      },
      {
        id: 'targets',
        header: t('targets'),
        width: 220,
        grow: 1.4,
        cell: ({ targets: [first, ...others] }) => (
          <>
            {first !== undefined && <Subject id={first} />}
            {others.length > 0 && ` +${others.length}`}
          </>
        ),
        csv: ({ targets }) => targets.join(' '),
      },
      {
        id: 'actor',
        header: t('actor'),
        width: 180,
        cell: ({ actor }) => (actor === null ? t('shared_secret') : <Subject id={actor} />),
        csv: ({ actor }) => actor,
      },
      {
        id: 'reason',
        header: t('reason'),
        width: 180,
        cell: ({ reason }) => <bdi title={reason ?? undefined}>{reason}</bdi>,
        csv: ({ reason }) => reason,
      },
      {
        id: 'outcome',
        header: t('outcome'),
        width: 105,
        grow: 0.4,
        cell: (entry) => <Outcome entry={entry} />,
        csv: ({ outcome }) => outcome,
      },
      {
        id: 'time',
        header: t('time'),
        width: 130,
        grow: 0.5,
        cell: ({ ts }) => <Time ms={ts} />,
        csv: ({ ts }) => new Date(ts).toISOString(),
      },
      {
        id: 'acting_as',
        header: t('acting_as'),
        width: 180,
        hidden: true,
        cell: ({ acting_as: user }) => user !== null && <Subject id={user} />,
        csv: ({ acting_as: user }) => user,
      },
      {
        id: 'token_kind',
        header: t('token_kind'),
        width: 150,
        grow: 0.5,
        hidden: true,
        cell: ({ token_kind: kind }) => kind,
        csv: ({ token_kind: kind }) => kind,
      },
      {
        id: 'address',
        header: t('address'),
        width: 150,
        grow: 0.5,
        hidden: true,
        cell: ({ address }) => address,
        csv: ({ address }) => address,
      },
      {
        id: 'status',
        header: t('status'),
        width: 200,
        grow: 0.5,
        hidden: true,
        cell: ({ status }) => status,
        csv: ({ status }) => status,
      },
      {
        id: 'errcode',
        header: t('errcode'),
        width: 180,
        hidden: true,
        cell: ({ errcode }) => errcode,
        csv: ({ errcode }) => errcode,
      },
      {
        id: 'request_id',
        header: t('request_id'),
        width: 220,
        hidden: true,
        cell: ({ request_id: id }) => <bdi>{id}</bdi>,
        csv: ({ request_id: id }) => id,
      },
      {
        id: 'number',
        header: t('number'),
        width: 100,
        grow: 0.3,
        hidden: true,
        cell: ({ number }) => number,
        csv: ({ number }) => number,
      },
    ],
    [t, phraseOf, opened],
  );
}
