import { registrationMac, sendHttp } from '@steward/testing';
import { SECRET } from '@steward/topology/testing';

const REGISTER = '/_service/admin/v1/register';

/** An account that was registered with the shared secret. */
export interface Account {
  readonly userId: string;
  readonly token: string;
  readonly password: string;
}

/**
 * Registers an account with the shared secret.
 *
 * @throws Error when the server refuses it
 */
export async function register(url: string, username: string, admin = false): Promise<Account> {
  const { nonce } = (await sendHttp<{ nonce: string }>(url, 'GET', REGISTER)).body;
  const password = `the password of ${username}`;
  const account = { nonce, username, password, admin };
  const { body, text } = await sendHttp<{ user_id?: string; access_token?: string }>(url, 'POST', REGISTER, {
    body: { ...account, mac: registrationMac(SECRET, account) },
  });
  if (body?.access_token === undefined || body.user_id === undefined) {
    throw new Error(`The server did not register ${username}: ${text}`);
  }
  return { userId: body.user_id, token: body.access_token, password };
}
