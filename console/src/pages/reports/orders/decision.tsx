import { Button, Checkbox, Group, Select, Stack, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { GetReportResponse, NewReportOrder, ReportCaseSummary } from '@steward/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { refreshAfter } from '../../../api/refresh-after.ts';
import { useCan } from '../../../api/use-can.ts';
import { useOrder } from '../../../api/use-order.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { useMe } from '../../../session/use-session.ts';
import { IdInput } from '../../../ui/input/id-input.tsx';
import { ReportLink } from '../../../ui/links.tsx';
import { OrderForm } from '../../../ui/order/order-form.tsx';
import { type OrderResult, runOrders } from '../../../ui/order/run-orders.ts';
import type { Case } from '../desk/case-orders.ts';
import { ChangedNotice } from '../desk/changed-notice.tsx';
import { Section } from '../desk/section.tsx';
import { SubjectTitle } from '../desk/subject-title.tsx';
import { OrderChoice } from './order-choice.tsx';
import {
  isTyped,
  mainTargetOf,
  ORDER_KINDS,
  type OrderDraft,
  type OrderKind,
  scopesOfKind,
  toOrder,
} from './order-kinds.ts';
import { draftOf, inSequence, isPossible, kindsOf, ordersOfOther, PRESETS, type Preset } from './presets.ts';
import { useOrderWords } from './use-order-words.ts';
import { useOtherCases } from './use-other-cases.ts';

interface DecisionProps {
  readonly current: Case;
  /** Changes when the decision is asked for with a key: it receives the focus. */
  readonly asked: number | undefined;
  /** Is called with the ids of the cases that are decided. */
  readonly onDecided: ((ids: ReadonlySet<string>) => void) | undefined;
}

type Outcome = 'actioned' | 'dismissed' | 'duplicate';

/** What was chosen so far. */
interface Choice {
  readonly outcome: Outcome;
  readonly preset: Preset | undefined;
  readonly drafts: readonly OrderDraft[];
  /** Whether the other cases about the user are resolved, too. */
  readonly others: boolean;
}

const FREE: Choice = { outcome: 'actioned', preset: undefined, drafts: [], others: false };

/** Decides a case next to what was reported: its outcome, and what is done; with it the other cases about the same user. */
export function Decision({ current, asked, onDecided }: DecisionProps) {
  const { t } = useTranslation('reports');
  const format = useFormat();
  const can = useCan();
  const me = useMe();
  const queries = useQueryClient();
  const order = useOrder('reports.resolve');
  const [choice, setChoice] = useState<Choice>();
  const [original, setOriginal] = useState('');
  const [notify, setNotify] = useState('default');
  const [seen, setSeen] = useState(current);
  const wordsOf = useOrderWords(current);
  const box = useRef<HTMLDivElement>(null);
  const other = useOtherCases(current, choice !== undefined);
  // What the moderator decides is decided about the case as it was when they began; what they changed themselves, they know.
  if (seen.etag !== current.etag && (choice === undefined || current.changed_by === me.user_id))
    setSeen(current);
  const isSeen = seen.etag === current.etag;
  useEffect(() => {
    if (asked !== undefined) box.current?.querySelector('button')?.focus();
  }, [asked]);

  const isPermitted = (kind: OrderKind) => can('reports.resolve', ...scopesOfKind(kind));
  const choose = (preset: Preset) => {
    const kinds = kindsOf(preset, current)?.filter(isPermitted) ?? [];
    const texts = { text: t('warning_text') };
    setChoice({
      outcome: preset === 'dismiss' ? 'dismissed' : 'actioned',
      preset,
      drafts: kinds.map((kind) => draftOf(kind, kind === 'send_notice' ? texts : {})),
      // That one report is wrong says nothing about others.
      others: preset !== 'dismiss',
    });
  };
  const offered = PRESETS.filter((preset) => {
    const kinds = kindsOf(preset, current);
    return kinds?.every(isPermitted) === true;
  });

  const drafts = choice?.outcome === 'actioned' ? choice.drafts : [];
  const orders = drafts.map((draft) => toOrder(draft, current, me.user_id));
  const complete =
    choice !== undefined &&
    isSeen &&
    !orders.includes(undefined) &&
    (choice.outcome !== 'duplicate' || original !== '');
  const typed = drafts.find(({ kind }) => isTyped(kind));
  const withOthers = choice?.others === true && choice.outcome !== 'duplicate' && other.count > 0;
  const told = notify === 'default' ? {} : { notify: notify === 'yes' };

  async function decideOthers(answer: GetReportResponse, ordered: readonly NewReportOrder[]) {
    const cases: ReportCaseSummary[] = [];
    const results = new Map<number, OrderResult>();
    const { signal } = new AbortController();
    try {
      for await (const page of other.readAll?.(signal) ?? [])
        cases.push(...page.filter(({ case_id: id }) => id !== answer.case_id));
      const reason = answer.resolution?.reason ?? undefined;
      await runOrders(
        cases,
        (each) => {
          const further = ordersOfOther(ordered, each, isPermitted);
          const params = {
            report_id: each.case_id,
            outcome: choice?.outcome === 'dismissed' ? ('dismissed' as const) : ('actioned' as const),
            ...(reason === undefined ? {} : { reason }),
            ...(further.length === 0 ? {} : { orders: further }),
            ...told,
          };
          return call('reports.resolve', params, { headers: { 'if-match': each.etag } });
        },
        (index, result) => results.set(index, result),
        signal,
      );
    } catch (error) {
      notifications.show({ color: 'red', message: (error as Error).message, autoClose: false });
    }
    await refreshAfter(queries, 'reports.resolve');
    const done = [...results.values()].filter(({ state }) => state === 'done').length;
    const failed = cases.length - done;
    notifications.show({
      message: t('others_resolved', { count: done, formatted: format.number(done) }),
      color: 'green',
    });
    if (failed > 0)
      notifications.show({
        message: t('others_failed', { count: failed, formatted: format.number(failed) }),
        color: 'orange',
        autoClose: false,
      });
  }

  return (
    <Section title={t('decide')}>
      <Stack gap="sm" ref={box} className="case-decision">
        <Group gap={6} role="group" aria-label={t('presets')}>
          {offered.map((preset) => (
            <Tooltip key={preset} label={t(`preset_${preset}_hint`)} multiline maw={280}>
              <Button
                size="xs"
                variant={choice?.preset === preset ? 'filled' : 'default'}
                aria-pressed={choice?.preset === preset}
                onClick={() => choose(preset)}
              >
                {t(`preset_${preset}`)}
              </Button>
            </Tooltip>
          ))}
          <Button
            size="xs"
            variant={choice !== undefined && choice.preset === undefined ? 'filled' : 'default'}
            aria-pressed={choice !== undefined && choice.preset === undefined}
            onClick={() => setChoice(FREE)}
          >
            {t('decide_otherwise')}
          </Button>
        </Group>
        {choice !== undefined && (
          <OrderForm
            order={order}
            reasonAs="parameter"
            headers={{ 'if-match': seen.etag }}
            label={labelOf()}
            danger={drafts.length > 0}
            consequences={[t('decide_effect'), ...drafts.map(wordsOf)]}
            typeToConfirm={typed === undefined ? undefined : mainTargetOf(typed, current) || undefined}
            onCancel={() => {
              order.reset();
              setChoice(undefined);
            }}
            onDone={(answer) => {
              notifications.show({ message: t('resolved_done'), color: 'green' });
              if (withOthers) void decideOthers(answer, orders as readonly NewReportOrder[]);
              setChoice(undefined);
              const decided = withOthers ? other.loaded.map(({ case_id: id }) => id) : [];
              onDecided?.(new Set([current.case_id, ...decided]));
            }}
            params={
              complete
                ? {
                    report_id: current.case_id,
                    outcome: choice.outcome,
                    ...(choice.outcome === 'duplicate' ? { duplicate_of: original } : {}),
                    ...told,
                    ...(orders.length === 0 ? {} : { orders: orders as readonly NewReportOrder[] }),
                  }
                : undefined
            }
          >
            {!isSeen && (
              <ChangedNotice
                before={seen}
                after={current}
                seen={t('looked_again')}
                onSeen={() => setSeen(current)}
              />
            )}
            {choice.preset === undefined && (
              <Select
                label={t('outcome')}
                data={(['actioned', 'dismissed', 'duplicate'] as const).map((value) => ({
                  value,
                  label: t(`outcome_${value}`),
                }))}
                value={choice.outcome}
                onChange={(value) => setChoice({ ...choice, outcome: value as Outcome })}
                allowDeselect={false}
              />
            )}
            {choice.outcome === 'duplicate' && (
              <IdInput
                label={t('duplicate_of')}
                description={t('duplicate_of_hint')}
                value={original}
                onValue={setOriginal}
                required
              />
            )}
            {choice.outcome === 'actioned' && (
              <Orders
                current={current}
                drafts={drafts}
                kinds={ORDER_KINDS.filter(isPermitted)}
                onChange={(next) => setChoice({ ...choice, drafts: next })}
              />
            )}
            {other.count > 0 && choice.outcome !== 'duplicate' && (
              <Stack gap={4}>
                <Checkbox
                  label={t('also_resolve', { count: other.count, formatted: format.number(other.count) })}
                  checked={choice.others}
                  onChange={(event) => setChoice({ ...choice, others: event.currentTarget.checked })}
                />
                <details className="case-others">
                  <summary>{t('also_list')}</summary>
                  <ul>
                    {other.loaded.map((each) => (
                      <li key={each.case_id}>
                        <ReportLink id={each.case_id}>
                          <SubjectTitle subject={each} />
                        </ReportLink>{' '}
                        <Text span size="xs" c="dimmed">
                          {t('report_count', { count: each.report_count })}
                        </Text>
                      </li>
                    ))}
                  </ul>
                </details>
              </Stack>
            )}
            <Select
              size="xs"
              label={t('notify')}
              data={[
                { value: 'default', label: t('notify_default') },
                { value: 'yes', label: t('notify_yes') },
                { value: 'no', label: t('notify_no') },
              ]}
              value={notify}
              onChange={(value) => setNotify(value ?? 'default')}
              allowDeselect={false}
            />
          </OrderForm>
        )}
      </Stack>
    </Section>
  );

  function labelOf(): string {
    const count = other.count + 1;
    if (withOthers) return t('resolve_cases', { count, formatted: format.number(count) });
    return drafts.length === 0 ? t('resolve') : t('resolve_with', { count: drafts.length });
  }
}

interface OrdersProps {
  readonly current: Case;
  readonly drafts: readonly OrderDraft[];
  /** What the moderator may order. */
  readonly kinds: readonly OrderKind[];
  readonly onChange: (drafts: readonly OrderDraft[]) => void;
}

/** What is done, in the sequence in which it is carried out. */
function Orders({ current, drafts, kinds, onChange }: OrdersProps) {
  const { t } = useTranslation('reports');
  const [all, setAll] = useState(false);
  const draftOfKind = (kind: OrderKind) => drafts.find((draft) => draft.kind === kind);
  const isShown = (kind: OrderKind) => all || isPossible(kind, current) || draftOfKind(kind) !== undefined;
  return (
    <Stack gap="xs" role="group" aria-label={t('orders')}>
      {kinds.filter(isShown).map((kind) => (
        <OrderChoice
          key={kind}
          kind={kind}
          draft={draftOfKind(kind)}
          current={current}
          onToggle={(chosen) =>
            onChange(
              chosen ? inSequence([...drafts, draftOf(kind)]) : drafts.filter((draft) => draft.kind !== kind),
            )
          }
          onChange={(next) => onChange(drafts.map((draft) => (draft.kind === kind ? next : draft)))}
        />
      ))}
      {!all && !kinds.every(isShown) && (
        <Button size="compact-xs" variant="subtle" w="fit-content" onClick={() => setAll(true)}>
          {t('orders_more')}
        </Button>
      )}
    </Stack>
  );
}
