import type { GetPushRulesRequest } from '@steward/proto/steward/user/v1/account_feed_pb.ts';
import { contentOf } from '../../core/account-data/content-of.ts';
import type { Deps } from '../../core/deps.ts';
import { GLOBAL, PUSH_RULES } from '../../core/model/account-data.ts';
import { pushRulesText } from '../../core/push-rules/push-rules-text.ts';

/** Returns the push rules of an account, for the service that counts unread events. */
export async function getPushRules(deps: Pick<Deps, 'accountData'>, { userId }: GetPushRulesRequest) {
  const content = await contentOf(deps, userId, GLOBAL, PUSH_RULES);
  return { rules: pushRulesText(userId, content) };
}
