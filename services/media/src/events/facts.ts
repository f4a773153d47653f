import { declareFact } from '@steward/events';
import { UserProfileChangedSchema } from '@steward/proto/steward/event/v1/user_pb.ts';

/** A display name or an avatar changed. */
export const userProfileChanged = declareFact('user.profile_changed', UserProfileChangedSchema);
