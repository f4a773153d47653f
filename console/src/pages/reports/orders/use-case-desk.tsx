import { notifications } from '@mantine/notifications';
import { StewardError } from '@steward/sdk';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useLookup } from '../../../api/use-lookup.ts';
import { useOrder } from '../../../api/use-order.ts';
import { useRead } from '../../../api/use-read.ts';
import { useMe } from '../../../session/use-session.ts';
import { type AskedOrder, type Case, type CaseOrder, isOffered } from '../desk/case-orders.ts';
import { KeysDialog } from '../keys/keys-dialog.tsx';
import type { Keys } from '../keys/use-keys.ts';
import { CaseDialog } from './case-dialogs.tsx';

/** What orders about cases need of a page: the dialogs, the keys, and how a button asks for an order. */
export interface CaseDesk {
  /** Opens the dialog of an order; one that is taken back as easily is given at once. */
  readonly ask: (order: AskedOrder, caseId: string) => void;
  /** Sets the severity of a case. */
  readonly setSeverity: (severity: Severity, caseId: string) => void;
  /** The case whose decision was asked for with a key, and how often. */
  readonly deciding: { readonly caseId: string; readonly times: number } | undefined;
  /** The keys for the case that is open, or that the list is at; undefined for none. */
  readonly keysFor: (caseId: () => string | undefined) => Keys;
  readonly showKeys: () => void;
  /** The dialogs; a part of the page. */
  readonly dialogs: ReactNode;
}

const KEYS: Readonly<Record<string, AskedOrder>> = {
  a: 'assign',
  u: 'unassign',
  t: 'triage',
  e: 'escalate',
  n: 'note',
};

const SEVERITY_KEYS = { 0: 'none', 1: 'low', 2: 'medium', 3: 'high', 4: 'critical' } as const;

type Severity = (typeof SEVERITY_KEYS)[keyof typeof SEVERITY_KEYS];

interface CaseDeskOptions {
  /** Whether there is a list to move in. */
  readonly withList: boolean;
  /** Is called when a case is to be decided, which may not be open yet. */
  readonly onDecide?: ((caseId: string) => void) | undefined;
}

/** Gives orders about cases. */
export function useCaseDesk({ withList, onDecide }: CaseDeskOptions): CaseDesk {
  const { t } = useTranslation('reports');
  const { t: common } = useTranslation();
  const can = useCan();
  const me = useMe();
  const lookup = useLookup('reports.get');
  const assign = useOrder('reports.assign');
  const unassign = useOrder('reports.unassign');
  const severity = useOrder('reports.setSeverity');
  const [deciding, setDeciding] = useState<CaseDesk['deciding']>();
  const [asked, setAsked] = useState<{ readonly order: AskedOrder; readonly caseId: string }>();
  const [keysShown, setKeysShown] = useState(false);
  const busy = useRef(false);
  const withOrders = assign.permitted;

  const ask = (order: AskedOrder, caseId: string) =>
    withCase(order, caseId, async (current) => {
      if (!(await give(order, current))) setAsked({ order, caseId });
    });

  const setSeverity = (next: Severity, caseId: string) =>
    withCase('severity', caseId, async (current) => {
      if (next === (current.severity ?? 'none')) return;
      await severity.send({ report_id: caseId, severity: next }, undefined, { 'if-match': current.etag });
      notifications.show({ color: 'green', message: t('severity_set', { severity: t(`severity_${next}`) }) });
    });

  function decide(caseId: string): void {
    onDecide?.(caseId);
    setDeciding((before) => ({ caseId, times: (before?.times ?? 0) + 1 }));
  }

  /** Does something with a case as it is now, if it permits that. */
  async function withCase(
    order: CaseOrder,
    caseId: string,
    act: (current: Case) => Promise<void>,
  ): Promise<void> {
    if (busy.current) return;
    busy.current = true;
    try {
      const current = await lookup({ report_id: caseId });
      if (isOffered(order, current, me.user_id, can)) await act(current);
      else notifications.show({ message: t('not_possible') });
    } catch (error) {
      notifications.show({ color: 'red', message: messageOf(error), autoClose: false });
    } finally {
      busy.current = false;
    }
  }

  /** Takes a case that is not assigned, or gives the own one back. Returns false for what needs a dialog. */
  async function give(order: AskedOrder, current: Case): Promise<boolean> {
    const { case_id: id, assignee, etag } = current;
    const headers = { 'if-match': etag };
    if (order === 'assign' && assignee === null) {
      await assign.send({ report_id: id }, undefined, headers);
      notifications.show({ color: 'green', message: t('assigned_to_you') });
      return true;
    }
    if (order === 'unassign' && assignee === me.user_id) {
      await unassign.send({ report_id: id }, undefined, headers);
      notifications.show({ color: 'green', message: t('unassigned') });
      return true;
    }
    return false;
  }

  function orderKeys(caseId: () => string | undefined): Keys {
    const press = (act: (id: string) => unknown) => () => {
      const id = caseId();
      if (id !== undefined) void act(id);
    };
    const dialogs = Object.entries(KEYS).map(([key, order]) => [key, press((id) => ask(order, id))] as const);
    const severities = Object.entries(SEVERITY_KEYS).map(
      ([key, next]) => [key, press((id) => setSeverity(next, id))] as const,
    );
    return { ...Object.fromEntries([...dialogs, ...severities]), d: press(decide) };
  }

  function messageOf(error: unknown): string {
    if (!(error instanceof StewardError)) return String(error);
    const changed = error.status === 409 || error.status === 412;
    return `${changed ? common('error.conflict') : error.message} (${error.errcode})`;
  }

  return {
    ask: (order, caseId) => void ask(order, caseId),
    setSeverity: (next, caseId) => void setSeverity(next, caseId),
    deciding,
    showKeys: () => setKeysShown(true),
    keysFor: (caseId) => ({
      '?': () => setKeysShown(true),
      ...(withOrders ? orderKeys(caseId) : {}),
    }),
    dialogs: (
      <>
        {asked !== undefined && <Asked {...asked} onClose={() => setAsked(undefined)} />}
        <KeysDialog
          opened={keysShown}
          onClose={() => setKeysShown(false)}
          withList={withList}
          withOrders={withOrders}
        />
      </>
    ),
  };
}

interface AskedProps {
  readonly order: AskedOrder;
  readonly caseId: string;
  readonly onClose: () => void;
}

function Asked({ order, caseId, onClose }: AskedProps) {
  const { data } = useRead('reports.get', { report_id: caseId });
  return data && <CaseDialog order={order} current={data} onClose={onClose} />;
}
