import { AuditRecordedSchema } from '@steward/proto/steward/event/v1/audit_pb.ts';
import {
  RoomCreatedSchema,
  RoomGuestAccessWithdrawnSchema,
  RoomMemberChangedSchema,
  RoomPurgedSchema,
} from '@steward/proto/steward/event/v1/room_pb.ts';
import {
  UserCreatedSchema,
  UserDeactivatedSchema,
  UserProfileChangedSchema,
  UserReactivatedSchema,
} from '@steward/proto/steward/event/v1/user_pb.ts';
import { declareFact } from './fact.ts';

// All facts of the product, each with the message in proto/steward/event/v1 that carries it. A fact is a domain event;
// "event" alone means one of a room.

/** A request was made with an administrator's rights, or for one. */
export const auditRecorded = declareFact('audit.recorded', AuditRecordedSchema);

/** A room came into being. */
export const roomCreated = declareFact('room.created', RoomCreatedSchema);

/** Guests may not be in a room any more. */
export const roomGuestAccessWithdrawn = declareFact(
  'room.guest_access_withdrawn',
  RoomGuestAccessWithdrawnSchema,
);

/** The membership or the profile of a user in a room changed. */
export const roomMemberChanged = declareFact('room.member_changed', RoomMemberChangedSchema);

/** A room was removed with everything that was kept of it. */
export const roomPurged = declareFact('room.purged', RoomPurgedSchema);

/** An account came into being. */
export const userCreated = declareFact('user.created', UserCreatedSchema);

/** An account was deactivated, or deactivated again in order to be erased. */
export const userDeactivated = declareFact('user.deactivated', UserDeactivatedSchema);

/** The display name or the avatar of an account changed. */
export const userProfileChanged = declareFact('user.profile_changed', UserProfileChangedSchema);

/** A deactivated account became active again. */
export const userReactivated = declareFact('user.reactivated', UserReactivatedSchema);
