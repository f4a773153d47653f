import { refuse } from '@steward/errors';
import { isObject } from '@steward/kernel';
import type { Action, Condition } from '../../core/push-rules/push-rule.ts';

/** The actions that are plain names; the last two have the same effect as no action. */
const ACTIONS: ReadonlySet<unknown> = new Set(['notify', 'dont_notify', 'coalesce']);

const MEMBER_COUNT = /^(?:==|<|>|<=|>=)?\d+$/;

const isText = (value: unknown) => typeof value === 'string';
const isScalar = (value: unknown) =>
  value === null || typeof value === 'boolean' || isText(value) || Number.isInteger(value);

/** The keys that known conditions need; an unknown one matches no event, and is stored for clients that know it. */
const CONDITIONS = new Map<unknown, Readonly<Record<string, (value: unknown) => boolean>>>([
  ['event_match', { key: isText, pattern: isText }],
  ['event_property_is', { key: isText, value: isScalar }],
  ['event_property_contains', { key: isText, value: isScalar }],
  ['room_member_count', { is: (value) => isText(value) && MEMBER_COUNT.test(value) }],
  ['sender_notification_permission', { key: isText }],
]);

/**
 * Parses the actions of a rule.
 *
 * @param texts each as JSON text
 * @throws refuse.badJson for an invalid action
 */
export function readActions(texts: readonly string[]): readonly Action[] {
  return texts.map((text, index) => {
    const action: unknown = JSON.parse(text);
    if (ACTIONS.has(action) || (isObject(action) && isText(action.set_tweak))) return action as Action;
    throw refuse.badJson(`'actions[${index}]' is not an action`);
  });
}

/**
 * Parses the conditions of a rule.
 *
 * @param texts each as JSON text
 * @throws refuse.badJson for an invalid condition, or one that lacks a key it needs
 */
export function readConditions(texts: readonly string[]): readonly Condition[] {
  return texts.map((text, index) => {
    const condition: unknown = JSON.parse(text);
    if (!isObject(condition) || !isText(condition.kind)) {
      throw refuse.badJson(`'conditions[${index}]' is not a condition`);
    }
    for (const [key, isValid] of Object.entries(CONDITIONS.get(condition.kind) ?? {})) {
      if (!isValid(condition[key])) throw refuse.badJson(`'conditions[${index}].${key}' cannot be used`);
    }
    return condition as Condition;
  });
}
