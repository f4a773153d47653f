import { Alert, Button, Group, Stack, Text, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useRead } from '../../../api/use-read.ts';
import { useMe } from '../../../session/use-session.ts';
import { UserLink } from '../../../ui/links.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Time } from '../../../ui/time.tsx';
import { CaseState, Severity, SeverityChoice } from '../desk/case-badges.tsx';
import { type AskedOrder, CASE_OPERATIONS, type Case, isOffered } from '../desk/case-orders.ts';
import { ChangedNotice } from '../desk/changed-notice.tsx';
import { OwnCaseNotice } from '../desk/own-case-notice.tsx';
import { Evidence } from '../evidence/evidence.tsx';
import { Decision } from '../orders/decision.tsx';
import type { CaseDesk } from '../orders/use-case-desk.tsx';
import { CaseHistory } from './case-history.tsx';
import { CaseReports } from './case-reports.tsx';
import { EarlierCases } from './earlier-cases.tsx';
import { isBeingCarriedOut, Resolutions } from './resolution.tsx';
import { SubjectFacts } from './subject-facts.tsx';

interface CaseViewProps {
  /** The id of the case, or of one of its reports. */
  readonly id: string;
  readonly desk: CaseDesk;
  /** Is called with the ids of the cases that are decided here. */
  readonly onDecided?: ((ids: ReadonlySet<string>) => void) | undefined;
  /** The heading, from the case that was read. */
  readonly heading?: ((current: Case) => ReactNode) | undefined;
}

/** How often a case is read again while its orders are carried out, in milliseconds: no event says the outcome of each. */
const PROGRESS_MS = 1_000;
/** How long a case is open before its content is read, in milliseconds: the audit log should not have those that were passed by. */
const PASSED_MS = 300;

/** A case: what was reported, by whom, and what moderators did; kept up to date. */
export function CaseView({ id, desk, onDecided, heading }: CaseViewProps) {
  const first = useRead('reports.get', { report_id: id });
  const carriedOut = first.data !== undefined && isBeingCarriedOut(first.data);
  const query = useRead('reports.get', { report_id: id }, { everyMs: carriedOut ? PROGRESS_MS : undefined });
  return (
    <QueryState query={query} operation="reports.get">
      {(current) => (
        <Stack gap="lg" key={current.case_id}>
          {heading?.(current)}
          <OpenCase current={current} desk={desk} onDecided={onDecided} />
        </Stack>
      )}
    </QueryState>
  );
}

interface OpenCaseProps extends Pick<CaseViewProps, 'desk' | 'onDecided'> {
  readonly current: Case;
}

function OpenCase({ current, desk, onDecided }: OpenCaseProps) {
  const { t } = useTranslation('reports');
  const can = useCan();
  const me = useMe();
  const [settled] = useDebouncedValue(current.case_id, PASSED_MS);
  const [passed] = useDebouncedValue(true, PASSED_MS);
  const ask = (order: AskedOrder) => desk.ask(order, current.case_id);
  return (
    <>
      <OthersChanges current={current} />
      <OwnCaseNotice current={current} />
      <Group gap="xs">
        <CaseState state={current.state} />
        {isOffered('severity', current, me.user_id, can) ? (
          <SeverityChoice
            value={current.severity}
            onChange={(severity) => desk.setSeverity(severity, current.case_id)}
          />
        ) : (
          <Severity severity={current.severity} />
        )}
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('assignee')}:{' '}
          {current.assignee === null ? t('assignee_none') : <UserLink id={current.assignee} />}
        </Text>
        <Text size="sm" c="dimmed">
          {t('first_report')} <Time ms={current.first_received_ts} /> · {t('last_report')}{' '}
          <Time ms={current.last_received_ts} />
        </Text>
      </Group>
      {can('reports.assign') ? (
        <Orders current={current} ask={ask} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('read_only')}
        </Text>
      )}
      <div className="case-columns">
        <Stack gap="lg">
          <Evidence current={current} enabled={passed && settled === current.case_id} />
          <CaseReports current={current} />
        </Stack>
        <Stack gap="lg">
          {isOffered('decide', current, me.user_id, can) && (
            <Decision
              current={current}
              asked={desk.deciding?.caseId === current.case_id ? desk.deciding.times : undefined}
              onDecided={onDecided}
            />
          )}
          <Resolutions current={current} />
        </Stack>
      </div>
      <SubjectFacts current={current} />
      <EarlierCases current={current} />
      <CaseHistory current={current} />
    </>
  );
}

/** Points out what another moderator changed since the case was opened, until the reader has taken note of it. */
function OthersChanges({ current }: { readonly current: Case }) {
  const { t } = useTranslation('reports');
  const me = useMe();
  const [seen, setSeen] = useState(current);
  // What the reader changed, they know; an order of theirs is refused if they have not seen the change of another before it.
  if (seen.etag !== current.etag && current.changed_by === me.user_id) setSeen(current);
  if (seen.etag === current.etag) return null;
  return (
    <ChangedNotice before={seen} after={current} seen={t('noted_change')} onSeen={() => setSeen(current)} />
  );
}

const ORDERS = [
  ['assign', 'a'],
  ['unassign', 'u'],
  ['triage', 't'],
  ['escalate', 'e'],
  ['note', 'n'],
  ['assign_other', undefined],
  ['reopen', undefined],
] as const satisfies readonly (readonly [AskedOrder, string | undefined])[];

interface OrdersProps {
  readonly current: Case;
  readonly ask: (order: AskedOrder) => void;
}

function Orders({ current, ask }: OrdersProps) {
  const { t } = useTranslation('reports');
  const can = useCan();
  const me = useMe();
  const offered = ORDERS.filter(([order]) => isOffered(order, current, me.user_id, can));
  if (offered.length === 0) return <Alert variant="outline">{t('nothing_to_do')}</Alert>;
  return (
    <Group gap={6} role="group" aria-label={t('orders_of_case')}>
      {offered.map(([order, key]) => (
        <Tooltip key={order} label={key === undefined ? '' : t('key', { key })} disabled={key === undefined}>
          <Button
            size="xs"
            variant="default"
            aria-keyshortcuts={key}
            data-operation={CASE_OPERATIONS[order]}
            onClick={() => ask(order)}
          >
            {t(order)}
          </Button>
        </Tooltip>
      ))}
    </Group>
  );
}
