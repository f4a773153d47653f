import { Badge, Text } from '@mantine/core';
import type { ListQuarantineChangesResponse, QuarantineChange } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorRows } from '../../api/use-cursor-rows.ts';
import type { Params } from '../../client/operation.ts';
import { paramsOf, type Search } from '../../ui/filters/filter.ts';
import { FilterBar } from '../../ui/filters/filter-bar.tsx';
import { MediaLink } from '../../ui/links.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ExportButton } from '../../ui/table/export-button.tsx';
import { CHANGE_FILTERS } from './media-search.ts';

/** The changes on a page of the API. */
const PAGE_CHANGES = 100;

const rowsOf = (page: ListQuarantineChangesResponse) => page.changes;
const nextOf = (page: ListQuarantineChangesResponse) =>
  page.changes.length < PAGE_CHANGES ? undefined : page.next_batch;
const idOf = ({ origin, media_id }: QuarantineChange) => `${origin}/${media_id}`;

/** What was quarantined and released, in the order in which it was. */
export function QuarantineChanges() {
  const { t } = useTranslation('media');
  const search: Search = useSearch({ from: '/media' });
  const navigate = useNavigate({ from: '/media' });
  const params = useMemo(
    () => paramsOf(CHANGE_FILTERS, search) as Params<'media.listQuarantineChanges'>,
    [search],
  );
  const rows = useCursorRows('media.listQuarantineChanges', params, { rowsOf, nextOf });
  const columns = useMemo<readonly Column<QuarantineChange>[]>(
    () => [
      {
        id: 'change',
        header: t('changes.change'),
        width: 150,
        grow: 0.3,
        cell: ({ quarantined }) => (
          <Badge variant="outline" tt="none" color={quarantined ? 'red' : 'green'}>
            {quarantined ? t('changes.quarantined') : t('changes.released')}
          </Badge>
        ),
        csv: ({ quarantined }) => quarantined,
      },
      {
        id: 'media_id',
        header: t('changes.medium'),
        width: 320,
        grow: 2,
        cell: ({ origin, media_id: id }) => <MediaLink serverName={origin} mediaId={id} />,
        csv: ({ media_id }) => media_id,
      },
      {
        id: 'origin',
        header: t('origin'),
        width: 180,
        cell: ({ origin }) => <bdi>{origin}</bdi>,
        csv: ({ origin }) => origin,
      },
    ],
    [t],
  );
  return (
    <>
      <Text size="sm" mb="sm">
        {t('changes.hint')}
      </Text>
      <FilterBar
        filters={[{ id: 'from', label: t('changes.from'), kind: 'number' }]}
        search={search}
        onChange={(change) => navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
      >
        <ExportButton
          name="quarantine-changes"
          operation="media.listQuarantineChanges"
          params={params}
          columns={columns}
        />
      </FilterBar>
      <DataTable
        label={t('tab_quarantine')}
        columns={columns}
        rows={rows}
        idOf={idOf}
        empty={t('changes.empty')}
      />
    </>
  );
}
