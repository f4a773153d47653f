import { UnstyledButton } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Column } from './column.ts';
import type { Sort } from './sort.ts';

interface HeaderCellProps<Row> {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
}

/** The heading of a column, by which the list can be sorted if the server can do so. */
export function HeaderCell<Row>({ column, sort, onSort }: HeaderCellProps<Row>) {
  const { t } = useTranslation();
  const { header, sortKey } = column;
  if (sortKey === undefined || onSort === undefined) {
    return (
      <div role="columnheader" className="table-cell">
        {header}
      </div>
    );
  }
  const dir = sort?.by === sortKey ? sort.dir : undefined;
  return (
    <div
      role="columnheader"
      className="table-cell"
      aria-sort={dir === undefined ? 'none' : dir === 'f' ? 'ascending' : 'descending'}
    >
      <UnstyledButton
        className="table-sort"
        aria-label={t('table.sort_by', { column: header })}
        onClick={() => onSort({ by: sortKey, dir: dir === 'f' ? 'b' : 'f' })}
      >
        {header}
        {dir === 'f' && <ArrowUp size={14} aria-hidden />}
        {dir === 'b' && <ArrowDown size={14} aria-hidden />}
      </UnstyledButton>
    </div>
  );
}
