import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type Ref, useCallback, useImperativeHandle, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useCursorRows } from '../../../api/use-cursor-rows.ts';
import { useRead } from '../../../api/use-read.ts';
import { useMe } from '../../../session/use-session.ts';
import type { Filter, Search } from '../../../ui/filters/filter.ts';
import { FilterBar } from '../../../ui/filters/filter-bar.tsx';
import { ViewsMenu } from '../../../ui/filters/views-menu.tsx';
import { cleanText } from '../../../ui/input/clean-text.ts';
import { ColumnsMenu } from '../../../ui/table/columns-menu.tsx';
import { DataTable, type Sort, type TableHandle } from '../../../ui/table/data-table.tsx';
import { ExportButton } from '../../../ui/table/export-button.tsx';
import { useColumns } from '../../../ui/table/use-columns.ts';
import { useSelection } from '../../../ui/table/use-selection.ts';
import { filtersOf, isGrouped, KINDS, listParamsOf, ME, SEVERITIES } from '../desk/report-filters.ts';
import { groupRows, groupSelection } from './group-rows.ts';
import { InboxBulkOrders } from './inbox-bulk-orders.tsx';
import { columnsBeside, useInboxColumns } from './inbox-columns.tsx';
import { type InboxRow, rowsOf } from './inbox-row.ts';
import { OrderMenu, useChosenOrder } from './order-menu.tsx';
import { StateTabs } from './state-tabs.tsx';

/** What keys do with the inbox. */
export interface InboxHandle {
  /** Moves by rows; an open case is followed by the one of the row. */
  readonly move: (by: number) => void;
  /** The case of the row that was moved to last. */
  readonly caseAtCursor: () => string | undefined;
  /** Selects the row that was moved to last, or takes its selection back; with `range` all rows from the one before to it. */
  readonly toggle: (range: boolean) => void;
  /** The case to look at when these are decided: the one after the open one. */
  readonly caseAfter: (decided: ReadonlySet<string>) => string | undefined;
  /** Moves the focus to the text by which is searched. */
  readonly search: () => void;
}

interface InboxProps {
  readonly search: Search;
  /** The case that is open beside the list. */
  readonly open: string | undefined;
  /** Opens another case in its place. */
  readonly onFollow: (caseId: string) => void;
  readonly handle: Ref<InboxHandle>;
}

interface Cursor {
  readonly index: number;
  readonly id: string | undefined;
}

/** From this width on, the list has room for more beside a case. */
const LARGE = '(min-width: 2000px)';

/** The height of a row with what was said and why it was reported, in pixels. */
const ROW_PX = 72;

const nextOf = (page: { readonly next_token?: string }) => page.next_token;
const totalOf = (page: { readonly total: number }) => page.total;
const idOf = (row: InboxRow) => row.id;

