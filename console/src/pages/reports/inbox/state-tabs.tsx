import { Group } from '@mantine/core';
import type { ReportCounts } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/use-format.ts';
import type { Search } from '../../../ui/filters/filter.ts';
import { ButtonLink } from '../../../ui/link.tsx';
import { STATE_TABS, statesOf, tabOf } from '../desk/report-filters.ts';

interface StateTabsProps {
  readonly search: Search;
  /** How many the other filters select; undefined until it is known. */
  readonly counts: ReportCounts | undefined;
}

/** Chooses the cases by their states, with how many there are. */
export function StateTabs({ search, counts }: StateTabsProps) {
  const { t } = useTranslation('reports');
  const format = useFormat();
  const current = tabOf(search);
  return (
    <Group component="nav" aria-label={t('states')} gap={6} mb="sm">
      {STATE_TABS.map((tab) => (
        <ButtonLink
          key={tab}
          to="/reports"
          search={{ ...search, state: tab === 'unresolved' ? undefined : tab, case: undefined }}
          size="compact-sm"
          variant={tab === current ? 'filled' : 'default'}
          aria-current={tab === current ? 'page' : undefined}
        >
          {t(`tab_${tab}`)}
          {counts && ` ${format.number(statesOf(tab).reduce((sum, each) => sum + counts[each], 0))}`}
        </ButtonLink>
      ))}
    </Group>
  );
}
