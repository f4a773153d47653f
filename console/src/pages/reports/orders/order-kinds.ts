import type { NewReportOrder } from '@steward/sdk';
import { cleanText } from '../../../ui/input/clean-text.ts';
import type { Case } from '../desk/case-orders.ts';

/** What an order of a decision does; the keys of the API. */
export type OrderKind = NewReportOrder['kind'];

/** A field of an order. `everywhere` bans from all rooms in place of one. */
export type OrderField =
  | 'user_id'
  | 'room_id'
  | 'event_id'
  | 'everywhere'
  | 'reason'
  | 'erase'
  | 'block'
  | 'purge'
  | 'force_purge'
  | 'new_room_user_id'
  | 'room_name'
  | 'message'
  | 'text';

/** The flags of orders, which are switches; the other fields are texts. */
export type OrderFlag = Extract<OrderField, 'everywhere' | 'erase' | 'block' | 'purge' | 'force_purge'>;

interface KindTraits {
  readonly scopes: readonly string[];
  readonly fields: readonly OrderField[];
  /** Whether it must be confirmed by typing whom or what it concerns. */
  readonly typed?: true;
}

/** What orders of each kind need, in the sequence in which they are offered. */
export const ORDER_KINDS: Readonly<Record<OrderKind, KindTraits>> = {
  redact_event: { scopes: ['rooms:write'], fields: ['room_id', 'event_id', 'reason'] },
  redact_user: { scopes: ['rooms:write'], fields: ['user_id', 'reason'] },
  quarantine_media: { scopes: ['media:write'], fields: ['room_id', 'event_id'] },
  quarantine_user_media: { scopes: ['media:write'], fields: ['user_id'] },
  kick: { scopes: ['rooms:write'], fields: ['user_id', 'room_id', 'reason'] },
  ban: { scopes: ['rooms:write'], fields: ['user_id', 'everywhere', 'room_id', 'reason'] },
  suspend: { scopes: ['users:write'], fields: ['user_id'] },
  lock: { scopes: ['users:write'], fields: ['user_id'] },
  deactivate: { scopes: ['users:write'], fields: ['user_id', 'erase'], typed: true },
  block_room: { scopes: ['rooms:write'], fields: ['room_id'] },
  delete_room: {
    scopes: ['rooms:delete'],
    fields: ['room_id', 'block', 'purge', 'force_purge', 'new_room_user_id', 'room_name', 'message'],
    typed: true,
  },
  send_notice: { scopes: ['notices:send'], fields: ['user_id', 'text'] },
};

/** The scope that a flag requires in addition. */
export const FLAG_SCOPES: Partial<Record<OrderField, string>> = {
  erase: 'users:erase',
  block: 'rooms:write',
};

/** An order while it is written. */
export interface OrderDraft {
  /** Distinguishes it from the other ones of the decision. */
  readonly key: number;
  readonly kind: OrderKind;
  readonly texts: Partial<Record<OrderField, string>>;
  readonly flags: Partial<Record<OrderFlag, boolean>>;
}

const FLAGS: ReadonlySet<OrderField> = new Set(['everywhere', 'erase', 'block', 'purge', 'force_purge']);
const IDS: ReadonlySet<OrderField> = new Set(['user_id', 'room_id', 'event_id']);
/** What others read stays as it was written. */
const PROSE: ReadonlySet<OrderField> = new Set(['reason', 'room_name', 'message', 'text']);
const NOT_FOR_ONESELF: ReadonlySet<OrderKind> = new Set(['suspend', 'lock', 'deactivate']);

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
  const { fields } = ORDER_KINDS[draft.kind];
  if (draft.kind === 'quarantine_media' && current.media_uri !== null) return [];
  return fields.filter((field) => field !== 'room_id' || !flagOf(draft, 'everywhere'));
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
  const [first = 'user_id'] = ORDER_KINDS[draft.kind].fields;
  return targetOf(draft, first, current);
}

/** Whether an order would be against the own account, which the server refuses. */
export function isAgainstOneself(draft: OrderDraft, current: Case, me: string): boolean {
  return NOT_FOR_ONESELF.has(draft.kind) && targetOf(draft, 'user_id', current) === me;
}

/** Whether a field must be filled in. */
export function isMissing(draft: OrderDraft, field: OrderField, current: Case): boolean {
  return (IDS.has(field) || field === 'text') && targetOf(draft, field, current) === '';
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
