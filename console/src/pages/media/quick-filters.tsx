import { Button, Group } from '@mantine/core';
import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Search } from '../../ui/filters/filter.ts';

const LARGE_BYTES = '10000000';

const QUICK = [
  ['quick_orphaned', 'orphaned', 'true'],
  ['quick_quarantined', 'quarantined', 'true'],
  ['quick_protected', 'protected', 'true'],
  ['quick_never', 'never_accessed', 'true'],
  ['quick_large', 'size_min', LARGE_BYTES],
] as const;

interface QuickFiltersProps {
  readonly search: Search;
  readonly onChange: (change: Search) => void;
}

/** The filters that are used most, each a button. */
export function QuickFilters({ search, onChange }: QuickFiltersProps) {
  const { t } = useTranslation('media');
  return (
    <Group gap={6} role="group" aria-label={t('quick')}>
      {QUICK.map(([label, id, value]) => {
        const active = search[id] === value;
        return (
          <Button
            key={id}
            size="compact-xs"
            radius="xl"
            variant={active ? 'filled' : 'default'}
            leftSection={active ? <Check size={12} aria-hidden /> : undefined}
            aria-pressed={active}
            onClick={() => onChange({ [id]: active ? undefined : value })}
          >
            {t(label)}
          </Button>
        );
      })}
    </Group>
  );
}
