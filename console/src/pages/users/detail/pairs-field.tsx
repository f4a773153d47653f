import { ActionIcon, Button, Group, Select, Stack } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IdInput } from '../../../ui/input/id-input.tsx';

/** Two texts that belong together: a medium and an address, or a provider and an id. */
export type Pair = readonly [first: string, second: string];

interface PairsFieldProps {
  readonly labels: Pair;
  /** The values that the first text can have; any when unset. */
  readonly choices?: readonly string[];
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
}

/** Whether all pairs are complete. */
export function areComplete(pairs: readonly Pair[]): boolean {
  return pairs.every(([first, second]) => first.trim() !== '' && second.trim() !== '');
}

/** A list of pairs of texts, which can be changed, added and removed. */
export function PairsField({ labels, choices, pairs, onChange }: PairsFieldProps) {
  const { t } = useTranslation('users');
  const change = (index: number, pair: Pair) => onChange(pairs.with(index, pair));
  return (
    <Stack gap="xs">
      {pairs.map(([first, second], index) => (
        <Group key={index} gap="xs" align="flex-end" wrap="nowrap">
          {choices === undefined ? (
            <IdInput
              label={labels[0]}
              value={first}
              maxLength={512}
              onValue={(value) => change(index, [value, second])}
              style={{ flex: 1 }}
            />
          ) : (
            <Select
              label={labels[0]}
              data={[...choices]}
              value={first}
              onChange={(value) => change(index, [value ?? first, second])}
              allowDeselect={false}
              w={130}
            />
          )}
          <IdInput
            label={labels[1]}
            value={second}
            maxLength={512}
            onValue={(value) => change(index, [first, value])}
            style={{ flex: 2 }}
          />
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('remove', { name: `${first} ${second}` })}
            onClick={() => onChange(pairs.toSpliced(index, 1))}
          >
            <Trash2 size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<Plus size={16} aria-hidden />}
        onClick={() => onChange([...pairs, [choices?.[0] ?? '', '']])}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('add')}
      </Button>
    </Stack>
  );
}
