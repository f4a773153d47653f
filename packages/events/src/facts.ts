import { AuditRecordedSchema } from '@steward/proto/steward/event/v1/audit_pb.ts';
import { EventOccurredSchema } from '@steward/proto/steward/event/v1/feed_pb.ts';
import { MediaUploadMatchedSchema } from '@steward/proto/steward/event/v1/media_pb.ts';
import {
  RoomCreatedSchema,
  RoomGuestAccessWithdrawnSchema,
  RoomMediaChangedSchema,
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

// All facts of the product, each with the message in proto/steward/event/v1 that carries it. A fact is a domain event.

/** A request was made with an administrator's rights, or on behalf of an administrator. */
export const auditRecorded = declareFact('audit.recorded', AuditRecordedSchema);

/** Something happened that is an event of the feed, and that no entry of the audit log stands for. */
export const eventOccurred = declareFact('event.occurred', EventOccurredSchema);

/** An upload is known-bad content whose listed hash asks for a report. */
export const mediaUploadMatched = declareFact('media.upload_matched', MediaUploadMatchedSchema);

/** A room was created. */
export const roomCreated = declareFact('room.created', RoomCreatedSchema);

/** A room no longer admits guests. */
export const roomGuestAccessWithdrawn = declareFact(
  'room.guest_access_withdrawn',
  RoomGuestAccessWithdrawnSchema,
);

/** Events that show media became visible, were redacted or were removed: whether the media are shown must be looked up again. */
export const roomMediaChanged = declareFact('room.media_changed', RoomMediaChangedSchema);

/** The membership or the profile of a user in a room changed. */
export const roomMemberChanged = declareFact('room.member_changed', RoomMemberChangedSchema);

/** A room was removed with everything stored about it. */
export const roomPurged = declareFact('room.purged', RoomPurgedSchema);

/** An account was created. */
export const userCreated = declareFact('user.created', UserCreatedSchema);

/** An account was deactivated, or deactivated again in order to be erased. */
export const userDeactivated = declareFact('user.deactivated', UserDeactivatedSchema);

/** The display name or the avatar of an account changed. */
export const userProfileChanged = declareFact('user.profile_changed', UserProfileChangedSchema);

/** A deactivated account became active again. */
export const userReactivated = declareFact('user.reactivated', UserReactivatedSchema);
