import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/use-read.ts';
import { ReportLink } from '../../../ui/links.tsx';
import { Time } from '../../../ui/time.tsx';
import { CaseState } from '../desk/case-badges.tsx';
import type { Case } from '../desk/case-orders.ts';
import { Section } from '../desk/section.tsx';

/** How many of the earlier cases are read; the last one leads to those before it. */
const SHOWN = 5;

/** The other cases of the same subject, newest first. */
export function EarlierCases({ current }: { readonly current: Case }) {
  const { t } = useTranslation('reports');
  const { previous_case: previous, next_case: next } = current;
  if (previous === null && next === null) return null;
  return (
    <Section title={t('other_cases')}>
      <Stack gap={4}>
        {next !== null && (
          <Text size="sm">
            <ReportLink id={next}>{t('later_case')}</ReportLink>
          </Text>
        )}
        {previous !== null && <EarlierCase id={previous} left={SHOWN} />}
      </Stack>
    </Section>
  );
}

function EarlierCase({ id, left }: { readonly id: string; readonly left: number }) {
  const { t } = useTranslation('reports');
  const { data } = useRead('reports.get', { report_id: id });
  if (data === undefined) return <Skeleton height={20} />;
  const { outcome, state, last_received_ts: ms, report_count: count, previous_case: previous } = data;
  return (
    <>
      <Group gap="xs">
        <Text size="sm">
          <ReportLink id={id}>
            {t('case_until')} <Time ms={ms} />
          </ReportLink>
        </Text>
        <CaseState state={state} />
        <Text size="sm" c="dimmed">
          {t('report_count', { count })}
          {outcome !== null && ` · ${outcomeWords(t, outcome)}`}
        </Text>
      </Group>
      {previous !== null && left > 1 && <EarlierCase id={previous} left={left - 1} />}
    </>
  );
}

type Translate = ReturnType<typeof useTranslation<'reports'>>['t'];

/** The outcome of a case in words. A later server may have others. */
export function outcomeWords(t: Translate, outcome: string): string {
  const known = (['actioned', 'dismissed', 'duplicate'] as const).find((each) => each === outcome);
  return known === undefined ? outcome : t(`outcome_${known}`);
}
