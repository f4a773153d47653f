import { registrationMac } from '@steward/user';

/** The account to create, and the server to create it on. */
export interface Registration {
  /** The URL at which the server listens. */
  readonly url: string;
  readonly secret: string;
  readonly username: string;
  readonly password: string;
  readonly admin: boolean;
  readonly displayname?: string | undefined;
  readonly userType?: string | undefined;
}

/**
 * Creates an account through the public registration endpoints: requests a nonce, and proves knowledge of the
 * secret with a MAC. It creates no session.
 *
 * @throws Error with the server's error message, or when no server answers
 */
export async function registerAccount(registration: Registration): Promise<{ readonly userId: string }> {
  const { url, secret, username, password, admin, displayname, userType } = registration;
  const endpoint = endpointOf(url);
  const { nonce } = await call<{ nonce: string }>(endpoint, { method: 'GET' });
  const body = {
    nonce,
    username,
    password,
    admin,
    mac: registrationMac(secret, { nonce, username, password, admin, userType }),
    inhibit_login: true,
    ...(displayname === undefined ? {} : { displayname }),
    ...(userType === undefined ? {} : { user_type: userType }),
  };
  const { user_id: userId } = await call<{ user_id: string }>(endpoint, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return { userId };
}

function endpointOf(url: string): URL {
  try {
    return new URL('/_service/admin/v1/register', url);
  } catch {
    throw new Error(`${url} is not the URL of a server, such as http://127.0.0.1:8008.`);
  }
}

async function call<T>(endpoint: URL, init: { method: string; body?: string }): Promise<T> {
  let response: Response;
  try {
    response = await fetch(endpoint, init);
  } catch {
    throw new Error(`No server answers at ${endpoint.origin}. Start it with npm start.`);
  }
  let answer: T & { error?: string };
  try {
    answer = (await response.json()) as typeof answer;
  } catch {
    throw new Error(`What answers at ${endpoint.origin} is not a steward server.`);
  }
  if (!response.ok) throw new Error(answer.error ?? `The server answered ${response.status}`);
  return answer;
}
