import { roomMediaChanged, userCreated, userDeactivated, userProfileChanged } from '@steward/events';
import { type Consumer, consumer } from '@steward/service';
import type { Deps } from '../core/deps.ts';
import { onAvatarChanged, onRoomMediaChanged } from './on-media-shown.ts';
import { onNameChanged } from './on-name-changed.ts';

/** The consumers of facts of the service. */
export function consumers(deps: Pick<Deps, 'media' | 'rooms' | 'usage' | 'users'>): readonly Consumer[] {
  return [
    consumer('usage', {
      facts: [userDeactivated, userProfileChanged],
      handler: (event) => onNameChanged(deps, event),
    }),
    consumer('shown_in_rooms', {
      facts: [roomMediaChanged],
      handler: ({ fact }) => onRoomMediaChanged(deps, fact),
    }),
    consumer('shown_in_profiles', {
      facts: [userCreated, userDeactivated, userProfileChanged],
      handler: ({ fact }) => onAvatarChanged(deps, fact),
    }),
  ];
}
