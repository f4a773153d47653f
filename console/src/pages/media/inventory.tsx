import { Group, Switch, Text } from '@mantine/core';
import type { ListMediaResponse } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { useCursorRows } from '../../api/use-cursor-rows.ts';
import type { Params } from '../../client/operation.ts';
import { useFormat } from '../../i18n/use-format.ts';
import type { Search } from '../../ui/filters/filter.ts';
import { FilterBar } from '../../ui/filters/filter-bar.tsx';
import { ViewsMenu } from '../../ui/filters/views-menu.tsx';
import { Note } from '../../ui/query-state.tsx';
import { useRevealAll } from '../../ui/reveal-all.ts';
import { ColumnsMenu } from '../../ui/table/columns-menu.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ExportButton } from '../../ui/table/export-button.tsx';
import { useColumns } from '../../ui/table/use-columns.ts';
import { useSelection } from '../../ui/table/use-selection.ts';
import { BulkOrders } from './bulk-orders.tsx';
import { LayoutSwitch } from './layout-switch.tsx';
import { MediaGrid } from './media-grid.tsx';
import { mediaIdOf } from './media-id.ts';
import { MEDIA_ORDERS } from './media-orders.ts';
import { dirOf, selectorOf, violationOf } from './media-search.ts';
import { OrphansWarning } from './orphans-warning.tsx';
import { QuickFilters } from './quick-filters.tsx';
import { SelectorOrders } from './selector-orders.tsx';
import { useMediaColumns } from './use-media-columns.tsx';
import { useMediaFilters } from './use-media-filters.ts';

type OrderBy = NonNullable<Params<'media.list'>['order_by']>;

const ORDER_BY: readonly OrderBy[] = ['created_ts', 'last_access_ts', 'media_length'];
const PAGE = 'media';

const rowsOf = (page: ListMediaResponse) => page.media;
const nextOf = (page: ListMediaResponse) => page.next_token;
const totalOf = (page: ListMediaResponse) => page.total;

/** All media of the server, as a table or as a grid, with orders for those that are selected and for all that match. */
export function Inventory() {
  const { t } = useTranslation('media');
  const { t: common } = useTranslation();
  const format = useFormat();
  const can = useCan();
  const search: Search = useSearch({ from: '/media' });
  const navigate = useNavigate({ from: '/media' });
  const change = (next: Search) => navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const selector = useMemo(() => selectorOf(search), [search]);
  const violation = violationOf(selector);
  const sort = { by: ORDER_BY.find((each) => each === search.order_by) ?? 'created_ts', dir: dirOf(search) };
  const params = { ...selector, order_by: sort.by, dir: sort.dir };
  const rows = useCursorRows('media.list', params, {
    rowsOf,
    nextOf,
    totalOf,
    enabled: violation === undefined,
  });
  const [revealed, setRevealed] = useRevealAll(PAGE);
  const columns = useMediaColumns(revealed);
  const choice = useColumns(PAGE, columns);
  const selection = useSelection();
  const selectable = MEDIA_ORDERS.some(({ one }) => can(one)) ? selection : undefined;
  const filters = useMediaFilters();
  const isGrid = search.layout === 'grid';
  const empty = Object.keys(selector).length === 0 ? t('empty') : common('state.no_match');
  const { total, total_bytes: bytes = 0 } = rows.first ?? {};
  return (
    <>
      <FilterBar filters={filters} search={search} onChange={change}>
        <LayoutSwitch
          layouts={[
            { value: 'table', label: t('table') },
            { value: 'grid', label: t('grid') },
          ]}
          value={isGrid ? 'grid' : 'table'}
          onChange={(layout) => change({ layout: layout === 'grid' ? layout : undefined })}
        />
        <ViewsMenu page={PAGE} search={search} onOpen={(saved) => navigate({ search: saved })} />
        {!isGrid && <ColumnsMenu columns={columns} choice={choice} />}
        {violation === undefined && (
          <ExportButton name="media" operation="media.list" params={params} columns={columns} />
        )}
        <SelectorOrders selector={violation === undefined ? selector : undefined} />
      </FilterBar>
      <Group gap="sm" mb="sm" justify="space-between">
        <QuickFilters search={search} onChange={change} />
        <Group gap="md">
          {can('media.getThumbnail') && (
            <Switch
              size="xs"
              label={common('preview.reveal_all')}
              title={common('preview.reveal_all_hint')}
              checked={revealed}
              onChange={(event) => setRevealed(event.currentTarget.checked)}
            />
          )}
          <Text size="sm" fw={600} role="status">
            {violation === undefined &&
              total !== undefined &&
              t('total', { total: format.number(total), bytes: format.bytes(bytes) })}
          </Text>
        </Group>
      </Group>
      {search.orphaned === 'true' && <OrphansWarning />}
      <BulkOrders selection={selection} rows={rows} />
      {violation !== undefined ? (
        <Note>{t(`violation.${violation}`)}</Note>
      ) : isGrid ? (
        <MediaGrid label={t('title')} rows={rows} selection={selectable} revealed={revealed} empty={empty} />
      ) : (
        <DataTable
          label={t('title')}
          columns={columns}
          rows={rows}
          idOf={mediaIdOf}
          choice={choice}
          sort={sort}
          onSort={({ by, dir }) => change({ order_by: by, dir })}
          selection={selectable}
          empty={empty}
        />
      )}
    </>
  );
}
