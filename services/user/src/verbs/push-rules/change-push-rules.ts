import { refuse } from '@steward/errors';
import type { Requester } from '@steward/rpc';
import { changeAccountData } from '../../core/account-data/change-account-data.ts';
import type { Deps } from '../../core/deps.ts';
import { GLOBAL, PUSH_RULES } from '../../core/model/account-data.ts';
import { changesIn, type RuleChanges } from '../../core/push-rules/rule-changes.ts';

/** The longest JSON text of an account's rule changes, in bytes: every request for rules reads all of it. */
const MAX_BYTES = 1024 * 1024;

/**
 * Changes the rules of an account.
 *
 * @param decide runs again when a concurrent change was faster
 * @throws refuse.tooLarge when there would be too many
 */
export async function changePushRules(
  deps: Deps,
  caller: Requester,
  decide: (changes: RuleChanges) => RuleChanges,
): Promise<void> {
  await changeAccountData(deps, caller, { roomId: GLOBAL, type: PUSH_RULES }, (content) => {
    const changed = JSON.stringify(decide(changesIn(content)));
    if (Buffer.byteLength(changed) > MAX_BYTES) throw refuse.tooLarge('The account has too many push rules');
    return changed;
  });
}
