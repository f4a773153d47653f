import { NativeSelect } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { Sort } from '../../../ui/table/data-table.tsx';
import { DEFAULT_ORDER } from '../desk/report-filters.ts';

/** The orders of cases that are offered by name. */
const ORDERS = {
  urgency: { by: 'urgency', dir: 'b' },
  latest: { by: 'received_ts', dir: 'b' },
  waiting: { by: 'first_received_ts', dir: 'f' },
  reports: { by: 'report_count', dir: 'b' },
} as const satisfies Record<string, Sort>;

type OrderName = keyof typeof ORDERS;

const NAMES = Object.keys(ORDERS) as readonly OrderName[];

/** The order of cases that was chosen last; kept in this browser. */
export function useChosenOrder(): readonly [Sort, (sort: Sort) => void] {
  const [order, setOrder] = useLocalStorage<Sort>({
    key: 'steward.reports.order',
    defaultValue: DEFAULT_ORDER,
    getInitialValueInEffect: false,
  });
  return [order, setOrder];
}

interface OrderMenuProps {
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

/** Chooses the order of the cases. */
export function OrderMenu({ sort, onSort }: OrderMenuProps) {
  const { t } = useTranslation('reports');
  const current = NAMES.find((name) => ORDERS[name].by === sort.by && ORDERS[name].dir === sort.dir);
  return (
    <NativeSelect
      size="xs"
      aria-label={t('order')}
      value={current ?? ''}
      onChange={(event) => {
        const name = NAMES.find((each) => each === event.currentTarget.value);
        if (name !== undefined) onSort(ORDERS[name]);
      }}
      data={[
        ...(current === undefined ? [{ value: '', label: t('order_column') }] : []),
        ...NAMES.map((value) => ({ value, label: t(`order_by_${value}`) })),
      ]}
    />
  );
}
