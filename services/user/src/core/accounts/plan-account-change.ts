import { isDeepStrictEqual } from 'node:util';
import type { Planned } from '@steward/plans';
import type { Deps } from '../deps.ts';
import { endedSessions } from '../devices/remove-devices.ts';
import type { Account } from '../model/account.ts';
import { rightsKey } from './administrators.ts';
import { type AccountChange, type Decision, planChange } from './change-account.ts';

/** What of an account changes with each end of its sessions, although nothing else does. */
const OF_EACH = ['sessions', 'emptied_epoch', 'pending', 'version'] as const;

/** Whether a change of an account changes more of it than the term of its sessions. */
export function isLastingChange({ current, next }: AccountChange): boolean {
  return !isDeepStrictEqual(lasting(current), lasting(next));
}

/**
 * Plans a change of an account: of the account, and of the sessions that end with it.
 *
 * @param lost what an account loses by it that no later request brings back, by kind
 * @returns `undefined` when there is no such account
 */
export async function accountChangePlan(
  deps: Deps,
  userId: string,
  decide: (account: Account) => Decision | Promise<Decision>,
  lost: (change: AccountChange) => Readonly<Record<string, boolean>> = () => ({}),
): Promise<Planned | undefined> {
  const change = await planChange(deps, userId, decide);
  if (!change) return undefined;
  const { current } = change;
  return {
    changes: [
      { kind: 'accounts', change: 'changed', count: isLastingChange(change) ? 1 : 0 },
      ...(await endedBy(deps, change)),
    ],
    sample: [{ kind: 'account', id: userId, name: current.displayname }],
    irreversible: Object.entries(lost(change)).flatMap(([kind, isLost]) => (isLost ? [kind] : [])),
    state: [current.version],
  };
}

/** The documents of sessions that go with a change of an account. */
async function endedBy(deps: Deps, { current, next }: AccountChange): Promise<Planned['changes']> {
  const { _id: userId } = current;
  const removed = (kind: string, count: number) => ({ kind, change: 'removed' as const, count });
  const rights = rightsKey(deps, current);
  const hasTermEnded = rights !== '' && rights !== rightsKey(deps, next);
  const actingAs = { owner: userId, user_id: { $ne: userId } };
  if (next.sessions.epoch === current.sessions.epoch)
    return hasTermEnded ? [removed('sessions', await deps.tokens.countDocuments(actingAs))] : [];
  const { ofTokens, ofAdminSessions, ofDevices } = await endedSessions(deps, next);
  const ofEnded = hasTermEnded ? { owner: userId, $or: [ofTokens, actingAs] } : ofTokens;
  const [sessions, adminSessions, devices, refreshTokens, oneTimeKeys, messages, pushers] = await Promise.all(
    [
      deps.tokens.countDocuments(ofEnded),
      deps.adminSessions.countDocuments(ofAdminSessions),
      deps.devices.countDocuments(ofDevices),
      deps.refreshTokens.countDocuments(ofDevices),
      deps.oneTimeKeys.countDocuments(ofDevices),
      deps.deviceMessages.countDocuments(ofDevices),
      deps.pushers.countDocuments(ofDevices),
    ],
  );
  return [
    removed('sessions', sessions),
    removed('admin_sessions', adminSessions),
    removed('devices', devices),
    removed('refresh_tokens', refreshTokens),
    removed('one_time_keys', oneTimeKeys),
    removed('device_messages', messages),
    removed('pushers', pushers),
  ];
}

function lasting(account: Account): Partial<Account> {
  const fields: Partial<Account> = { ...account };
  for (const name of OF_EACH) delete fields[name];
  return fields;
}
