import { Group, NumberInput, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** A length of time as it is typed: a number of a unit; none without a number. */
export interface Duration {
  readonly amount: number | string;
  readonly unit: Unit;
}

type Unit = keyof typeof UNIT_MS;

const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
const UNITS = Object.keys(UNIT_MS) as Unit[];

interface DurationFieldProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly value: Duration;
  readonly onChange: (value: Duration) => void;
}

/** Asks for a length of time. */
export function DurationField({ label, description, value, onChange }: DurationFieldProps) {
  const { t } = useTranslation('access');
  return (
    <Group align="flex-end" wrap="nowrap" gap="xs">
      <NumberInput
        label={label}
        description={description}
        value={value.amount}
        onChange={(amount) => onChange({ ...value, amount })}
        min={0}
        allowDecimal={false}
        style={{ flex: 1 }}
      />
      <Select
        aria-label={t('unit')}
        w={130}
        data={UNITS.map((unit) => ({ value: unit, label: t(`unit_${unit}`) }))}
        value={value.unit}
        allowDeselect={false}
        onChange={(unit) => unit !== null && onChange({ ...value, unit: unit as Unit })}
      />
    </Group>
  );
}

/** Returns a length of time in milliseconds; undefined without a number. */
export function msOf({ amount, unit }: Duration): number | undefined {
  return amount === '' ? undefined : Number(amount) * UNIT_MS[unit];
}
