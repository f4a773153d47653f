import { type Actor, path, type World } from '@steward/testing';
import { expect } from 'vitest';
import { image } from '../images.ts';
import { uploadFile } from '../media-files.ts';

/** What every page of the console can show. */
export interface Community {
  readonly user: Actor;
  readonly room: string;
  readonly event: string;
  /** The id of the case of a report. */
  readonly report: string;
  readonly media: string;
  readonly task: string;
}

const ADMIN = '/_service/admin';

/** Creates a user with a room, a message with a picture that is reported, a task, a webhook and tokens. */
export async function createCommunity(world: World): Promise<Community> {
  const user = await world.user('citizen', { displayname: 'Ünïcode Citizen 🏳️' });
  const reporter = await world.user('reporter');
  const { room_id: room } = (
    await user.post<{ room_id: string }>('/_proto/client/v3/createRoom', {
      body: {
        name: 'Town hall',
        topic: 'Where all meet',
        preset: 'public_chat',
        room_alias_name: world.freshName('hall'),
      },
    })
  ).body;
  expect((await reporter.post(path`/_proto/client/v3/join/${room}`, { body: {} })).status).toBe(200);
  const media = await uploadFile(user, {
    bytes: await image('png', 64, 48),
    type: 'image/png',
    name: 'cat.png',
  });
  const send = (txn: string, body: object) =>
    user.put<{ event_id: string }>(path`/_proto/client/v3/rooms/${room}/send/m.room.message/${txn}`, {
      body,
    });
  await send('text', { msgtype: 'm.text', body: 'Good morning' });
  const url = `mxc://${world.serverName}/${media}`;
  const { event_id: event } = (await send('image', { msgtype: 'm.image', body: 'cat.png', url })).body;
  await reporter.post(path`/_proto/client/v3/rooms/${room}/report/${event}`, {
    body: { reason: 'No cats here', score: -50 },
  });
  const task = world.freshName('community-task');
  await world.seed?.task({ id: task, kind: 'room.delete', target: room, requestedBy: world.admin.userId });
  await world.admin.post(`${ADMIN}/v1/registration_tokens/new`, { body: {} });
  await world.admin.post(`${ADMIN}/v1/roles`, {
    body: { name: world.freshName('reader'), scopes: ['users:read'] },
  });
  await world.whenIdle();
  const { cases } = (
    await world.admin.get<{ cases: readonly { case_id: string }[] }>(
      `${ADMIN}/v1/reports?group=subject&event_id=${encodeURIComponent(event)}`,
    )
  ).body;
  const [reported] = cases;
  expect(reported).toBeDefined();
  return { user, room, event, report: reported?.case_id ?? '', media, task };
}
