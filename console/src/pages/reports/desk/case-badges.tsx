import { Badge, SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SEVERITIES, STATES } from './report-filters.ts';

const STATE_COLOURS = { open: 'blue', triaged: 'green', escalated: 'orange', resolved: 'gray' } as const;
const SEVERITY_COLOURS = { low: 'gray', medium: 'yellow', high: 'orange', critical: 'red' } as const;

/** The state of a case. */
export function CaseState({ state }: { readonly state: string }) {
  const { t } = useTranslation('reports');
  const known = STATES.find((each) => each === state);
  return (
    <Badge variant="outline" tt="none" color={known === undefined ? 'gray' : STATE_COLOURS[known]}>
      {known === undefined ? state : t(`state_${known}`)}
    </Badge>
  );
}

/** The severity of a case; nothing for none. */
export function Severity({ severity }: { readonly severity: string | null }) {
  const { t } = useTranslation('reports');
  const known = SEVERITIES.find((each) => each === severity);
  if (severity === null) return null;
  return (
    <Badge variant="outline" tt="none" color={known === undefined ? 'gray' : SEVERITY_COLOURS[known]}>
      {known === undefined ? severity : t(`severity_${known}`)}
    </Badge>
  );
}

type SeverityValue = 'none' | (typeof SEVERITIES)[number];

interface SeverityChoiceProps {
  readonly value: string | null;
  readonly onChange: (severity: SeverityValue) => void;
}

/** Sets the severity of a case. */
export function SeverityChoice({ value, onChange }: SeverityChoiceProps) {
  const { t } = useTranslation('reports');
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('severity')}
      data-operation="reports.setSeverity"
      value={value ?? 'none'}
      onChange={(next) => onChange(next as SeverityValue)}
      data={(['none', ...SEVERITIES] as const).map((each) => ({ value: each, label: t(`severity_${each}`) }))}
    />
  );
}