/** The cases of all reports, by what a moderator looks for. */
export function Inbox({ search, open, onFollow, handle }: InboxProps) {
  const { t } = useTranslation('reports');
  const { t: common } = useTranslation();
  const me = useMe();
  const can = useCan();
  const navigate = useNavigate({ from: '/reports' });
  const box = useRef<HTMLDivElement>(null);
  const table = useRef<TableHandle>(null);
  const cursor = useRef<Cursor>({ index: -1, id: undefined });

  const filters = useMemo(() => filtersOf(search, me.user_id), [search, me.user_id]);
  const [chosen, setChosen] = useChosenOrder();
  const params = useMemo(() => listParamsOf(search, me.user_id, chosen), [search, me.user_id, chosen]);
  const all = useCursorRows('reports.list', params, { rowsOf, nextOf, totalOf });
  const { rows, idsOf } = useMemo(
    () => (isGrouped(search) ? groupRows(all) : { rows: all, idsOf: (id: string) => [id] }),
    [search, all],
  );
  const selection = useSelection();
  const shownSelection = useMemo(() => groupSelection(selection, idsOf), [selection, idsOf]);
  // Reports of a reporter are looked at one by one.
  const maySelect = can('reports.resolve') && search.reporter === undefined;
  const { data: counted } = useRead('reports.list', { ...filters, limit: 1 }, { keepFormer: true });
  const columns = useInboxColumns(search);
  const choice = useColumns('reports', columns);
  const large = useMediaQuery(LARGE, false, { getInitialValueInEffect: false });
  const shown = useMemo(
    () => (open === undefined ? columns : columnsBeside(columns, large)),
    [columns, open, large],
  );
  const sort: Sort = {
    by: String(params.order_by ?? 'received_ts'),
    dir: params.dir ?? 'b',
  };
  const sortBy = (next: Sort) => {
    if (search.reporter === undefined) setChosen(next);
    void navigate({ search: (before) => ({ ...before, order_by: next.by, dir: next.dir }), replace: true });
  };
  const isOpen = useCallback((row: InboxRow) => row.caseId === open, [open]);

  /** Where the row of the cursor is now; new reports move rows. */
  function indexOfCursor(): number {
    const { id, index } = cursor.current;
    if (id === undefined || rows.at(index)?.id === id) return index;
    for (let each = 0; each < rows.count; each++) if (rows.at(each)?.id === id) return each;
    return -1;
  }

  useImperativeHandle(handle, () => ({
    move(by) {
      const { index } = cursor.current;
      const found = indexOfCursor();
      // A row that has left the list was followed by the one that has its place now.
      const next = found >= 0 ? found + by : by > 0 ? Math.max(index, 0) : index - 1;
      table.current?.moveTo(next);
    },
    caseAtCursor: () => rows.at(indexOfCursor())?.caseId,
    toggle: (range) => table.current?.toggle(indexOfCursor(), range),
    caseAfter(decided) {
      const cases = Array.from({ length: all.count }, (_, index) => all.at(index)?.caseId);
      const from = cases.indexOf(open);
      // After the last one of the list, what was passed over before.
      return [...cases.slice(from + 1), ...cases.slice(0, Math.max(from, 0))].find(
        (each) => each !== undefined && !decided.has(each),
      );
    },
    search: () => box.current?.querySelector<HTMLInputElement>('input[type="search"]')?.focus(),
  }));

  function focusRow(index: number, moved: boolean): void {
    const row = rows.at(index);
    cursor.current = { index, id: row?.id };
    if (moved && open !== undefined && row !== undefined && row.caseId !== open) onFollow(row.caseId);
  }

  const fields = useFilters(params.assignee);
  const isFiltered = Object.keys(filters).some((name) => name !== 'group');
  return (
    <div ref={box} className="reports-list">
      <StateTabs search={search} counts={counted?.counts} />
      <FilterBar
        filters={fields}
        search={withAbout(search)}
        onChange={(change) => navigate({ search: (before) => ({ ...before, ...fromAbout(change) }) })}
      >
        <ViewsMenu
          page="reports"
          search={{ ...search, case: undefined }}
          onOpen={(saved) => navigate({ search: saved })}
        />
        {search.reporter === undefined && <OrderMenu sort={sort} onSort={sortBy} />}
        {open === undefined && <ColumnsMenu columns={columns} choice={choice} />}
        {open === undefined && (
          <ExportButton
            name="reports"
            operation="reports.list"
            params={params}
            columns={columns}
            rowsOf={rowsOf}
          />
        )}
      </FilterBar>
      {maySelect && <InboxBulkOrders selection={selection} rows={all} />}
      <DataTable
        label={t('title')}
        columns={shown}
        rows={rows}
        idOf={idOf}
        choice={open === undefined ? choice : undefined}
        sort={sort}
        onSort={sortBy}
        selection={maySelect ? shownSelection : undefined}
        rowPx={ROW_PX}
        empty={isFiltered ? common('state.no_match') : t('empty')}
        handle={table}
        isCurrent={isOpen}
        onFocusRow={focusRow}
      />
    </div>
  );
}

/** The text that is searched for stands for a user or a room. */
function withAbout(search: Search): Search {
  return { ...search, about: search.user ?? search.room_id };
}

function fromAbout(change: Search): Search {
  if (!('about' in change)) return change;
  const { about, ...others } = change;
  const text = cleanText(String(about ?? ''));
  const isRoom = text.startsWith('!');
  return { ...others, user: isRoom ? undefined : text || undefined, room_id: isRoom ? text : undefined };
}

function useFilters(assignee: string | undefined): readonly Filter[] {
  const { t } = useTranslation('reports');
  const me = useMe();
  const others = [assignee].filter((each) => each !== undefined && each !== me.user_id && each !== 'none');
  return [
    { id: 'about', label: t('filter_about'), kind: 'text', placeholder: t('filter_about_hint') },
    {
      id: 'assignee',
      label: t('assignee'),
      kind: 'choice',
      options: [
        { value: ME, label: t('assignee_me') },
        { value: 'none', label: t('assignee_none') },
        ...others.map((value) => ({ value: String(value), label: String(value) })),
      ],
    },
    {
      id: 'kind',
      label: t('kind'),
      kind: 'choice',
      options: KINDS.map((value) => ({ value, label: t(`kind_${value}`) })),
    },
    {
      id: 'severity',
      label: t('severity'),
      kind: 'choice',
      options: (['none', ...SEVERITIES] as const).map((value) => ({ value, label: t(`severity_${value}`) })),
    },
    { id: 'reporter', label: t('filter_reporter'), kind: 'text' },
    { id: 'received_after', label: t('received_after'), kind: 'time' },
    { id: 'received_before', label: t('received_before'), kind: 'time' },
  ];
}
