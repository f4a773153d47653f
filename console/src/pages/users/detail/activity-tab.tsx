import { MultiSelect } from '@mantine/core';
import type { ActivityEntry, ListUserActivityResponse } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorRows } from '../../../api/use-cursor-rows.ts';
import type { Column } from '../../../ui/table/column.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { ExportButton } from '../../../ui/table/export-button.tsx';
import { Time } from '../../../ui/time.tsx';
import { ActivityDetails, activityText } from './activity-details.tsx';
import { ACTIVITY_TYPES, useActivityTypes } from './activity-types.ts';
import { Section } from './section.tsx';
import { TableBox } from './table-box.tsx';

const rowsOf = (page: ListUserActivityResponse) => page.activity;
const nextOf = (page: ListUserActivityResponse) => page.next_token;
const idOf = (entry: ActivityEntry) => `${entry.type} ${entry.ts}`;

/** What a user did, and what concerned the user, newest first. */
export function ActivityTab({ userId }: { readonly userId: string }) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation();
  const { type = [] } = useSearch({ from: '/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const readable = useActivityTypes();
  const types = ACTIVITY_TYPES.filter((each) => type.includes(each) && readable.includes(each));
  const key = types.join(' ');
  const params = useMemo(
    () => ({ user_id: userId, ...(key === '' ? {} : { type: key.split(' ') }) }),
    [userId, key],
  );
  const rows = useCursorRows('users.listActivity', params, { rowsOf, nextOf });
  const columns = useMemo<readonly Column<ActivityEntry>[]>(
    () => [
      {
        id: 'time',
        header: t('activity.time'),
        width: 225,
        grow: 0.4,
        cell: ({ ts }) => <Time ms={ts} exact />,
        csv: ({ ts }) => new Date(ts).toISOString(),
      },
      {
        id: 'type',
        header: t('activity.what'),
        width: 170,
        grow: 0.4,
        cell: ({ type: each }) => {
          const known = ACTIVITY_TYPES.find((one) => one === each);
          return known === undefined ? each : t(`activity.${known}`);
        },
        csv: ({ type: each }) => each,
      },
      {
        id: 'details',
        header: t('activity.details'),
        width: 420,
        grow: 3,
        cell: (entry) => <ActivityDetails entry={entry} userId={userId} />,
        csv: activityText,
      },
    ],
    [t, userId],
  );
  return (
    <Section
      title={t('tab.activity')}
      actions={
        <>
          <MultiSelect
            size="xs"
            aria-label={t('activity.filter')}
            placeholder={types.length === 0 ? t('activity.filter') : ''}
            data={readable.map((each) => ({ value: each, label: t(`activity.${each}`) }))}
            value={types}
            onChange={(next) =>
              navigate({
                search: (before) => ({ ...before, type: next.length === 0 ? undefined : next }),
                replace: true,
              })
            }
            clearable
            miw={220}
          />
          <ExportButton name="activity" operation="users.listActivity" params={params} columns={columns} />
        </>
      }
    >
      <TableBox>
        <DataTable
          label={t('tab.activity')}
          columns={columns}
          rows={rows}
          idOf={idOf}
          empty={types.length === 0 ? t('activity.none') : common('state.no_match')}
        />
      </TableBox>
    </Section>
  );
}
