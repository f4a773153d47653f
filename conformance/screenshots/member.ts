import { type Client, createClient } from '@steward/sdk';
import { path } from '@steward/testing';

const CLIENT = '/_proto/client/v3';

/** A user of the client API. */
export interface Member {
  readonly userId: string;
  /** The administrative API with the token of the user. */
  readonly client: Client;
  createRoom(request: Readonly<Record<string, unknown>>): Promise<string>;
  join(room: string): Promise<void>;
  invite(room: string, userId: string): Promise<void>;
  /** Sends a text; returns the id of the event. */
  say(room: string, text: string): Promise<string>;
  /** Uploads a PNG; returns its content URI. */
  upload(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string>;
  /** Shows an uploaded PNG in a room; returns the id of the event. */
  show(room: string, name: string, uri: string): Promise<string>;
  reportEvent(room: string, event: string, reason: string): Promise<void>;
  reportRoom(room: string, reason: string): Promise<void>;
  reportUser(userId: string, reason: string): Promise<void>;
}

/**
 * Signs a user in on a new device.
 *
 * @throws StewardError if the password is wrong
 */
export async function signIn(url: string, user: string, password: string): Promise<Member> {
  const response = await createClient({ baseUrl: url, credentials: 'omit' }).request({
    method: 'POST',
    path: `${CLIENT}/login`,
    json: { type: 'm.login.password', identifier: { type: 'm.id.user', user }, password },
  });
  const { user_id: userId, access_token: token } = (await response.json()) as Record<
    'user_id' | 'access_token',
    string
  >;
  return memberOf(createClient({ baseUrl: url, token }), userId);
}

function memberOf(client: Client, userId: string): Member {
  let transactions = 0;
  const send = async (method: string, target: string, json: unknown = {}) =>
    (await client.request({ method, path: `${CLIENT}${target}`, json })).json() as Promise<
      Readonly<Record<string, string>>
    >;
  const sendMessage = async (room: string, content: object) => {
    const transaction = String(transactions++);
    const target = path`/rooms/${room}/send/m.room.message/${transaction}`;
    return (await send('PUT', target, content)).event_id ?? '';
  };
  return {
    userId,
    client,
    createRoom: async (request) => (await send('POST', '/createRoom', request)).room_id ?? '',
    async join(room) {
      await send('POST', path`/join/${room}`);
    },
    async invite(room, invited) {
      await send('POST', path`/rooms/${room}/invite`, { user_id: invited });
    },
    say: (room, text) => sendMessage(room, { msgtype: 'm.text', body: text }),
    async upload(name, bytes) {
      const response = await client.request({
        method: 'POST',
        path: '/_proto/media/v3/upload',
        query: { filename: name },
        headers: { 'content-type': 'image/png' },
        body: bytes,
      });
      return ((await response.json()) as { readonly content_uri: string }).content_uri;
    },
    show: (room, name, uri) =>
      sendMessage(room, { msgtype: 'm.image', body: name, url: uri, info: { mimetype: 'image/png' } }),
    async reportEvent(room, event, reason) {
      await send('POST', path`/rooms/${room}/report/${event}`, { reason });
    },
    async reportRoom(room, reason) {
      await send('POST', path`/rooms/${room}/report`, { reason });
    },
    async reportUser(reported, reason) {
      await send('POST', path`/users/${reported}/report`, { reason });
    },
  };
}
