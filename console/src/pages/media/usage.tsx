import { SegmentedControl } from '@mantine/core';
import type { ListUsageResponse, UserUsage } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useOffsetRows } from '../../api/use-offset-rows.ts';
import type { Params } from '../../client/operation.ts';
import { type Filter, paramsOf, type Search } from '../../ui/filters/filter.ts';
import { FilterBar } from '../../ui/filters/filter-bar.tsx';
import { ViewsMenu } from '../../ui/filters/views-menu.tsx';
import { Note } from '../../ui/query-state.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ColumnsMenu } from '../../ui/table/columns-menu.tsx';
import { DataTable, type Sort } from '../../ui/table/data-table.tsx';
import { ExportButton } from '../../ui/table/export-button.tsx';
import { type ColumnChoice, useColumns } from '../../ui/table/use-columns.ts';
import { LayoutSwitch } from './layout-switch.tsx';
import { dirOf, isPeriod, USAGE_FILTERS } from './media-search.ts';
import { UsageChart } from './usage-chart.tsx';
import { useUsageColumns } from './use-usage-columns.tsx';

type Usage = Params<'statistics.listMediaUsage'>;
type OrderBy = NonNullable<Usage['order_by']>;

const ORDER_BY: readonly OrderBy[] = ['media_length', 'media_count', 'user_id', 'displayname'];

const rowsOf = (page: ListUsageResponse) => page.users;
const totalOf = (page: ListUsageResponse) => page.total;
const idOf = (user: UserUsage) => user.user_id;

/** Which users have how many media of which size, as a table or as a chart. */
export function Usage() {
  const { t } = useTranslation('media');
  const { t: common } = useTranslation();
  const search: Search = useSearch({ from: '/media' });
  const navigate = useNavigate({ from: '/media' });
  const change = (next: Search) => navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const selected = useMemo(() => paramsOf(USAGE_FILTERS, search) as Usage, [search]);
  const isAsked = isPeriod(selected.from_ts, selected.until_ts);
  const isChart = search.layout === 'chart';
  const by = ORDER_BY.find((each) => each === search.order_by) ?? 'media_length';
  const dir = dirOf(search);
  const params: Usage = { ...selected, order_by: by, dir };
  const columns = useUsageColumns();
  const choice = useColumns('media-usage', columns);
  const compared = by === 'media_count' ? by : 'media_length';
  const filters: readonly Filter[] = [
    { id: 'search_term', label: t('usage.search'), kind: 'text' },
    { id: 'from_ts', label: t('usage.from'), kind: 'time' },
    { id: 'until_ts', label: t('usage.until'), kind: 'time' },
  ];
  return (
    <>
      <FilterBar filters={filters} search={search} onChange={change}>
        <LayoutSwitch
          layouts={[
            { value: 'table', label: t('table') },
            { value: 'chart', label: t('chart') },
          ]}
          value={isChart ? 'chart' : 'table'}
          onChange={(layout) => change({ layout: layout === 'chart' ? layout : undefined })}
        />
        <ViewsMenu page="media-usage" search={search} onOpen={(saved) => navigate({ search: saved })} />
        {!isChart && <ColumnsMenu columns={columns} choice={choice} />}
        {!isChart && isAsked && (
          <ExportButton
            name="media-usage"
            operation="statistics.listMediaUsage"
            params={params}
            columns={columns}
          />
        )}
        {isChart && (
          <SegmentedControl
            size="xs"
            aria-label={t('usage.by')}
            data={[
              { value: 'media_length', label: t('usage.bytes') },
              { value: 'media_count', label: t('usage.count') },
            ]}
            value={compared}
            onChange={(next) => change({ order_by: next })}
          />
        )}
      </FilterBar>
      {!isAsked ? (
        <Note>{t('violation.period')}</Note>
      ) : isChart ? (
        <UsageChart selected={selected} by={compared} />
      ) : (
        <UsageTable
          params={params}
          columns={columns}
          choice={choice}
          sort={{ by, dir }}
          onSort={(sort) => change({ order_by: sort.by, dir: sort.dir })}
          empty={Object.keys(selected).length === 0 ? t('usage.empty') : common('state.no_match')}
        />
      )}
    </>
  );
}

interface UsageTableProps {
  readonly params: Usage;
  readonly columns: readonly Column<UserUsage>[];
  readonly choice: ColumnChoice;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly empty: string;
}

function UsageTable({ params, ...table }: UsageTableProps) {
  const { t } = useTranslation('media');
  const rows = useOffsetRows('statistics.listMediaUsage', params, { rowsOf, totalOf });
  return <DataTable label={t('tab_usage')} rows={rows} idOf={idOf} {...table} />;
}
