import { refuse } from '@steward/errors';
import { requireUsableName } from '../../core/account-data/require-usable-name.ts';
import { isServersId } from '../../core/push-rules/push-rule.ts';

/** Checks the id of a rule that the caller adds or removes. */
export function ownRuleId(ruleId: string): string {
  if (isServersId(ruleId))
    throw refuse.unknown('Ids that begin with a dot are reserved for rules of the server');
  if (/[/\\]/.test(ruleId)) throw refuse.unknown('The id of a rule must not contain a slash');
  return requireUsableName(ruleId);
}
