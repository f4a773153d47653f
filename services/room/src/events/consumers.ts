import type { Bus, Subscription } from '@steward/events';
import type { Deps } from '../core/deps.ts';
import { roomGuestAccessWithdrawn, userDeactivated, userProfileChanged } from '../core/facts.ts';
import { onGuestAccessWithdrawn } from './on-guest-access-withdrawn.ts';
import { onUserDeactivated } from './on-user-deactivated.ts';
import { onUserProfileChanged } from './on-user-profile-changed.ts';

/** Facts that are worked off at once: each may concern a great many rooms, and requests are to be served as well. */
const CONCURRENCY = 4;

/** What the service does about facts, until it ends. */
export interface Consumers {
  /** Interrupts what is being done, which is then done again later, and takes nothing more. */
  close(): Promise<void>;
}

/**
 * Starts to act on what happens to accounts, and in rooms.
 *
 * @param ready resolves when the service is able to
 */
export async function startConsumers(
  bus: Pick<Bus, 'subscribe'>,
  service: string,
  ready: Promise<Deps>,
): Promise<Consumers> {
  const closing = new AbortController();
  const { signal } = closing;
  const subscriptions: Subscription[] = [
    // One consumer for both facts: what an account goes through comes to rooms in that order.
    await bus.subscribe({
      durable: `${service}-accounts`,
      facts: [userDeactivated, userProfileChanged],
      concurrency: CONCURRENCY,
      handler: async (event) => {
        const deps = await ready;
        await (event.type === 'user.deactivated'
          ? onUserDeactivated(deps, event, signal)
          : onUserProfileChanged(deps, event, signal));
      },
    }),
    await bus.subscribe({
      durable: `${service}-guests`,
      facts: [roomGuestAccessWithdrawn],
      concurrency: CONCURRENCY,
      handler: async (event) => onGuestAccessWithdrawn(await ready, event, signal),
    }),
  ];
  return {
    async close() {
      closing.abort();
      await Promise.all(subscriptions.map((subscription) => subscription.close()));
    },
  };
}
