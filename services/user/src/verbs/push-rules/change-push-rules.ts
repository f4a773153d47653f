import type { Requester } from '@steward/rpc';
import { changeAccountData } from '../../core/account-data/change-account-data.ts';
import type { Deps } from '../../core/deps.ts';
import { GLOBAL, PUSH_RULES } from '../../core/model/account-data.ts';
import { changesIn, type RuleChanges } from '../../core/push-rules/rule-changes.ts';

/**
 * Changes the rules of an account.
 *
 * @param decide runs again when a concurrent change was faster
 * @throws refuse.tooLarge or quotaExceeded when there would be too many
 */
export async function changePushRules(
  deps: Deps,
  caller: Requester,
  decide: (changes: RuleChanges) => RuleChanges,
): Promise<void> {
  await changeAccountData(deps, caller, { roomId: GLOBAL, type: PUSH_RULES }, (content) =>
    JSON.stringify(decide(changesIn(content))),
  );
}
