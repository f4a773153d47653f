import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Selection } from '../../../ui/table/use-selection.ts';

interface SelectionBarProps {
  readonly selection: Selection;
  /** The orders for what is selected. */
  readonly children: ReactNode;
}

/** How many rows are selected, and what can be ordered for them. Absent while none is. */
export function SelectionBar({ selection, children }: SelectionBarProps) {
  const { t } = useTranslation();
  if (selection.size === 0) return null;
  return (
    <Group gap="xs" mb="xs">
      <Text size="sm" fw={600} role="status">
        {t('bulk.selected', { count: selection.size })}
      </Text>
      {children}
      <Button size="compact-sm" variant="subtle" onClick={selection.clear}>
        {t('bulk.clear')}
      </Button>
    </Group>
  );
}
