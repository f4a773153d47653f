import { declareFact } from '@steward/events';
import { RoomPurgedSchema } from '@steward/proto/steward/event/v1/room_pb.ts';
import {
  UserCreatedSchema,
  UserDeactivatedSchema,
  UserProfileChangedSchema,
  UserReactivatedSchema,
} from '@steward/proto/steward/event/v1/user_pb.ts';

/** An account came into being. */
export const userCreated = declareFact('user.created', UserCreatedSchema);
/** An account was deactivated, or deactivated again in order to be erased. */
export const userDeactivated = declareFact('user.deactivated', UserDeactivatedSchema);
/** A deactivated account became active again. */
export const userReactivated = declareFact('user.reactivated', UserReactivatedSchema);
/** A room was removed with everything that was kept of it. */
export const roomPurged = declareFact('room.purged', RoomPurgedSchema);
/** Display name or avatar changed. */
export const userProfileChanged = declareFact('user.profile_changed', UserProfileChangedSchema);
