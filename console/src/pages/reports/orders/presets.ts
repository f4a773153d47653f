import type { NewReportOrder } from '@steward/sdk';
import { ACTION_KINDS } from '@steward/sdk/actions';
import type { Subject } from '../desk/subject-title.tsx';
import { ORDER_KINDS, type OrderDraft, type OrderKind } from './order-kinds.ts';

/** Decisions that are made often. */
export const PRESETS = ['dismiss', 'warn', 'remove', 'remove_suspend', 'spammer'] as const;

/** A decision that is made often. */
export type Preset = (typeof PRESETS)[number];

const REMOVE = ['redact_event', 'quarantine_media'] as const satisfies readonly OrderKind[];

/** What is done with each of them, as far as it is possible for what was reported. */
export const PRESET_KINDS: Readonly<Record<Preset, readonly OrderKind[]>> = {
  dismiss: [],
  warn: ['send_notice'],
  remove: REMOVE,
  remove_suspend: ['suspend', ...REMOVE],
  spammer: ['lock', 'redact_user', 'quarantine_user_media'],
};

/** Orders that keep a user from going on come first: to remove much takes a while. */
const FIRST: readonly OrderKind[] = ['suspend', 'lock'];

/** The orders in the sequence in which they are carried out. */
export function inSequence(drafts: readonly OrderDraft[]): readonly OrderDraft[] {
  const sequence = [...FIRST, ...ORDER_KINDS];
  return drafts.toSorted((a, b) => sequence.indexOf(a.kind) - sequence.indexOf(b.kind));
}

/** Whether a case says all that an order of a kind needs: whom it is against, or where. */
export function isPossible(kind: OrderKind, subject: Subject): boolean {
  // Which media an event shows is not known here; a medium is what the case is about.
  if (kind === 'quarantine_media') return subject.kind === 'media';
  const { user_id, room_id, event_id } = subject;
  const known: Readonly<Record<string, unknown>> = { user_id, room_id, event_id };
  return ACTION_KINDS[kind].needs.every((key) => known[key] !== null);
}

/** The kinds of orders of a preset for a case; undefined if it would do nothing, though it is not a dismissal. */
export function kindsOf(preset: Preset, subject: Subject): readonly OrderKind[] | undefined {
  const kinds = PRESET_KINDS[preset].filter((kind) => isPossible(kind, subject));
  const [first] = PRESET_KINDS[preset];
  const whole = preset === 'remove_suspend' ? kinds.length > 1 : kinds.length > 0;
  return first === undefined || whole ? kinds : undefined;
}

/** A draft of a kind without further fields. */
export function draftOf(kind: OrderKind, texts: OrderDraft['texts'] = {}): OrderDraft {
  return { kind, texts, flags: {} };
}

/** What is ordered in a further case about the same user: what is against the user was ordered with the first one. */
export function ordersOfOther(
  orders: readonly NewReportOrder[],
  subject: Subject,
  isPermitted: (kind: OrderKind) => boolean,
): readonly NewReportOrder[] {
  const isRemoved = orders.some(({ kind }) => REMOVE.some((each) => each === kind));
  const reason = orders.find(({ kind }) => kind === 'redact_event')?.reason;
  return REMOVE.filter((kind) => isRemoved && isPossible(kind, subject) && isPermitted(kind)).map((kind) => ({
    kind,
    ...(kind === 'redact_event' && reason !== undefined ? { reason } : {}),
  }));
}
