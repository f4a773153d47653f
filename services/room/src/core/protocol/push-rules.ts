import { isObject, type JsonObject, matchesGlob, own } from '@steward/kernel';
import type { RoomEvent } from './event.ts';

/** The kinds of rules, in the order in which they are evaluated. */
const KINDS = ['override', 'content', 'room', 'sender', 'underride'] as const;
type Kind = (typeof KINDS)[number];

/** Rules of the server that do not apply to events that name whom they mention. */
const WITHOUT_MENTIONS: ReadonlySet<string> = new Set([
  '.m.rule.contains_display_name',
  '.m.rule.contains_user_name',
  '.m.rule.roomnotif',
]);

const MENTIONS = 'm.mentions';

const BODY = ['content', 'body'];

/** A condition, with the keys that lead to the value of an event that it is about. */
interface Condition {
  readonly written: JsonObject;
  readonly keys: readonly string[] | undefined;
}

/** A rule, with conditions for every kind. */
interface Rule {
  readonly id: string;
  readonly conditions: readonly Condition[];
  readonly effect: PushEffect;
}

/** The enabled rules of a user, in the order in which they are evaluated. */
export type PushRules = readonly Rule[];

/** What an event does for a user. */
export interface PushEffect {
  readonly notifies: boolean;
  readonly highlights: boolean;
  /** The actions of the rule, as the user has set them. */
  readonly actions: readonly unknown[];
}

/** What rules know besides the event. */
export interface PushContext {
  /** The display name of the user in the room. */
  readonly displayName: string | null;
  /** The number of joined members. */
  readonly members: number;
  /** Whether a user has the power level to notify all members. */
  mayNotifyRoom(userId: string): boolean;
}

const NOTHING: PushEffect = { notifies: false, highlights: false, actions: [] };

/** Reads the account data `m.push_rules`. What has another form than a rule is left out. */
export function readPushRules(text: string): PushRules {
  const global = own(JSON.parse(text), 'global');
  return KINDS.flatMap((kind) => {
    const rules = own(global, kind);
    return Array.isArray(rules) ? rules.flatMap((rule) => readRule(kind, rule)) : [];
  });
}

function readRule(kind: Kind, rule: unknown): readonly Rule[] {
  const [id, actions] = [own(rule, 'rule_id'), own(rule, 'actions')];
  if (typeof id !== 'string' || own(rule, 'enabled') !== true || !Array.isArray(actions)) return [];
  const conditions = conditionsOf(kind, id, rule);
  if (!conditions?.every(isObject)) return [];
  const read = conditions.map((written) => ({ written, keys: keysOf(own(written, 'key')) }));
  return [{ id, conditions: read, effect: effectOf(actions) }];
}

function conditionsOf(kind: Kind, id: string, rule: unknown): readonly unknown[] | undefined {
  const matches = (key: string, pattern: unknown) => [{ kind: 'event_match', key, pattern }];
  switch (kind) {
    case 'content':
      return matches('content.body', own(rule, 'pattern'));
    case 'room':
      return [{ kind: 'event_property_is', key: 'room_id', value: id }];
    case 'sender':
      return [{ kind: 'event_property_is', key: 'sender', value: id }];
    default: {
      const conditions = own(rule, 'conditions') ?? [];
      return Array.isArray(conditions) ? conditions : undefined;
    }
  }
}

function effectOf(actions: readonly unknown[]): PushEffect {
  const notifies = actions.some((action) => action === 'notify' || action === 'coalesce');
  const highlights = actions.some(
    (action) => own(action, 'set_tweak') === 'highlight' && own(action, 'value') !== false,
  );
  return { notifies, highlights: notifies && highlights, actions };
}

/** What the first rule that an event meets does (client-plane.md 12.1). */
export function evaluatePushRules(
  rules: PushRules,
  { event, roomId }: Pick<RoomEvent, 'event' | 'roomId'>,
  context: PushContext,
): PushEffect {
  const shown = { ...event, room_id: roomId };
  const mentions = own(event.content, MENTIONS) !== undefined;
  const rule = rules.find(
    ({ id, conditions }) =>
      !(mentions && WITHOUT_MENTIONS.has(id)) &&
      conditions.every((condition) => isMet(condition, shown, context)),
  );
  return rule?.effect ?? NOTHING;
}

