import type { NewReportOrder } from '@steward/sdk';
import { ACTION_KINDS } from '@steward/sdk/actions';
import { cleanText } from '../../../ui/input/clean-text.ts';
import type { Case } from '../desk/case-orders.ts';

/** What an order of a decision does; the keys of the API. */
export type OrderKind = NewReportOrder['kind'];

/** A key of the API, in addition to the kind. */
type ActionKey = Exclude<keyof NewReportOrder, 'kind'>;

/** A field of an order. `everywhere` bans from all rooms in place of one. */
export type OrderField = Exclude<ActionKey, 'rooms'> | 'everywhere';

/** The flags of orders, which are switches; the other fields are texts. */
export type OrderFlag = Extract<OrderField, 'everywhere' | 'erase' | 'block' | 'purge' | 'force_purge'>;

/** The sequence of fields on the page. */
const FIELDS: readonly OrderField[] = [
  ...(['user_id', 'everywhere', 'room_id', 'event_id', 'reason', 'erase'] as const),
  ...(['block', 'purge', 'force_purge', 'new_room_user_id', 'room_name', 'message', 'text'] as const),
];

/** The kinds that must be confirmed by typing whom or what they concern. */
const TYPED: ReadonlySet<OrderKind> = new Set(['deactivate', 'delete_room']);

/** The kinds that cannot be taken back. */
const FINAL: ReadonlySet<OrderKind> = new Set([...TYPED, 'redact_event', 'redact_user']);

/** The kinds in the sequence in which they are offered. */
export const ORDER_KINDS = Object.keys(ACTION_KINDS) as readonly OrderKind[];

/** Whether a name is a kind. */
export function isOrderKind(name: string): name is OrderKind {
  return Object.hasOwn(ACTION_KINDS, name);
}

/** The scopes that orders of a kind require. */
export function scopesOfKind(kind: OrderKind): readonly string[] {
  return ACTION_KINDS[kind].scopes;
}

/** The scopes that a field requires in addition. */
export function scopesOfField(kind: OrderKind, field: OrderField): readonly string[] {
  return ACTION_KINDS[kind].keyScopes?.[keyOf(field)] ?? [];
}

/** Whether an order must be confirmed by typing whom or what it concerns. */
export function isTyped(kind: OrderKind): boolean {
  return TYPED.has(kind);
}

/** Whether what an order of a kind does cannot be taken back. */
export function isFinal(kind: OrderKind): boolean {
  return FINAL.has(kind);
}

/** An order while it is written. */
export interface OrderDraft {
  readonly kind: OrderKind;
  readonly texts: Partial<Record<OrderField, string>>;
  readonly flags: Partial<Record<OrderFlag, boolean>>;
}

const FLAGS: ReadonlySet<OrderField> = new Set(['everywhere', 'erase', 'block', 'purge', 'force_purge']);
/** What others read stays as it was written. */
const PROSE: ReadonlySet<OrderField> = new Set(['reason', 'room_name', 'message', 'text']);

/** The key of the API that a field states. */
function keyOf(field: OrderField): ActionKey {
  return field === 'everywhere' ? 'rooms' : field;
}

/** All fields of a kind. */
function fieldsOfKind(kind: OrderKind): readonly OrderField[] {
  const { needs, may = [] } = ACTION_KINDS[kind];
  const keys = [...needs, ...may];
  return FIELDS.filter((field) => keys.includes(keyOf(field)));
}

/** Whether a field is a switch. */
export function isFlag(field: OrderField): field is OrderFlag {
  return FLAGS.has(field);
}

/** Whether a flag is set: a room is purged unless the order says otherwise. */
export function flagOf({ flags }: OrderDraft, field: OrderFlag): boolean {
  return flags[field] ?? field === 'purge';
}

/** The fields of a draft that have a meaning: a ban from all rooms has no room, a medium has no event. */
export function fieldsOf(draft: OrderDraft, current: Case): readonly OrderField[] {
  if (draft.kind === 'quarantine_media' && current.media_uri !== null) return [];
  return fieldsOfKind(draft.kind).filter((field) => field !== 'room_id' || !flagOf(draft, 'everywhere'));
}

/** What an order concerns: as stated, else what the case has. */
export function targetOf({ texts }: OrderDraft, field: OrderField, current: Case): string {
  const stated = cleanText(texts[field] ?? '');
  if (stated !== '') return stated;
  if (field === 'user_id') return current.user_id ?? '';
  if (field === 'room_id') return current.room_id ?? '';
  const inItsRoom = ['', current.room_id].includes(cleanText(texts.room_id ?? ''));
  return field === 'event_id' && inItsRoom ? (current.event_id ?? '') : '';
}

/** Whom or what an order concerns in the first place. */
export function mainTargetOf(draft: OrderDraft, current: Case): string {
  const [first = 'user_id'] = fieldsOfKind(draft.kind);
  return targetOf(draft, first, current);
}

/** Whether an order would be against the own account, which the server refuses. */
export function isAgainstOneself(draft: OrderDraft, current: Case, me: string): boolean {
  return ACTION_KINDS[draft.kind].notForOneself === true && targetOf(draft, 'user_id', current) === me;
}

/** Whether a field must be filled in. */
export function isMissing(draft: OrderDraft, field: OrderField, current: Case): boolean {
  return ACTION_KINDS[draft.kind].needs.includes(keyOf(field)) && targetOf(draft, field, current) === '';
}

/** The order as the API takes it; undefined while a field is missing. */
export function toOrder(draft: OrderDraft, current: Case, me: string): NewReportOrder | undefined {
  const fields = fieldsOf(draft, current);
  if (isAgainstOneself(draft, current, me)) return undefined;
  if (fields.some((field) => isMissing(draft, field, current))) return undefined;
  const order: Record<string, unknown> = { kind: draft.kind };
  for (const field of fields) {
    const given = draft.texts[field] ?? '';
    const text = PROSE.has(field) ? given.trim() : cleanText(given);
    if (field === 'everywhere') {
      if (flagOf(draft, field)) order.rooms = 'all';
    } else if (isFlag(field)) {
      const set = flagOf(draft, field);
      if (set !== (field === 'purge')) order[field] = set;
    } else if (text !== '') order[field] = text;
  }
  return order as unknown as NewReportOrder;
}
