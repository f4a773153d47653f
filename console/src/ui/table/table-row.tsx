import { memo, type ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from './column.ts';

interface TableRowProps<Row> {
  readonly index: number;
  /** Where the row begins, in pixels. */
  readonly top: number;
  readonly height: number;
  readonly template: string;
  readonly columns: readonly Column<Row>[];
  /** The row; undefined while it is loaded. */
  readonly row: Row | undefined;
  readonly id: string | undefined;
  /** Whether it is selected; undefined if it cannot be. */
  readonly selected: boolean | undefined;
  /** `range`: whether all rows from the one before are meant. */
  readonly onSelect: ((index: number, selected: boolean, range: boolean) => void) | undefined;
  /** Whether it is the one that is shown beside the table. */
  readonly current: boolean;
  /** Is called when it receives the focus. */
  readonly onFocusRow: ((index: number, moved: boolean) => void) | undefined;
}

function Row<Item>(props: TableRowProps<Item>) {
  const { index, top, height, template, columns, row, id, selected, onSelect } = props;
  const { current, onFocusRow } = props;
  const { t } = useTranslation();
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-busy={row === undefined}
      aria-selected={selected}
      aria-current={current ? 'true' : undefined}
      data-index={index}
      tabIndex={-1}
      onFocus={() => onFocusRow?.(index, false)}
      className="table-row"
      style={{ gridTemplateColumns: template, transform: `translateY(${top}px)`, height }}
    >
      {onSelect !== undefined && (
        <div role="cell" className="table-cell">
          {id !== undefined && (
            // Rows come and go while the table scrolls: elements of the browser cost far less than components.
            <input
              type="checkbox"
              className="table-select"
              aria-label={t('table.select_row', { name: id })}
              checked={selected ?? false}
              onChange={({ currentTarget, nativeEvent }) =>
                onSelect(
                  index,
                  currentTarget.checked,
                  'shiftKey' in nativeEvent && nativeEvent.shiftKey === true,
                )
              }
            />
          )}
        </div>
      )}
      {columns.map((column) => (
        <div role="cell" key={column.id} className="table-cell">
          {row === undefined ? <div className="table-placeholder" /> : column.cell(row)}
        </div>
      ))}
    </div>
  );
}

/** A row of a table, rendered again only when something of it changes. */
export const TableRow = memo(Row) as <Item>(props: TableRowProps<Item>) => ReactElement;
