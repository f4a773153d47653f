import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import {
  type Fact,
  type OutgoingEvent,
  outgoing,
  userCreated,
  userDeactivated,
  userProfileChanged,
  userReactivated,
} from '@steward/events';
import { occurrence } from '@steward/feed';
import {
  AccountCreatedSchema,
  AccountDeactivatedSchema,
  AccountRolesSetSchema,
} from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import { type ApplyEffects, defineAggregate, type Publication } from '@steward/service';
import { NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../deps.ts';
import { removeKeyBackup } from '../key-backups/remove-key-backup.ts';
import type { Account } from '../model/account.ts';
import type { PendingAccountEffect } from '../model/account-effect.ts';
import { completeUse } from '../registration-tokens/hold-use.ts';
import { emptyAccount } from './effects/empty-account.ts';
import { endSessions } from './effects/end-sessions.ts';
import { releaseThreepids } from './effects/release-threepids.ts';

type EffectOf<K extends PendingAccountEffect['kind']> = Extract<PendingAccountEffect, { readonly kind: K }>;

/** The account aggregate. An effect does its other work before it publishes the fact for other services. */
export const accountAggregate = defineAggregate<Account, PendingAccountEffect, Deps>({
  collection: (deps) => deps.accounts,
  effects: {
    created: publication(userCreated, ({ _id: userId, avatar_url: avatarUrl }) => ({
      userId,
      ...(avatarUrl === null ? {} : { avatarUrl }),
    })),
    deactivated: oneByOne(async (deps, account, effect) => {
      await endSessions(deps, account);
      await emptyAccount(deps, account);
      const { _id: userId } = account;
      const { erased, previousAvatar } = effect;
      const message = { userId, erased, ...previousAvatarOf(previousAvatar) };
      await publish(deps, userId, effect, userDeactivated, message);
    }),
    reactivated: oneByOne(async (deps, account, effect) => {
      // Removes leftovers of a crash during a write; the account starts empty.
      await emptyAccount(deps, account);
      const { _id: userId } = account;
      await publish(deps, userId, effect, userReactivated, { userId });
    }),
    profile_changed: publication(
      userProfileChanged,
      ({ _id: userId, displayname, avatar_url: avatarUrl }, { roomsUnaware = false, previousAvatar }) => ({
        userId,
        ...(displayname === null ? {} : { displayname }),
        ...(avatarUrl === null ? {} : { avatarUrl }),
        roomsUnaware,
        ...previousAvatarOf(previousAvatar),
      }),
    ),
    sessions_ended: (deps, account) => endSessions(deps, account),
    threepids_claimed: (deps, account) => releaseThreepids(deps, account),
    key_backup_deleted: oneByOne((deps, { _id: userId }, { backup }) =>
      removeKeyBackup(deps, userId, backup),
    ),
    registration_token_used: oneByOne((deps, _, effect) => completeUse(deps, effect)),
    event: { outbox: (deps) => deps.outbox, eventOf: eventOfFeed },
  },
});

/** The avatar that a change removed, as facts have it. */
function previousAvatarOf(previous: string | null | undefined): { previousAvatarUrl?: string } {
  return previous === null || previous === undefined ? {} : { previousAvatarUrl: previous };
}

/** Applies effects one after the other. */
function oneByOne<K extends PendingAccountEffect['kind']>(
  apply: (deps: Deps, account: Account, effect: EffectOf<K>) => Promise<void>,
): ApplyEffects<Account, EffectOf<K>, Deps, never> {
  return async (deps, account, effects) => {
    for (const effect of effects) await apply(deps, account, effect);
  };
}

/** An effect that only publishes a fact. */
function publication<D extends DescMessage, K extends PendingAccountEffect['kind']>(
  fact: Fact<D>,
  messageOf: (account: Account, effect: EffectOf<K>) => MessageInitShape<D>,
): Publication<Account, EffectOf<K>, Deps> {
  return {
    outbox: (deps) => deps.outbox,
    eventOf: (account, effect) => eventOf(account._id, effect, fact, messageOf(account, effect)),
  };
}

/** Publishes the fact of an effect that does other work, too. */
function publish<D extends DescMessage>(
  { outbox }: Deps,
  userId: string,
  effect: PendingAccountEffect,
  fact: Fact<D>,
  message: MessageInitShape<D>,
): Promise<void> {
  // After a power failure the effect is still pending.
  return outbox.add([eventOf(userId, effect, fact, message)], NOT_FLUSHED);
}

/** The fact that an event of the feed occurred. */
function eventOfFeed({ _id: userId, erased }: Account, effect: EffectOf<'event'>): OutgoingEvent {
  const { actor, request_id: requestId } = effect;
  const about = { ...aboutOf(userId, effect), actor, requestId, targets: [userId] };
  switch (effect.event) {
    case 'created':
      return occurrence(AccountCreatedSchema, { userId }, about);
    case 'deactivated':
      return occurrence(AccountDeactivatedSchema, { userId, erased }, about);
    case 'roles_provided': {
      const { provider, roles } = effect;
      return occurrence(AccountRolesSetSchema, { userId, provider, roles: [...roles] }, about);
    }
    case 'roles_followed':
      return occurrence(AccountRolesSetSchema, { userId, byGroups: true, roles: [...effect.roles] }, about);
  }
}

/** The event of a fact, with the effect's id: consumers recognise a repetition by it. */
function eventOf<D extends DescMessage>(
  userId: string,
  effect: PendingAccountEffect,
  fact: Fact<D>,
  message: MessageInitShape<D>,
): OutgoingEvent {
  return outgoing(fact, message, aboutOf(userId, effect));
}

/** What every event of an effect has. */
function aboutOf(userId: string, { id, at, version, traceparent, requester }: PendingAccountEffect) {
  return { id, timeMs: at, aggregate: userId, sequence: version, traceparent, requester };
}
