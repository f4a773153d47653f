import type { MessageInitShape } from '@bufbuild/protobuf';
import { optionalInt64 } from '@steward/kernel';
import type { ThreepidSchema, UserSchema } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import type { Deps } from '../deps.ts';
import type { Account, HeldThreepid } from '../model/account.ts';
import { shownApproval } from './approval.ts';

/** The account as administrators see it; never its password hash. */
export function toUser(deps: Pick<Deps, 'settings'>, account: Account): MessageInitShape<typeof UserSchema> {
  return {
    name: account._id,
    displayname: account.displayname ?? undefined,
    ...shownIds(account),
    avatarUrl: account.avatar_url ?? undefined,
    isGuest: account.is_guest,
    admin: account.admin,
    deactivated: account.deactivated,
    erased: account.erased,
    shadowBanned: account.shadow_banned,
    creationTs: BigInt(account.creation_ts),
    appserviceId: account.appservice_id ?? undefined,
    consentServerNoticeSent: account.consent_server_notice_sent ?? undefined,
    consentVersion: account.consent_version ?? undefined,
    consentTs: optionalInt64(account.consent_ts),
    userType: account.user_type ?? undefined,
    locked: account.locked,
    lastSeenTs: optionalInt64(account.last_seen_ts),
    suspended: account.suspended,
    approved: shownApproval(deps, account),
  };
}

/** The addresses of an account, and its ids at identity providers. */
export function shownIds(
  account: Pick<Account, 'threepids' | 'external_ids'>,
): Pick<MessageInitShape<typeof UserSchema>, 'threepids' | 'externalIds'> {
  return {
    threepids: account.threepids.map(toThreepid),
    externalIds: account.external_ids.map((held) => ({
      authProvider: held.auth_provider,
      externalId: held.external_id,
    })),
  };
}

/** An address as administrators and its holder see it. */
export function toThreepid(held: HeldThreepid): MessageInitShape<typeof ThreepidSchema> {
  return {
    medium: held.medium,
    address: held.address,
    addedAt: BigInt(held.added_at),
    validatedAt: BigInt(held.validated_at),
  };
}
