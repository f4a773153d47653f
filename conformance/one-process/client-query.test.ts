import { path } from '@steward/testing';
import { beforeAll, expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { refusal } from '../refusal.ts';

const V1 = '/_proto/client/v1';
const V3 = '/_proto/client/v3';

chapter('2.2 Query parameters of the client API', (world) => {
  let requests: (query: string) => Promise<unknown>;

  beforeAll(async () => {
    const user = await world.user();
    const { body: room } = await user.post<{ room_id: string }>(`${V3}/createRoom`, { body: {} });
    const inRoom = path`/rooms/${room.room_id}`;
    const sent = await user.put<{ event_id: string }>(`${V3}${inRoom}/send/m.room.message/1`, {
      body: { msgtype: 'm.text', body: 'text' },
    });
    const relations = `${V1}${inRoom}${path`/relations/${sent.body.event_id}`}`;
    const targets: Readonly<Record<string, string>> = {
      members: `${V3}${inRoom}/members`,
      messages: `${V3}${inRoom}/messages`,
      relations,
      threads: `${V1}${inRoom}/threads`,
      hierarchy: `${V1}${inRoom}/hierarchy`,
      timestamp_to_event: `${V1}${inRoom}/timestamp_to_event`,
      state: `${V3}${inRoom}/state/m.room.create`,
      notifications: `${V3}/notifications`,
      sync: `${V3}/sync`,
    };
    requests = (query) => {
      const [name = '', parameters = ''] = query.split('?');
      return user.get(`${targets[name]}?${parameters}`);
    };
  });

  it.each([
    ['members?membership=join', 'members?membership=joined'],
    ['members?not_membership=leave', 'members?not_membership=left'],
    ['notifications?only=highlight', 'notifications?only=Highlight'],
    ['messages?dir=b', 'messages?dir=B'],
    ['relations?dir=f', 'relations?dir=forward'],
    ['relations?recurse=true', 'relations?recurse=1'],
    ['threads?include=participated', 'threads?include=own'],
    ['hierarchy?suggested_only=true', 'hierarchy?suggested_only=yes'],
    ['timestamp_to_event?ts=0&dir=f', 'timestamp_to_event?ts=0&dir=x'],
    ['state?format=event', 'state?format=raw'],
    ['sync?set_presence=offline', 'sync?set_presence=away'],
    ['sync?full_state=true', 'sync?full_state=TRUE'],
  ])('%s is answered, and %s refused', async (valid, invalid) => {
    expect(await requests(valid)).toMatchObject({ status: 200 });
    expect(await requests(invalid)).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
  });
});
