import { isDeepStrictEqual } from 'node:util';
import { defaultRules, MASTER_RULE } from './default-rules.ts';
import { KINDS, type Kind, type PushRule, type PushRules } from './push-rule.ts';

/** The stored difference between the rules of an account and the default ones. */
export interface RuleChanges {
  /** The rules that the user has added, by kind, the first one first. */
  readonly added: Readonly<Record<Kind, readonly PushRule[]>>;
  /** The changed fields of default rules, by rule id, which is unique across all kinds. */
  readonly changed: Readonly<Record<string, Partial<Pick<PushRule, 'enabled' | 'actions'>>>>;
}

const NO_CHANGES: RuleChanges = {
  added: { override: [], content: [], room: [], sender: [], underride: [] },
  changed: {},
};

/** The changes in the content of stored account data; none when nothing was ever stored. */
export function changesIn(content: string | undefined): RuleChanges {
  return content === undefined ? NO_CHANGES : JSON.parse(content);
}

/** All rules of an account: within a kind the added ones precede the default ones, except the master rule. */
export function rulesOf(userId: string, { added, changed }: RuleChanges): PushRules {
  const defaults = defaultRules(userId);
  const ofKind = (kind: Kind) => {
    const rules = defaults[kind].map((rule) => ({ ...rule, ...changed[rule.rule_id] }));
    const first = rules.filter(({ rule_id: id }) => id === MASTER_RULE);
    return [...first, ...added[kind], ...rules.slice(first.length)];
  };
  return Object.fromEntries(KINDS.map((kind) => [kind, ofKind(kind)])) as unknown as PushRules;
}

/** Changes a rule; returns `undefined` when the kind has none with the id. */
export function changeRule(
  userId: string,
  changes: RuleChanges,
  { kind, ruleId }: { readonly kind: Kind; readonly ruleId: string },
  change: Partial<Pick<PushRule, 'enabled' | 'actions'>>,
): RuleChanges | undefined {
  const added = changes.added[kind];
  if (added.some(({ rule_id: id }) => id === ruleId)) {
    const rules = added.map((rule) => (rule.rule_id === ruleId ? { ...rule, ...change } : rule));
    return { ...changes, added: { ...changes.added, [kind]: rules } };
  }
  const byDefault = defaultRules(userId)[kind].find(({ rule_id: id }) => id === ruleId);
  if (!byDefault) return undefined;
  const now = Object.entries({ ...changes.changed[ruleId], ...change });
  const different = now.filter(([key, value]) => !isDeepStrictEqual(byDefault[key as keyof PushRule], value));
  const { [ruleId]: _, ...others } = changes.changed;
  const changed = different.length === 0 ? others : { ...others, [ruleId]: Object.fromEntries(different) };
  return { ...changes, changed };
}

/** Whether the rules differ from the default ones. */
export function areChanged({ added, changed }: RuleChanges): boolean {
  return Object.keys(changed).length > 0 || Object.values(added).some(({ length }) => length > 0);
}
