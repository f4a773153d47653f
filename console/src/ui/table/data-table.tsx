import { Checkbox, Skeleton, Text } from '@mantine/core';
import { columnVisibilityFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { RowSource } from '../../api/row-source.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Note } from '../query-state.tsx';
import type { Column } from './column.ts';
import { HeaderCell } from './header-cell.tsx';
import { idsBetween, loadedIds, selectedShare } from './selected-share.ts';
import type { Sort } from './sort.ts';
import { TableRow } from './table-row.tsx';
import type { ColumnChoice } from './use-columns.ts';
import type { Selection } from './use-selection.ts';

export type { Sort } from './sort.ts';

/** What a page does with the table that it shows. */
export interface TableHandle {
  /** Moves the focus to a row, and scrolls to it. */
  readonly moveTo: (index: number) => void;
  /** Selects a row, or takes its selection back; with `range` all rows from the one before to it. */
  readonly toggle: (index: number, range: boolean) => void;
}

interface DataTableProps<Row> {
  /** What the table lists, for readers of the screen. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: RowSource<Row>;
  readonly idOf: (row: Row) => string;
  readonly choice?: ColumnChoice | undefined;
  readonly sort?: Sort | undefined;
  readonly onSort?: ((sort: Sort) => void) | undefined;
  readonly selection?: Selection | undefined;
  /** The text when the list is empty. */
  readonly empty: ReactNode;
  readonly handle?: Ref<TableHandle> | undefined;
  /** Whether a row is the one that is shown beside the table. */
  readonly isCurrent?: ((row: Row) => boolean) | undefined;
  /** Is called when a row receives the focus; `moved` with keys that move from row to row. */
  readonly onFocusRow?: ((index: number, moved: boolean) => void) | undefined;
  /** The height of a row, in pixels; that of two lines when unset. */
  readonly rowPx?: number | undefined;
}

const features = tableFeatures({ columnVisibilityFeature });
const ROW_PX = 44;
const SELECT_PX = 44;
const OVERSCAN_ROWS = 10;
/** Browsers cannot scroll through more pixels than some 17 million. */
const MAX_ROWS = 380_000;

/**
 * A table over any number of rows, of which those are rendered that are in sight. Arrow keys, Page Up and Down, Home and
 * End move the focus from row to row.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, idOf, choice, sort, onSort, selection, empty } = props;
  const { handle, isCurrent, onFocusRow, rowPx = ROW_PX } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const viewport = useRef<HTMLDivElement>(null);
  const count = Math.min(rows.count, MAX_ROWS);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => viewport.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN_ROWS,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  const { show, list } = rows;
  useEffect(() => show(first, last), [show, first, last]);
  // Before the list is painted: its rows in the middle are not those that its reader asked for.
  useLayoutEffect(() => {
    if (list !== undefined) viewport.current?.scrollTo({ top: 0 });
  }, [list]);

  const columnVisibility = useMemo(
    () => Object.fromEntries(columns.map(({ id }) => [id, choice?.isShown(id) ?? true])),
    [columns, choice],
  );
  const definitions = useMemo(
    () => columns.map((column) => ({ id: column.id, header: column.header, size: column.width })),
    [columns],
  );
  // The rows are those of the source: the table has the columns only.
  const table = useTable({ features, columns: definitions, data: NO_ROWS, state: { columnVisibility } });
  const visible = table.getVisibleLeafColumns();
  const shown = useMemo(
    () => visible.flatMap(({ id }) => columns.find((column) => column.id === id) ?? []),
    [visible, columns],
  );
  const template = [
    ...(selection ? [`${SELECT_PX}px`] : []),
    ...shown.map(({ width, grow = 1 }) => `minmax(${width}px, ${grow}fr)`),
  ].join(' ');
  const width = shown.reduce((sum, each) => sum + each.width, selection ? SELECT_PX : 0);

  const share = selection === undefined ? 'none' : selectedShare(rows, idOf, selection);
  // Where all rows that are loaded are selected, a click takes the selection back.
  function toggleLoaded({ has, set }: Selection): void {
    const ids = loadedIds(rows, idOf);
    set(ids, !ids.every(has));
  }

  // Where a range begins that is selected with the key Shift.
  const anchor = useRef(0);
  const latest = useRef({ rows, idOf, set: selection?.set });
  latest.current = { rows, idOf, set: selection?.set };
  // The same function for ever, so that a selection renders only the rows that it concerns.
  const select = useCallback((index: number, selected: boolean, range: boolean) => {
    const from = range ? anchor.current : index;
    anchor.current = index;
    latest.current.set?.(idsBetween(latest.current.rows, latest.current.idOf, from, index), selected);
  }, []);

  function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.target instanceof HTMLInputElement && event.key !== 'ArrowDown' && event.key !== 'ArrowUp')
      return;
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
    const current = row === null ? -1 : Number(row.dataset.index);
    const page = Math.max(1, Math.floor((viewport.current?.clientHeight ?? 0) / rowPx) - 2);
    const next = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + page,
      PageUp: current - page,
      Home: 0,
      End: count - 1,
    }[event.key];
    if (next === undefined || count === 0) return;
    event.preventDefault();
    moveTo(next);
  }

  function moveTo(wanted: number): void {
    if (count === 0) return;
    const index = Math.min(Math.max(wanted, 0), count - 1);
    virtual.scrollToIndex(index);
    onFocusRow?.(index, true);
    // The row is rendered after the scroll.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const target = viewport.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
        (target?.querySelector<HTMLElement>('a, button') ?? target)?.focus();
      }),
    );
  }

  function toggle(index: number, range: boolean): void {
    const row = rows.at(index);
    if (row !== undefined && selection !== undefined)
      select(index, range || !selection.has(idOf(row)), range);
  }

  useImperativeHandle(handle, () => ({ moveTo, toggle }));

  if (rows.error !== null && rows.count === 0) return <ErrorNotice error={rows.error} onRetry={rows.retry} />;
  if (rows.loading) {
    return (
      <div role="status" aria-label={t('state.loading')} className="table-loading">
        {PLACEHOLDERS.map((each) => (
          <Skeleton key={each} height={rowPx - 12} />
        ))}
      </div>
    );
  }
  if (rows.count === 0) return <Note>{empty}</Note>;
  return (
    <>
      {rows.error !== null && <ErrorNotice error={rows.error} onRetry={rows.retry} />}
      <div
        ref={viewport}
        className="table-viewport"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
        role="region"
        aria-label={label}
        onKeyDown={moveFocus}
      >
        <div
          role="table"
          aria-label={label}
          aria-rowcount={(rows.total ?? rows.count) + 1}
          aria-colcount={shown.length + (selection ? 1 : 0)}
          style={{ minWidth: width }}
        >
          <div role="rowgroup" className="table-head">
            <div role="row" aria-rowindex={1} className="table-row" style={{ gridTemplateColumns: template }}>
              {selection && (
                <div role="columnheader" className="table-cell">
                  <Checkbox
                    aria-label={t('table.select_all')}
                    checked={share === 'all'}
                    indeterminate={share === 'some'}
                    onChange={() => toggleLoaded(selection)}
                  />
                </div>
              )}
              {shown.map((column) => (
                <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
              ))}
            </div>
          </div>
          <div role="rowgroup" className="table-body" style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start }) => {
              const row = rows.at(index);
              const id = row === undefined ? undefined : idOf(row);
              return (
                <TableRow
                  key={index}
                  index={index}
                  top={start}
                  height={rowPx}
                  template={template}
                  columns={shown}
                  row={row}
                  id={id}
                  selected={selection && id !== undefined ? selection.has(id) : undefined}
                  onSelect={selection && select}
                  current={row !== undefined && isCurrent?.(row) === true}
                  onFocusRow={onFocusRow}
                />
              );
            })}
          </div>
        </div>
      </div>
      {rows.count > MAX_ROWS && (
        <Text size="sm" c="dimmed">
          {t('state.shown', { shown: format.number(MAX_ROWS), total: format.number(rows.count) })}
        </Text>
      )}
    </>
  );
}

const NO_ROWS: readonly never[] = [];
const PLACEHOLDERS = [1, 2, 3, 4, 5, 6, 7, 8];
