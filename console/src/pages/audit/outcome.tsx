import { Badge } from '@mantine/core';
import type { AuditEntry } from '@steward/sdk';
import { useTranslation } from 'react-i18next';

/** The outcomes of calls. */
export const OUTCOMES = ['ok', 'refused', 'failed', 'unknown'] as const;

const COLOURS = { ok: 'green', refused: 'orange', failed: 'red', unknown: 'gray' } as const;

/** The outcome of a call. A later server may have outcomes that the console does not know. */
export function Outcome({ entry: { outcome } }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation('audit');
  const known = OUTCOMES.find((each) => each === outcome);
  return (
    <Badge variant="outline" tt="none" color={known === undefined ? 'gray' : COLOURS[known]}>
      {known === undefined ? outcome : t(`outcome_${known}`)}
    </Badge>
  );
}
