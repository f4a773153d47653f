import type { Actor } from '@steward/testing';
import { ClientEvent, createClient, type MatrixClient } from 'matrix-js-sdk';
import { type Logger, logger } from 'matrix-js-sdk/lib/logger.js';

/** A logger of the client library that drops everything. */
export const quiet: Logger = {
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  getChild: () => quiet,
};

// Parts of the library accept no other logger.
Object.assign(logger, quiet);

/** Logs a user in with the client library, on a new device. */
export async function librarySession(baseUrl: string, user: Actor): Promise<MatrixClient> {
  const { user_id, device_id, access_token } = await createClient({ baseUrl, logger: quiet }).loginRequest({
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: user.localpart },
    password: user.password,
    initial_device_display_name: 'Library',
  });
  return createClient({
    baseUrl,
    logger: quiet,
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
