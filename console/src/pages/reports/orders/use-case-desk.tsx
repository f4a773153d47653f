import { notifications } from '@mantine/notifications';
import { StewardError } from '@steward/sdk';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useLookup } from '../../../api/use-lookup.ts';
import { useOrder } from '../../../api/use-order.ts';
import { useRead } from '../../../api/use-read.ts';
import { useMe } from '../../../session/use-session.ts';
import { type Case, type CaseOrder, isOffered } from '../desk/case-orders.ts';
import { KeysDialog } from '../keys/keys-dialog.tsx';
import type { Keys } from '../keys/use-keys.ts';
import { CaseDialog } from './case-dialogs.tsx';

/** What orders about cases need of a page: the dialogs, the keys, and how a button asks for an order. */
export interface CaseDesk {
  /** Opens the dialog of an order; one that is taken back as easily is given at once. */
  readonly ask: (order: CaseOrder, caseId: string) => void;
  /** The keys for the case that is open, or that the list is at; undefined for none. */
  readonly keysFor: (caseId: () => string | undefined) => Keys;
  readonly showKeys: () => void;
  /** The dialogs; a part of the page. */
  readonly dialogs: ReactNode;
}

const KEYS: Readonly<Record<string, CaseOrder>> = {
  a: 'assign',
  u: 'unassign',
  t: 'triage',
  e: 'escalate',
  s: 'severity',
  n: 'note',
  d: 'decide',
};

/** Gives orders about cases. */
export function useCaseDesk({ withList }: { readonly withList: boolean }): CaseDesk {
  const { t } = useTranslation('reports');
  const { t: common } = useTranslation();
  const can = useCan();
  const me = useMe();
  const lookup = useLookup('reports.get');
  const assign = useOrder('reports.assign');
  const unassign = useOrder('reports.unassign');
  const [asked, setAsked] = useState<{ readonly order: CaseOrder; readonly caseId: string }>();
  const [keysShown, setKeysShown] = useState(false);
  const busy = useRef(false);
  const withOrders = assign.permitted;

  async function ask(order: CaseOrder, caseId: string): Promise<void> {
    if (busy.current) return;
    busy.current = true;
    try {
      const current = await lookup({ report_id: caseId });
      if (!isOffered(order, current, me.user_id, can)) notifications.show({ message: t('not_possible') });
      else if (!(await give(order, current))) setAsked({ order, caseId });
    } catch (error) {
      notifications.show({ color: 'red', message: messageOf(error), autoClose: false });
    } finally {
      busy.current = false;
    }
  }

  /** Takes a case that is not assigned, or gives the own one back. Returns false for what needs a dialog. */
  async function give(order: CaseOrder, current: Case): Promise<boolean> {
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
    const press = (order: CaseOrder) => () => {
      const id = caseId();
      if (id !== undefined) void ask(order, id);
    };
    return Object.fromEntries(Object.entries(KEYS).map(([key, order]) => [key, press(order)]));
  }

  function messageOf(error: unknown): string {
    if (!(error instanceof StewardError)) return String(error);
    const changed = error.status === 409 || error.status === 412;
    return `${changed ? common('error.conflict') : error.message} (${error.errcode})`;
  }

  return {
    ask: (order, caseId) => void ask(order, caseId),
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
  readonly order: CaseOrder;
  readonly caseId: string;
  readonly onClose: () => void;
}

function Asked({ order, caseId, onClose }: AskedProps) {
  const { data } = useRead('reports.get', { report_id: caseId });
  return data && <CaseDialog order={order} current={data} onClose={onClose} />;
}
