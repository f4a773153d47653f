/** The kinds of rules, in the order in which they are evaluated. */
export const KINDS = ['override', 'content', 'room', 'sender', 'underride'] as const;
export type Kind = (typeof KINDS)[number];

/** An action of a rule: its name, or an object that sets a tweak. */
export type Action = string | { readonly set_tweak: string; readonly [key: string]: unknown };

/** A condition that an event must meet. */
export interface Condition {
  readonly kind: string;
  readonly [key: string]: unknown;
}

/** A rule as clients see it. */
export interface PushRule {
  readonly rule_id: string;
  readonly default: boolean;
  readonly enabled: boolean;
  readonly actions: readonly Action[];
  /** Of the kinds override and underride. */
  readonly conditions?: readonly Condition[];
  /** Of the kind content. */
  readonly pattern?: string;
}

/** All rules of an account by kind; within a kind the first rule that an event meets applies. */
export type PushRules = Readonly<Record<Kind, readonly PushRule[]>>;

/** Whether rules of the kind have conditions. */
export function hasConditions(kind: Kind): boolean {
  return kind === 'override' || kind === 'underride';
}

/** Whether a rule's id is one of the server's. */
export function isServersId(ruleId: string): boolean {
  return ruleId.startsWith('.');
}
