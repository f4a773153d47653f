import type { RoomMediaChanged } from '@steward/proto/steward/event/v1/room_pb.ts';
import type {
  UserCreated,
  UserDeactivated,
  UserProfileChanged,
} from '@steward/proto/steward/event/v1/user_pb.ts';
import { checkUris } from '../core/check-shown.ts';
import type { Deps } from '../core/deps.ts';

type CheckDeps = Pick<Deps, 'media' | 'rooms' | 'users'>;

/** Checks the media that events of a room began or ceased to show. */
export function onRoomMediaChanged(deps: CheckDeps, { uris }: RoomMediaChanged): Promise<void> {
  return checkUris(deps, uris);
}

/** Checks the avatar that an account has, and the one that it had before. */
export function onAvatarChanged(
  deps: CheckDeps,
  fact: UserCreated | UserDeactivated | UserProfileChanged,
): Promise<void> {
  const uris = [
    'avatarUrl' in fact ? fact.avatarUrl : undefined,
    'previousAvatarUrl' in fact ? fact.previousAvatarUrl : undefined,
  ];
  return checkUris(
    deps,
    uris.filter((uri) => uri !== undefined),
  );
}
