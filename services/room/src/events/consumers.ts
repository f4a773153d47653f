import { roomGuestAccessWithdrawn, userDeactivated, userProfileChanged } from '@steward/events';
import { type Consumer, consumer } from '@steward/service';
import type { Deps } from '../core/deps.ts';
import { onGuestAccessWithdrawn } from './on-guest-access-withdrawn.ts';
import { onUserDeactivated } from './on-user-deactivated.ts';
import { onUserProfileChanged } from './on-user-profile-changed.ts';

/** Facts that a consumer handles concurrently; few, because each may change very many rooms while requests run. */
const CONCURRENCY = 4;

/** The consumers of the service, which handle facts about accounts and rooms. */
export function consumersOf(deps: Deps, closing: AbortSignal): readonly Consumer[] {
  return [
    // One consumer for both facts, so that changes of an account reach the rooms in their order.
    consumer('accounts', {
      facts: [userDeactivated, userProfileChanged],
      concurrency: CONCURRENCY,
      handler: async (event) => {
        await (event.type === 'user.deactivated'
          ? onUserDeactivated(deps, event, closing)
          : onUserProfileChanged(deps, event, closing));
      },
    }),
    consumer('guests', {
      facts: [roomGuestAccessWithdrawn],
      concurrency: CONCURRENCY,
      handler: (event) => onGuestAccessWithdrawn(deps, event, closing),
    }),
  ];
}
