import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadInto, userId } from './data.ts';
import { FIRST_TS } from './media-data.ts';

/** The room that shows media. */
export const MEDIA_ROOM = '!media:localhost';

/** Imports a room in which each message shows one of these media. */
export async function loadRoomOfMedia(directory: string, mediaIds: readonly string[]): Promise<void> {
  const creator = userId(0);
  const user = { user_id: creator, displayname: null, avatar_url: null, created_ts: FIRST_TS };
  const room = { room_id: MEDIA_ROOM, creator, room_version: '10', created_ts: FIRST_TS, public: true };
  const kinds: Readonly<Record<string, readonly object[]>> = {
    users: [{ ...user, admin: false, deactivated: false }],
    rooms: [{ ...room, canonical_alias: null }],
    events: [...eventsOf(creator, mediaIds)],
  };
  for (const [kind, records] of Object.entries(kinds)) {
    const file = join(directory, `${kind}.ndjson`);
    await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    loadInto(file, { STEWARD_DATA: directory });
  }
}

function* eventsOf(creator: string, mediaIds: readonly string[]): Generator<object> {
  let depth = 0;
  let previous: string[] = [];
  const next = (type: string, content: object, stateKey?: string) => {
    depth++;
    const event = {
      event_id: `$${createHash('sha256').update(`media ${depth}`).digest('base64url')}`,
      room_id: MEDIA_ROOM,
      type,
      sender: creator,
      ...(stateKey === undefined ? {} : { state_key: stateKey }),
      origin_server_ts: FIRST_TS + depth,
      content,
      depth,
      prev_events: previous,
      auth_events: [],
      hashes: { sha256: createHash('sha256').update(`hash ${depth}`).digest('base64').slice(0, -1) },
    };
    previous = [event.event_id];
    return event;
  };
  yield next('m.room.create', { creator, room_version: '10' }, '');
  yield next('m.room.member', { membership: 'join' }, creator);
  for (const id of mediaIds) {
    yield next('m.room.message', { msgtype: 'm.image', body: id, url: `mxc://localhost/${id}` });
  }
}
