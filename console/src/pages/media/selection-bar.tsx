import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Selection } from '../../ui/table/use-selection.ts';

interface SelectionBarProps {
  readonly selection: Selection;
  /** What can be ordered for what is selected. */
  readonly orders: readonly {
    readonly key: string;
    readonly label: string;
    readonly danger?: boolean | undefined;
    readonly disabled?: boolean | undefined;
    readonly onClick: () => void;
  }[];
}

/** How many are selected, and the orders for them. */
export function SelectionBar({ selection, orders }: SelectionBarProps) {
  const { t } = useTranslation();
  const words = t('bulk.selected', { count: selection.size });
  return (
    <Group gap="xs" mb="sm" role="group" aria-label={words}>
      <Text size="sm" fw={600} role="status">
        {words}
      </Text>
      {orders.map(({ key, label, danger = false, disabled = false, onClick }) => (
        <Button
          key={key}
          size="compact-sm"
          variant={danger ? 'outline' : 'default'}
          color={danger ? 'red' : undefined}
          disabled={disabled}
          onClick={onClick}
        >
          {label}
        </Button>
      ))}
      <Button size="compact-sm" variant="subtle" onClick={selection.clear}>
        {t('bulk.clear')}
      </Button>
    </Group>
  );
}
