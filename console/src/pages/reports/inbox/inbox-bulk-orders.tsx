import { Button, Radio, Stack } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowSource } from '../../../api/row-source.ts';
import { useCan } from '../../../api/use-can.ts';
import { BulkDialog } from '../../../ui/order/bulk-dialog.tsx';
import { SelectionBar } from '../../../ui/table/selection-bar.tsx';
import type { Selection } from '../../../ui/table/use-selection.ts';
import { type OrderKind, scopesOfKind } from '../orders/order-kinds.ts';
import { kindsOf, PRESET_KINDS, PRESETS, type Preset } from '../orders/presets.ts';
import type { InboxRow } from './inbox-row.ts';

interface InboxBulkOrdersProps {
  readonly selection: Selection;
  readonly rows: RowSource<InboxRow>;
}

type Chosen = 'decide' | 'assign';

const idOf = (row: InboxRow) => row.id;

/** The orders for several cases at once. */
export function InboxBulkOrders({ selection, rows }: InboxBulkOrdersProps) {
  const { t } = useTranslation('reports');
  const can = useCan();
  const [chosen, setChosen] = useState<Chosen>();
  const [preset, setPreset] = useState<Preset>('dismiss');
  const known = useKnownRows(rows);
  const isPermitted = (kind: OrderKind) => can('reports.resolve', ...scopesOfKind(kind));
  const offered = PRESETS.filter((each) => PRESET_KINDS[each].every(isPermitted));
  const close = (sent: boolean) => {
    if (sent) selection.clear();
    setChosen(undefined);
  };
  return (
    <>
      <SelectionBar selection={selection} rows={known.rows} idOf={idOf}>
        <Button size="compact-sm" onClick={() => setChosen('decide')}>
          {t('decide')}
        </Button>
        {can('reports.assign') && (
          <Button size="compact-sm" variant="default" onClick={() => setChosen('assign')}>
            {t('assign')}
          </Button>
        )}
      </SelectionBar>
      <BulkDialog
        opened={chosen === 'decide'}
        onClose={close}
        operation="reports.resolve"
        title={t('decide')}
        consequences={[t('decide_effect'), t(`preset_${preset}_hint`)]}
        danger={preset !== 'dismiss'}
        ids={selection.ids}
        paramsOf={(id) => {
          const row = known.of(id);
          const kinds = row && kindsOf(preset, row);
          // Shown as the result of the case.
          if (kinds === undefined) throw new Error(t('preset_not_possible'));
          const orders = kinds.map((kind) =>
            kind === 'send_notice' ? { kind, text: t('warning_text') } : { kind },
          );
          return {
            report_id: id,
            outcome: preset === 'dismiss' ? ('dismissed' as const) : ('actioned' as const),
            ...(orders.length === 0 ? {} : { orders }),
          };
        }}
      >
        <Radio.Group
          label={t('presets')}
          value={preset}
          onChange={(value) => setPreset(PRESETS.find((each) => each === value) ?? 'dismiss')}
        >
          <Stack gap="xs" mt="xs">
            {offered.map((each) => (
              <Radio
                key={each}
                value={each}
                label={t(`preset_${each}`)}
                description={t(`preset_${each}_hint`)}
              />
            ))}
          </Stack>
        </Radio.Group>
      </BulkDialog>
      <BulkDialog
        opened={chosen === 'assign'}
        onClose={close}
        operation="reports.assign"
        title={t('assign')}
        consequences={[t('assign_effect')]}
        ids={selection.ids}
        paramsOf={(id) => ({ report_id: id })}
      />
    </>
  );
}

/** Keeps what was read of the rows, also of those that are out of sight, by their ids. */
function useKnownRows(rows: RowSource<InboxRow>) {
  const kept = useRef(new Map<string, InboxRow>());
  return useMemo(() => {
    const keep = (row: InboxRow | undefined) => {
      if (row !== undefined) kept.current.set(row.id, row);
      return row;
    };
    for (let index = 0; index < rows.count; index++) keep(rows.at(index));
    const { readAll } = rows;
    return {
      of: (id: string) => kept.current.get(id),
      rows: {
        ...rows,
        readAll:
          readAll &&
          async function* (signal: AbortSignal) {
            for await (const page of readAll(signal)) {
              page.forEach(keep);
              yield page;
            }
          },
      },
    };
  }, [rows]);
}
