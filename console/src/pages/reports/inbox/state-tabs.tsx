import { Group } from '@mantine/core';
import type { ReportCounts } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/use-format.ts';
import type { Search } from '../../../ui/filters/filter.ts';
import { ButtonLink } from '../../../ui/link.tsx';
import { STATES, type StateTab, stateOf } from '../desk/report-filters.ts';

interface StateTabsProps {
  readonly search: Search;
  /** How many the other filters select; undefined until it is known. */
  readonly counts: ReportCounts | undefined;
}

/** Chooses the cases of a state, with how many there are. */
export function StateTabs({ search, counts }: StateTabsProps) {
  const { t } = useTranslation('reports');
  const format = useFormat();
  const current = stateOf(search);
  const countOf = (state: StateTab) => {
    if (counts === undefined) return undefined;
    return state === 'all' ? STATES.reduce((sum, each) => sum + counts[each], 0) : counts[state];
  };
  return (
    <Group component="nav" aria-label={t('states')} gap={6} mb="sm">
      {[...STATES, 'all' as const].map((state) => {
        const count = countOf(state);
        return (
          <ButtonLink
            key={state}
            to="/reports"
            search={{ ...search, state: state === 'open' ? undefined : state, case: undefined }}
            size="compact-sm"
            variant={state === current ? 'filled' : 'default'}
            aria-current={state === current ? 'page' : undefined}
          >
            {t(`tab_${state}`)}
            {count !== undefined && ` ${format.number(count)}`}
          </ButtonLink>
        );
      })}
    </Group>
  );
}
