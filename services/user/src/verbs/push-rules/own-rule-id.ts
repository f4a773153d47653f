import { refuse } from '@steward/errors';
import { usableName } from '../../core/account-data/usable-name.ts';
import { isServersId } from '../../core/push-rules/push-rule.ts';

/** The id of a rule that the caller may add and remove. */
export function ownRuleId(ruleId: string): string {
  if (isServersId(ruleId)) throw refuse.unknown('Rules whose ids begin with a point are the server’s');
  if (/[/\\]/.test(ruleId)) throw refuse.unknown('The id of a rule must not have a slash');
  return usableName(ruleId);
}
