import { type HttpRequest, type Reply, sendHttp } from './http.ts';
import { path } from './path.ts';
import { type MacInput, registrationMac } from './registration-mac.ts';
import type { RunningSetup, Seed, Setup, SetupOptions } from './setup.ts';

const REGISTER = '/_service/admin/v1/register';

/** A logged-in user. */
export interface Actor {
  readonly userId: string;
  readonly localpart: string;
  readonly password: string;
  readonly token: string;
  readonly deviceId: string;
  /** These send a request with the token of the user. */
  readonly get: Send;
  readonly post: Send;
  readonly put: Send;
  readonly delete: Send;
}

/** Sends a request to a path. */
export type Send = <Body = Record<string, unknown>>(
  path: string,
  request?: HttpRequest,
) => Promise<Reply<Body>>;

/** An account to register with the shared secret. */
export interface Registration extends Omit<MacInput, 'nonce'> {
  readonly displayname?: string;
}

/** A running set-up as a test uses it: a server, reached over HTTP, and its users. */
export class World {
  readonly #setup: Setup;
  readonly #options: SetupOptions;
  #running: RunningSetup | undefined;
  #admin: Actor | undefined;
  #names = 0;

  constructor(setup: Setup, options: SetupOptions = {}) {
    this.#setup = setup;
    this.#options = options;
  }

  /** Starts the server and, if registration with the secret is on, creates `admin`. */
  async start(): Promise<void> {
    this.#running = await this.#setup.start(this.#options);
    if (this.#running.sharedSecret) this.#admin = await this.user('admin', { admin: true });
  }

  /** The running set-up. Throws before `start` and after `close`. */
  get running(): RunningSetup {
    if (!this.#running) throw new Error('The world is not running');
    return this.#running;
  }

  /** A server administrator. Throws when registration with the secret is off. */
  get admin(): Actor {
    if (!this.#admin) throw new Error('This world has no administrator');
    return this.#admin;
  }

  /** The name of the server. */
  get serverName(): string {
    return this.running.serverName;
  }

  /** Writes states that no request can create; `undefined` where the set-up cannot. */
  get seed(): Seed | undefined {
    return this.running.seed;
  }

  /** Advances the server's clock by milliseconds; `undefined` where the set-up cannot. */
  get moveClock(): ((ms: number) => void) | undefined {
    return this.running.moveClock;
  }

  /** Sends a request and waits for its answer. */
  http<Body = Record<string, unknown>>(
    verb: string,
    path: string,
    request?: HttpRequest,
  ): Promise<Reply<Body>> {
    return sendHttp<Body>(this.running.url, verb, path, request);
  }

  /** An unused localpart: `name` and a number. Localparts of one name sort in the order of their creation. */
  freshName(name = 'user'): string {
    this.#names++;
    return `${name}-${String(this.#names).padStart(6, '0')}`;
  }

  /** The id of a user of this server. */
  userId(localpart: string): string {
    return `@${localpart}:${this.serverName}`;
  }

  /** Registers an account with the shared secret. */
  async register<Body = Record<string, unknown>>(registration: Registration): Promise<Reply<Body>> {
    const { userType, ...fields } = registration;
    const { nonce } = (await this.http<{ nonce: string }>('GET', REGISTER)).body;
    const mac = registrationMac(this.running.sharedSecret ?? '', { ...registration, nonce });
    const body = { ...fields, nonce, user_type: userType, mac };
    return this.http<Body>('POST', REGISTER, { body });
  }

  /** A new user with a password, logged in. The localpart is `name` and a number. */
  async user(name?: string, init: Partial<Omit<Registration, 'username'>> = {}): Promise<Actor> {
    const localpart = this.freshName(name);
    const password = init.password ?? `secret of ${localpart}`;
    const { body } = expectSuccess(
      await this.register<{ user_id: string; access_token: string; device_id: string }>({
        ...init,
        username: localpart,
        password,
      }),
    );
    return this.actor({
      userId: body.user_id,
      localpart,
      password,
      token: body.access_token,
      deviceId: body.device_id,
    });
  }

  /** A new guest, logged in; the server must admit guests. */
  async guest(): Promise<Actor> {
    const { body } = expectSuccess(
      await this.http<{ user_id: string; access_token: string; device_id: string }>(
        'POST',
        '/_proto/client/v3/register?kind=guest',
        { body: {} },
      ),
    );
    const { user_id: userId, access_token: token, device_id: deviceId } = body;
    return this.actor({ userId, localpart: '', password: '', token, deviceId });
  }

  /** Logs a user in with the password, on a new device. */
  async login(user: Actor): Promise<Actor> {
    const { body } = expectSuccess(
      await this.http<{ access_token: string; device_id: string }>('POST', '/_proto/client/v3/login', {
        body: {
          type: 'm.login.password',
          identifier: { type: 'm.id.user', user: user.userId },
          password: user.password,
        },
      }),
    );
    return this.actor({ ...user, token: body.access_token, deviceId: body.device_id });
  }

  /** Creates an account without a password, as the administrator, and returns its id. `fields` as in PUT. */
  async account(name?: string, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const userId = this.userId(this.freshName(name));
    expectSuccess(await this.admin.put(path`/_service/admin/v2/users/${userId}`, { body: fields }));
    return userId;
  }

  /** A user with an existing token. */
  actor(user: Omit<Actor, 'get' | 'post' | 'put' | 'delete'>): Actor {
    const send =
      (verb: string): Send =>
      <Body>(path: string, request?: HttpRequest) =>
        this.http<Body>(verb, path, { token: user.token, ...request });
    return { ...user, get: send('GET'), post: send('POST'), put: send('PUT'), delete: send('DELETE') };
  }

  /** Resolves when all effects of the answered requests have been applied. */
  whenIdle(): Promise<void> {
    return this.running.whenIdle();
  }

  /** Restarts the server on the same data, with `options` instead of the original ones. */
  async restart(options: SetupOptions = this.#options): Promise<void> {
    this.#running = await this.running.restart(options);
  }

  /** Stops the server and removes its data. */
  async close(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }
}

/** Throws when a request that prepares a test was refused. */
function expectSuccess<Body>(reply: Reply<Body>): Reply<Body> {
  if (reply.status >= 300) throw new Error(`Refused with ${reply.status}: ${reply.text}`);
  return reply;
}
