import { refuse } from '@steward/errors';
import { parseContentUri } from '@steward/kernel';
import { MediaAdministrationService } from '@steward/proto/steward/media/v1/administration_pb.ts';
import { methodRules } from '@steward/rpc';
import { type ActionKind, AT_ONCE, call } from '../define-action.ts';

const { quarantineMedia: method } = MediaAdministrationService.method;

/** Quarantines what an event shows, or the medium of the case. */
export const quarantineMedia: ActionKind = {
  needs: ['room_id', 'event_id'],
  // They do not depend on which media an event shows.
  scopes: () => [methodRules(method).scope],
  calls: ({ media = [] }) =>
    media.flatMap((uri) => {
      const parsed = parseContentUri(uri);
      return parsed ? [call(method, parsed)] : [];
    }),
  ofCase: ({ event_id: eventId }, { media_uri: uri }) =>
    uri === null || eventId !== undefined ? undefined : { media: [uri] },
  // Before the event is redacted, after which it shows none.
  async lookUp({ actions }, details) {
    if (details.media) return details;
    const media = await actions.mediaOf(details.room_id ?? '', details.event_id ?? '');
    if (media.length === 0) throw refuse.invalidParam('The event shows no media');
    return { ...details, media };
  },
  async carryOut({ actions }, { media: uris }, { checkOnly, ...given }) {
    // Which of the media exist is not checked: quarantines are idempotent, and say so when they are carried out.
    return checkOnly ? AT_ONCE : { ...AT_ONCE, ...(await actions.media({ ...given, uris })) };
  },
};
