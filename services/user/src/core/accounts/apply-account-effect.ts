import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import { type Fact, outgoing } from '@steward/events';
import type { Owed } from '@steward/store';
import type { Deps } from '../deps.ts';
import { userCreated, userDeactivated, userProfileChanged, userReactivated } from '../facts.ts';
import { removeKeyBackup } from '../key-backups/remove-key-backup.ts';
import type { Account } from '../model/account.ts';
import type { AccountOwed } from '../model/account-effect.ts';
import { completeUse } from '../registration-tokens/hold-use.ts';
import { emptyAccount } from './effects/empty-account.ts';
import { endSessions } from './effects/end-sessions.ts';
import { releaseThreepids } from './effects/release-threepids.ts';

/**
 * Does what a change of an account owes: its effects first, then the facts that tell of it. Safe to do
 * twice and on two machines at once.
 */
export async function settleAccountOwed(deps: Deps, entry: Owed, account: Account): Promise<void> {
  // Only `stamp` makes the references of accounts.
  const owed = entry as unknown as AccountOwed;
  const userId = account._id;
  const publish = <D extends DescMessage>(fact: Fact<D>, message: MessageInitShape<D>) =>
    deps.outbox.add([
      outgoing(fact, message, {
        id: owed.id,
        timeMs: owed.at,
        aggregate: userId,
        sequence: owed.version,
        traceparent: owed.traceparent,
        requester: owed.requester,
      }),
    ]);

  switch (owed.kind) {
    case 'created':
      return publish(userCreated, { userId });
    case 'deactivated':
      await endSessions(deps, account);
      await emptyAccount(deps, account);
      return publish(userDeactivated, { userId, erased: owed.erased });
    case 'reactivated':
      // Whatever a process left behind that died amid a write: the account begins empty.
      await emptyAccount(deps, account);
      return publish(userReactivated, { userId });
    case 'profile_changed':
      return publish(userProfileChanged, {
        userId,
        ...(account.displayname === null ? {} : { displayname: account.displayname }),
        ...(account.avatar_url === null ? {} : { avatarUrl: account.avatar_url }),
        roomsUnaware: owed.roomsUnaware ?? false,
      });
    case 'sessions_ended':
      return endSessions(deps, account);
    case 'threepids_claimed':
      return releaseThreepids(deps, account);
    case 'key_backup_deleted':
      return removeKeyBackup(deps, userId, owed.backup);
    case 'registration_token_used':
      return completeUse(deps, owed);
  }
}
