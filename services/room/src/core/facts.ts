import { declareFact } from '@steward/events';
import {
  RoomCreatedSchema,
  RoomGuestAccessWithdrawnSchema,
  RoomMemberChangedSchema,
  RoomPurgedSchema,
} from '@steward/proto/steward/event/v1/room_pb.ts';
import { UserDeactivatedSchema, UserProfileChangedSchema } from '@steward/proto/steward/event/v1/user_pb.ts';

/** A room came into being. */
export const roomCreated = declareFact('room.created', RoomCreatedSchema);

/** What a user is in a room changed. */
export const roomMemberChanged = declareFact('room.member_changed', RoomMemberChangedSchema);

/** Guests may not be in a room any more. */
export const roomGuestAccessWithdrawn = declareFact(
  'room.guest_access_withdrawn',
  RoomGuestAccessWithdrawnSchema,
);

/** A room was removed with everything that was kept of it. */
export const roomPurged = declareFact('room.purged', RoomPurgedSchema);

/** An account was deactivated, or deactivated again in order to be erased. */
export const userDeactivated = declareFact('user.deactivated', UserDeactivatedSchema);

/** Display name or avatar of an account changed. */
export const userProfileChanged = declareFact('user.profile_changed', UserProfileChangedSchema);
