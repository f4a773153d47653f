import { type Client, StewardError } from '@steward/sdk';
import { CommandFailure } from '../io/exit.ts';

/** The client API, below which users log in. */
const CLIENT_API = '/_proto/client/v3';

/** The name of the device that a login makes. */
const DEVICE_NAME = 'stewardctl';

/** Logs a user in with a password and returns the access token. */
export async function logIn(
  client: Client,
  user: string,
  password: string,
  signal: AbortSignal,
): Promise<string> {
  const json = {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user },
    password,
    initial_device_display_name: DEVICE_NAME,
  };
  const response = await client.request(
    // There is no token yet, and a header of the call takes the place of the client's.
    { method: 'POST', path: `${CLIENT_API}/login`, json, headers: { authorization: '' } },
    { signal },
  );
  const { access_token: token } = (await response.json()) as { readonly access_token?: unknown };
  if (typeof token !== 'string') throw new CommandFailure('the server answers the login without a token');
  return token;
}

/** Ends a login. One that has ended already counts as ended. */
export async function logOut(client: Client, signal?: AbortSignal): Promise<void> {
  try {
    await client.request({ method: 'POST', path: `${CLIENT_API}/logout`, json: {} }, { signal });
  } catch (error) {
    if (!(error instanceof StewardError && error.status === 401)) throw error;
  }
}
