import type { Actor } from '@steward/testing';
import { silentLogger } from '@steward/testing/silent-logger';
import { ClientEvent, createClient, type MatrixClient } from 'matrix-js-sdk';
import { logger } from 'matrix-js-sdk/lib/logger.js';

// Parts of the library accept no other logger.
Object.assign(logger, silentLogger);

/** Logs a user in with the client library, on a new device. */
export async function librarySession(baseUrl: string, user: Actor): Promise<MatrixClient> {
  const { user_id, device_id, access_token } = await createClient({
    baseUrl,
    logger: silentLogger,
  }).loginRequest({
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: user.localpart },
    password: user.password,
    initial_device_display_name: 'Library',
  });
  return createClient({
    baseUrl,
    logger: silentLogger,
    userId: user_id,
    deviceId: device_id,
    accessToken: access_token,
  });
}

/** Waits until a session that synchronizes knows what is expected. */
export async function untilSynced(client: MatrixClient, knows: () => boolean): Promise<void> {
  if (knows()) return;
  await new Promise<void>((resolve) => {
    const check = () => {
      if (!knows()) return;
      client.off(ClientEvent.Sync, check);
      resolve();
    };
    client.on(ClientEvent.Sync, check);
  });
}
