import { userProfileChanged } from '@steward/events';
import { type Consumer, consumer } from '@steward/service';
import type { Deps } from '../core/deps.ts';
import { onProfileChanged } from './on-profile-changed.ts';

/** The consumers of facts of the service. */
export function consumers(deps: Pick<Deps, 'usage'>): readonly Consumer[] {
  return [
    consumer('usage', {
      facts: [userProfileChanged],
      handler: ({ fact, sequence }) => onProfileChanged(deps, fact, sequence),
    }),
  ];
}
