import { refuse } from '@steward/errors';
import type { Requester } from '@steward/rpc';
import { changeAccountData } from '../../core/account-data/change-account-data.ts';
import type { Deps } from '../../core/deps.ts';
import { GLOBAL, PUSH_RULES } from '../../core/model/account-data.ts';
import { changesIn, type RuleChanges } from '../../core/push-rules/rule-changes.ts';

/** What the changes of an account's rules may have as JSON text, in bytes: every look at the rules reads them all. */
const MAX_BYTES = 1024 * 1024;

/**
 * Changes the rules of an account.
 *
 * @param decide may be asked again when somebody else was quicker
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
