import type { Planned } from '@steward/plans';
import type { Deps } from '../deps.ts';
import type { AccountChange } from './change-account.ts';
import { isLastingChange } from './plan-account-change.ts';

/**
 * What a deactivation would do: to the account, to what the user service stores of it, and in rooms.
 *
 * @param change the account now, and as the deactivation would make it
 */
export async function deactivationPlan(
  deps: Deps,
  { current, next }: AccountChange,
  { erase }: { readonly erase: boolean },
): Promise<Planned> {
  const { _id: userId, threepids, second_factor: secondFactor } = current;
  const own = { user_id: userId };
  const [
    sessions,
    othersSessions,
    adminSessions,
    devices,
    refreshTokens,
    pushers,
    messages,
    oneTimeKeys,
    accountData,
    filters,
    crossSigningKeys,
    signatures,
    backups,
    backedUpKeys,
    { joined, invited, knocked },
  ] = await Promise.all([
    deps.tokens.countDocuments({ owner: userId }),
    deps.tokens.countDocuments({ user_id: userId, owner: { $ne: userId } }),
    deps.adminSessions.countDocuments(own),
    deps.devices.countDocuments(own),
    deps.refreshTokens.countDocuments(own),
    deps.pushers.countDocuments(own),
    deps.deviceMessages.countDocuments(own),
    deps.oneTimeKeys.countDocuments(own),
    deps.accountData.countDocuments(own),
    deps.filters.countDocuments(own),
    deps.crossSigningKeys.countDocuments({ _id: userId }),
    deps.keySignatures.countDocuments(own),
    deps.keyBackups.countDocuments(own),
    deps.keyBackupSessions.countDocuments(own),
    deps.rooms.countMemberships(userId),
  ]);
  const removed = (kind: string, count: number) => ({ kind, change: 'removed' as const, count });
  const lost: readonly (readonly [kind: string, isLost: boolean])[] = [
    ['password', current.password_hash !== null],
    ['second_factor', secondFactor !== undefined && secondFactor !== null],
    ['addresses', threepids.length > 0],
    ['memberships', joined + invited + knocked > 0],
    ['end_to_end_keys', devices + crossSigningKeys + backups > 0],
    ['account_data', accountData > 0],
    ['profile', erase && (current.displayname !== null || current.avatar_url !== null)],
    ['erasure', next.erased && !current.erased],
  ];
  return {
    changes: [
      { kind: 'accounts', change: 'changed', count: isLastingChange({ current, next }) ? 1 : 0 },
      removed('sessions', sessions + othersSessions),
      removed('admin_sessions', adminSessions),
      removed('devices', devices),
      removed('refresh_tokens', refreshTokens),
      removed('pushers', pushers),
      removed('device_messages', messages),
      removed('one_time_keys', oneTimeKeys),
      removed('addresses', threepids.length),
      removed('account_data', accountData),
      removed('filters', filters),
      removed('cross_signing_keys', crossSigningKeys),
      removed('key_signatures', signatures),
      removed('key_backups', backups),
      removed('backed_up_keys', backedUpKeys),
    ],
    sample: [{ kind: 'account', id: userId, name: current.displayname }],
    follows: [
      { service: 'room', kind: 'rooms_left', count: joined },
      { service: 'room', kind: 'invitations_rejected', count: invited },
      { service: 'room', kind: 'knocks_withdrawn', count: knocked },
    ],
    irreversible: lost.flatMap(([kind, isLost]) => (isLost ? [kind] : [])),
    state: [current.sessions.epoch],
  };
}
