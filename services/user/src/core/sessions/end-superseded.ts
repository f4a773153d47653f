import { accountTopic } from '@steward/events';
import { changeAggregates } from '@steward/service';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import type { Superseded } from '../model/refresh-token.ts';

/**
 * Ends the tokens that others have replaced; `access` is the digest of the new access token. When the account
 * spared the session as it ended all others, the session stays spared. Idempotent.
 */
export async function endSuperseded(
  deps: Deps,
  owner: Account,
  superseded: Superseded,
  access: string,
): Promise<void> {
  if (owner.sessions.except === superseded.access) {
    await changeAggregates(
      deps.accounts,
      { _id: owner._id, 'sessions.except': superseded.access },
      { set: { 'sessions.except': access } },
    );
  }
  await deps.refreshTokens.deleteOne({ _id: superseded.refresh });
  await deps.tokens.deleteOne({ _id: superseded.access });
  deps.bus.notify(accountTopic(owner._id));
}