function isMet({ written: condition, keys }: Condition, event: object, context: PushContext): boolean {
  const value = () => valueAt(event, keys);
  switch (own(condition, 'kind')) {
    case 'event_match':
      return matches(own(condition, 'key'), own(condition, 'pattern'), value());
    case 'event_property_is':
      return isPrimitive(own(condition, 'value')) && value() === own(condition, 'value');
    case 'event_property_contains': {
      const list = value();
      return (
        Array.isArray(list) && isPrimitive(own(condition, 'value')) && list.includes(own(condition, 'value'))
      );
    }
    case 'contains_display_name': {
      const body = valueAt(event, BODY);
      const { displayName } = context;
      return typeof body === 'string' && displayName !== null && containsWord(body, [displayName], false);
    }
    case 'room_member_count':
      return compares(own(condition, 'is'), context.members);
    case 'sender_notification_permission': {
      const sender = own(event, 'sender');
      return own(condition, 'key') === 'room' && typeof sender === 'string' && context.mayNotifyRoom(sender);
    }
    default:
      return false;
  }
}

function isPrimitive(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** The keys of a path, in which `\` precedes a dot that is part of a key. */
function keysOf(path: unknown): readonly string[] | undefined {
  if (typeof path !== 'string') return undefined;
  return (path.match(/(?:\\.|[^.\\]|\\$)+/g) ?? []).map((key) => key.replaceAll(/\\([\\.])/g, '$1'));
}

function valueAt(event: object, keys: readonly string[] | undefined): unknown {
  return keys?.reduce<unknown>(own, event);
}

function matches(key: unknown, pattern: unknown, value: unknown): boolean {
  if (typeof pattern !== 'string' || typeof value !== 'string') return false;
  if (key === 'content.body') return pattern !== '' && containsWord(value, pattern.split('*'), true);
  return matchesGlob(pattern.toLowerCase(), value.toLowerCase(), { questionMarks: true });
}

/**
 * Whether a text contains, between the boundaries of words, some parts in their order with any text between them; case does
 * not matter. Each part is searched from left to right only, so the time is limited.
 */
function containsWord(text: string, parts: readonly string[], questionMarks: boolean): boolean {
  const [lower, wanted] = [text.toLowerCase(), parts.map((part) => part.toLowerCase())];
  let from = 0;
  for (const [index, part] of wanted.entries()) {
    const [first, last] = [index === 0, index === wanted.length - 1];
    let at = from;
    const isHere = () =>
      isAt(lower, part, at, questionMarks) &&
      (!first || part === '' || isBoundary(lower, at)) &&
      (!last || part === '' || isBoundary(lower, at + part.length));
    while (at + part.length <= lower.length && !isHere()) at++;
    if (at + part.length > lower.length) return false;
    from = at + part.length;
  }
  return wanted.some((part) => part !== '') || lower !== '';
}

function isAt(text: string, part: string, at: number, questionMarks: boolean): boolean {
  if (!questionMarks || !part.includes('?')) return text.startsWith(part, at);
  for (let index = 0; index < part.length; index++) {
    if (part[index] !== '?' && part[index] !== text[at + index]) return false;
  }
  return true;
}

const WORD = /[\p{L}\p{N}_]/u;

/** Whether no word continues over a position. */
function isBoundary(text: string, at: number): boolean {
  return !(WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at)));
}

function compares(is: unknown, members: number): boolean {
  const [, operator = '', digits = ''] =
    (typeof is === 'string' && /^(==|<=|>=|<|>)?([0-9]{1,15})$/.exec(is)) || [];
  if (digits === '') return false;
  const count = Number(digits);
  switch (operator) {
    case '<':
      return members < count;
    case '>':
      return members > count;
    case '<=':
      return members <= count;
    case '>=':
      return members >= count;
    default:
      return members === count;
  }
}
