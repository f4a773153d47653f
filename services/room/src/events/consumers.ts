import { roomGuestAccessWithdrawn, userDeactivated, userProfileChanged } from '@steward/events';
import { type Consumer, consumer } from '@steward/service';
import type { Deps } from '../core/deps.ts';
import { onGuestAccessWithdrawn } from './on-guest-access-withdrawn.ts';
import { onUserDeactivated } from './on-user-deactivated.ts';
import { onUserProfileChanged } from './on-user-profile-changed.ts';

/** Facts that are handled at once: each may concern a great many rooms, and requests are to be served as well. */
const CONCURRENCY = 4;

/** What the service does about facts: changes of accounts, and of rooms. */
export function consumersOf(deps: Deps, closing: AbortSignal): readonly Consumer[] {
  return [
    // One consumer for both facts: changes of an account reach rooms in their order.
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
