import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { ListReportsOfCaseResponse } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useCursorRows } from '../../../api/use-cursor-rows.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { ErrorNotice } from '../../../ui/errors/error-notice.tsx';
import { UserLink } from '../../../ui/links.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Case } from '../desk/case-orders.ts';
import { Section } from '../desk/section.tsx';

const PAGE_ROWS = 20;
const rowsOf = (page: ListReportsOfCaseResponse) => page.reports;
const nextOf = (page: ListReportsOfCaseResponse) => page.next_token;

/** The reports of a case, newest first. */
export function CaseReports({ current }: { readonly current: Case }) {
  const { t } = useTranslation('reports');
  const { t: common } = useTranslation();
  const format = useFormat();
  const rows = useCursorRows(
    'reports.listOfCase',
    { report_id: current.case_id },
    { rowsOf, nextOf, limit: PAGE_ROWS },
  );
  const loaded = Array.from({ length: rows.count }, (_, index) => rows.at(index)).filter(
    (report) => report !== undefined,
  );
  return (
    <Section
      title={t('reports_of', {
        count: current.report_count,
        formatted: format.number(current.report_count),
        reporters: format.number(current.reporter_count),
      })}
    >
      <Stack gap="xs" component="ul" className="report-list">
        {loaded.map(({ id, reporter, received_ts: ms, reason, score }) => (
          <Paper key={id} component="li" withBorder p="xs">
            <Group justify="space-between" gap="xs">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {reporter === null ? t('by_server') : <UserLink id={reporter} />}
              </Text>
              <Text size="xs" c="dimmed">
                {id} · <Time ms={ms} />
                {score !== null && ` · ${t('score', { score: format.number(score) })}`}
              </Text>
            </Group>
            <Text
              size="sm"
              c={reason ? undefined : 'dimmed'}
              style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
            >
              {reason ? <bdi>{reason}</bdi> : t('no_reason')}
            </Text>
          </Paper>
        ))}
      </Stack>
      {rows.error !== null && <ErrorNotice error={rows.error} onRetry={rows.retry} />}
      {rows.error === null && loaded.length < rows.count && (
        <Button mt="xs" size="xs" variant="default" onClick={() => rows.show(0, rows.count)}>
          {common('state.more')}
        </Button>
      )}
    </Section>
  );
}
