import { path } from '@steward/testing';
import type { Caller } from './caller.ts';

/** Where the API of clients is. */
export const CLIENT = '/_proto/client/v3';

/** A user with one device. */
export interface Owner {
  readonly userId: string;
  readonly deviceId: string;
  readonly token: string;
}

/** With what a client creates its users. */
export interface OwnerOptions {
  readonly name: string;
  readonly caller: Caller;
  readonly adminToken: string;
}

/** Creates a user who is named after a role, and logs a device in. */
export async function createOwner({ name, caller, adminToken }: OwnerOptions, role: string): Promise<Owner> {
  const userId = `@${role}-${name}:test`;
  const password = `the password of ${userId}`;
  await caller.must([200, 201], 'PUT', path`/_service/admin/v2/users/${userId}`, {
    token: adminToken,
    body: { password },
  });
  const deviceId = role.toUpperCase();
  const { body } = await caller.must([200], 'POST', `${CLIENT}/login`, {
    body: {
      type: 'm.login.password',
      identifier: { type: 'm.id.user', user: userId },
      password,
      device_id: deviceId,
    },
  });
  return { userId, deviceId, token: body.access_token };
}

/** Creates a room of two users; returns its id. */
export async function createSharedRoom(caller: Caller, creator: Owner, other: Owner): Promise<string> {
  const { body } = await caller.must([200], 'POST', `${CLIENT}/createRoom`, {
    token: creator.token,
    body: { preset: 'public_chat' },
  });
  const roomId: string = body.room_id;
  await caller.must([200], 'POST', `${CLIENT}${path`/join/${roomId}`}`, { token: other.token, body: {} });
  return roomId;
}

/** Sends a message into a room; returns its id. */
export async function sendMessage(
  caller: Caller,
  { token }: Owner,
  roomId: string,
  txnId: string,
): Promise<string> {
  const at = `${CLIENT}${path`/rooms/${roomId}/send/m.room.message/${txnId}`}`;
  const message = { msgtype: 'm.text', body: `Message ${txnId}` };
  const { body } = await caller.must([200], 'PUT', at, { token, body: message });
  return body.event_id;
}
