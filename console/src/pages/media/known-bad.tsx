import { Button, Group, Text } from '@mantine/core';
import type { ListMediaHashesResponse, MediaHash } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { useCursorRows } from '../../api/use-cursor-rows.ts';
import type { Params } from '../../client/operation.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { type Filter, paramsOf, type Search } from '../../ui/filters/filter.ts';
import { FilterBar } from '../../ui/filters/filter-bar.tsx';
import { BulkDialog } from '../../ui/order/bulk-dialog.tsx';
import { ColumnsMenu } from '../../ui/table/columns-menu.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ExportButton } from '../../ui/table/export-button.tsx';
import { SelectionBar } from '../../ui/table/selection-bar.tsx';
import { useColumns } from '../../ui/table/use-columns.ts';
import { useSelection } from '../../ui/table/use-selection.ts';
import { AddHashesButton } from './add-hashes-button.tsx';
import { DeleteSourceButton } from './delete-source-button.tsx';
import { ImportHashesButton } from './import-hashes-button.tsx';
import { HASH_FILTERS } from './media-search.ts';
import { useHashColumns } from './use-hash-columns.tsx';

const rowsOf = (page: ListMediaHashesResponse) => page.hashes;
const nextOf = (page: ListMediaHashesResponse) => page.next_token;
const totalOf = (page: ListMediaHashesResponse) => page.total;
const idOf = (hash: MediaHash) => hash.sha256;
const paramsOfHash = (sha256: string) => ({ sha256 });

/** The hashes of known-bad content. */
export function KnownBad() {
  const { t } = useTranslation('media');
  const { t: common } = useTranslation();
  const format = useFormat();
  const can = useCan();
  const search: Search = useSearch({ from: '/media' });
  const navigate = useNavigate({ from: '/media' });
  const params = useMemo(() => paramsOf(HASH_FILTERS, search) as Params<'mediaHashes.list'>, [search]);
  const rows = useCursorRows('mediaHashes.list', params, { rowsOf, nextOf, totalOf });
  const columns = useHashColumns();
  const choice = useColumns('media-hashes', columns);
  const selection = useSelection();
  const [deleting, setDeleting] = useState(false);
  const filters: readonly Filter[] = [
    { id: 'source', label: t('hashes.source'), kind: 'text' },
    {
      id: 'action',
      label: t('hashes.action'),
      kind: 'choice',
      options: [
        { value: 'refuse', label: t('hashes.refuse') },
        { value: 'quarantine', label: t('hashes.quarantine') },
      ],
    },
  ];
  return (
    <>
      <Text size="sm" mb="sm">
        {t('hashes.hint')}
      </Text>
      <FilterBar
        filters={filters}
        search={search}
        onChange={(change) => navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
      >
        <ColumnsMenu columns={columns} choice={choice} />
        <ExportButton name="media-hashes" operation="mediaHashes.list" params={params} columns={columns} />
      </FilterBar>
      <Group gap="xs" mb="sm" justify="space-between">
        <Group gap="xs">
          <AddHashesButton />
          <ImportHashesButton />
          <DeleteSourceButton source={params.source ?? ''} />
        </Group>
        <Text size="sm" fw={600} role="status">
          {rows.total !== undefined &&
            common('table.total', { count: rows.total, formatted: format.number(rows.total) })}
        </Text>
      </Group>
      <SelectionBar selection={selection} rows={rows} idOf={idOf}>
        <Button size="compact-sm" variant="outline" color="red" onClick={() => setDeleting(true)}>
          {t('hashes.delete')}
        </Button>
      </SelectionBar>
      {deleting && (
        <BulkDialog
          opened
          onClose={() => {
            setDeleting(false);
            selection.clear();
          }}
          operation="mediaHashes.delete"
          title={t('hashes.delete_title')}
          consequences={[t('hashes.delete_effect'), t('hashes.delete_effect_media')]}
          danger
          ids={selection.ids}
          paramsOf={paramsOfHash}
        />
      )}
      <DataTable
        label={t('tab_hashes')}
        columns={columns}
        rows={rows}
        idOf={idOf}
        choice={choice}
        selection={can('mediaHashes.delete') ? selection : undefined}
        empty={Object.keys(params).length === 0 ? t('hashes.empty') : common('state.no_match')}
      />
    </>
  );
}
