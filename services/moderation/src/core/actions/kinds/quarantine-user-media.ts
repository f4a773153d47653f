import { MediaAdministrationService } from '@steward/proto/steward/media/v1/administration_pb.ts';
import { type ActionKind, AT_ONCE, call } from '../define-action.ts';

/** Quarantines all media of a user. */
export const quarantineUserMedia: ActionKind = {
  needs: ['user_id'],
  calls: ({ user_id: userId = '' }) => [
    call(MediaAdministrationService.method.quarantineUserMedia, { userId }),
  ],
  async carryOut({ actions }, { user_id: userId = '' }, { checkOnly, ...given }) {
    return checkOnly ? AT_ONCE : { ...AT_ONCE, ...(await actions.media({ ...given, userId })) };
  },
};
