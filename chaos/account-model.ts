import type { Random } from '@steward/kernel';
import { path, registrationMac } from '@steward/testing';
import { choose, SECRET } from '@steward/topology/testing';

/** A logged-in device. Its id or its token is missing when a crash interrupted a login or a logout. */
export interface Session {
  readonly device: string | undefined;
  readonly token: string | undefined;
  /** The display name of the device. */
  readonly name: string | null;
}

/** The expected state of an account. */
export interface AccountState {
  readonly exists: boolean;
  readonly displayname: string | null;
  readonly avatarUrl: string | null;
  readonly userType: string | null;
  readonly emails: readonly string[];
  readonly externalIds: readonly string[];
  readonly admin: boolean;
  readonly locked: boolean;
  readonly deactivated: boolean;
  readonly erased: boolean;
  readonly password: string | null;
  readonly sessions: readonly Session[];
  /** The facts that its changes published, in order. */
  readonly facts: readonly string[];
}

/** An account that does not exist yet. */
export const ABSENT: AccountState = {
  exists: false,
  displayname: null,
  avatarUrl: null,
  userType: null,
  emails: [],
  externalIds: [],
  admin: false,
  locked: false,
  deactivated: false,
  erased: false,
  password: null,
  sessions: [],
  facts: [],
};

/** A request about an account. */
export interface AccountRequest {
  readonly verb: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The caller: an administrator, the holder of this token, or an anonymous one. */
  readonly by: 'admin' | 'anybody' | { readonly token: string };
}

/** A change: the request and the state of the account after it. */
export interface Change extends AccountRequest {
  /** The state after the change. */
  readonly after: AccountState;
  /** Further possible states when a crash interrupted the change. */
  readonly partialStates?: readonly AccountState[];
  /** A login at the same time; a change that ends all sessions ends its session too. */
  readonly concurrent?: AccountRequest;
}

type Maker = (state: AccountState, userId: string, fresh: (what: string) => string) => Change;

const accountPath = (userId: string) => path`/_service/admin/v2/users/${userId}`;

/** A change by PUT of the account. */
const put = (userId: string, body: Change['body'], after: AccountState): Change => ({
  verb: 'PUT',
  path: accountPath(userId),
  body,
  by: 'admin',
  after,
});

/** The most devices that one request removes. */
const MOST_REMOVED = 2;

/** Shared-secret registration needs a nonce of the server first. */
export const REGISTRATION = '/_service/admin/v1/register';

const withFact = ({ facts }: AccountState, fact: string) => [...facts, fact];
const byEmail = (address: string) => [{ medium: 'email', address }];
const byExternalId = (id: string) => [{ auth_provider: 'oidc', external_id: id }];

const create: Maker = (state, userId, fresh) => {
  const [displayname, password, email] = [fresh('name'), fresh('password'), `${fresh('mail')}@example.org`];
  return put(
    userId,
    { displayname, password, threepids: byEmail(email) },
    {
      ...state,
      exists: true,
      displayname,
      password,
      emails: [email],
      facts: withFact(state, 'user.created'),
    },
  );
};

/** Registers with the shared secret, which begins a session; see `REGISTRATION`. */
const register: Maker = (state, userId, fresh) => {
  const [password, device] = [fresh('password'), fresh('device')];
  const username = userId.slice(1, userId.indexOf(':'));
  const facts = withFact(state, 'user.created');
  const created = { ...state, exists: true, displayname: username, password, facts };
  return {
    verb: 'POST',
    path: REGISTRATION,
    body: { username, password, admin: false, device_id: device },
    by: 'anybody',
    after: { ...created, sessions: [{ device, name: null, token: undefined }] },
    partialStates: [created],
  };
};

/** The body of a registration with a nonce and its MAC. */
export function signed(body: AccountRequest['body'], nonce: string): AccountRequest['body'] {
  const { username, password } = body as { username: string; password: string };
  return { ...body, nonce, mac: registrationMac(SECRET, { nonce, username, password }) };
}

const rename: Maker = (state, userId, fresh) => {
  const displayname = fresh('name');
  return put(
    userId,
    { displayname },
    { ...state, displayname, facts: withFact(state, 'user.profile_changed') },
  );
};

/** Changes every field, so that a partial change would show. */
const rewrite: Maker = (state, userId, fresh) => {
  const [displayname, avatarUrl, password] = [
    fresh('name'),
    `mxc://test/${fresh('avatar')}`,
    fresh('password'),
  ];
  const [email, externalId] = [`${fresh('mail')}@example.org`, fresh('external')];
  const userType = state.userType === 'bot' ? 'support' : 'bot';
  const body = { displayname, avatar_url: avatarUrl, password, user_type: userType };
  return put(
    userId,
    { ...body, threepids: byEmail(email), external_ids: byExternalId(externalId) },
    {
      ...state,
      ...{ displayname, avatarUrl, password, userType },
      emails: [email],
      externalIds: [externalId],
      sessions: [],
      facts: withFact(state, 'user.profile_changed'),
    },
  );
};

const changePassword: Maker = (state, userId, fresh) => {
  const password = fresh('password');
  return put(userId, { password, logout_devices: false }, { ...state, password });
};

const resetPassword: Maker = (state, userId, fresh) => {
  const password = fresh('password');
  return {
    verb: 'POST',
    path: path`/_service/admin/v1/reset_password/${userId}`,
    body: { new_password: password },
    by: 'admin',
    after: { ...state, password, sessions: [] },
  };
};

const toggleLock: Maker = (state, userId) =>
  put(userId, { locked: !state.locked }, { ...state, locked: !state.locked });

const toggleAdmin: Maker = (state, userId) => ({
  verb: 'PUT',
  path: path`/_service/admin/v1/users/${userId}/admin`,
  body: { admin: !state.admin },
  by: 'admin',
  after: { ...state, admin: !state.admin },
});

const deactivate =
  (erase: boolean): Maker =>
  (state, userId) => ({
    verb: 'POST',
    path: path`/_service/admin/v1/deactivate/${userId}`,
    body: { erase },
    by: 'admin',
    after: {
      ...state,
      ...(erase ? { displayname: null, avatarUrl: null } : {}),
      deactivated: true,
      erased: state.erased || erase,
      password: null,
      emails: [],
      sessions: [],
      facts: withFact(state, 'user.deactivated'),
    },
  });

const reactivate: Maker = (state, userId, fresh) => {
  const password = fresh('password');
  return put(
    userId,
    { deactivated: false, password },
    { ...state, deactivated: false, erased: false, password, facts: withFact(state, 'user.reactivated') },
  );
};

/**
 * Logs in on a new device, or again on one that the account has, which ends that device's token. The new token is known
 * with the answer, see `withToken`.
 */
const login =
  (again?: Session): Maker =>
  (state, userId, fresh) => {
    const [device, name] = [again?.device ?? fresh('device'), fresh('Device')];
    const others = state.sessions.filter((session) => session !== again);
    return {
      verb: 'POST',
      path: '/_proto/client/v3/login',
      body: {
        type: 'm.login.password',
        identifier: { type: 'm.id.user', user: userId },
        password: state.password,
        device_id: device,
        initial_device_display_name: name,
      },
      by: 'anybody',
      after: {
        ...state,
        sessions: [...others, { device, name: again ? again.name : name, token: undefined }],
      },
    };
  };

/**
 * A login while all sessions are ended. When the server crashes before it has undone the login, a device without a valid
 * token remains.
 */
const concurrentLogin =
  (ending: Maker): Maker =>
  (state, userId, fresh) => {
    const change = ending(state, userId, fresh);
    const { after: begun, ...concurrent } = login()(state, userId, fresh);
    const stray = { ...change.after, sessions: begun.sessions.slice(-1) };
    return { ...change, partialStates: [begun, stray], concurrent };
  };

/** The state after an answered login. */
export function withToken(state: AccountState, token: string): AccountState {
  const sessions = state.sessions.map((session, index) =>
    index === state.sessions.length - 1 ? { ...session, token } : session,
  );
  return { ...state, sessions };
}

const replaced = (state: AccountState, session: Session, ...by: Session[]): AccountState => ({
  ...state,
  sessions: state.sessions.flatMap((other) => (other === session ? by : [other])),
});

/** Removes the token last, so that a client can repeat an interrupted logout. */
const logout =
  (session: Session): Maker =>
  (state) => ({
    verb: 'POST',
    path: '/_proto/client/v3/logout',
    body: {},
    by: { token: session.token ?? '' },
    after: replaced(state, session),
    partialStates: [replaced(state, session, { ...session, device: undefined })],
  });

const logoutAll =
  (session: Session): Maker =>
  (state) => ({
    verb: 'POST',
    path: '/_proto/client/v3/logout/all',
    body: {},
    by: { token: session.token ?? '' },
    after: { ...state, sessions: [] },
  });

const createDevice: Maker = (state, userId, fresh) => {
  const device = fresh('device');
  return {
    verb: 'POST',
    path: `${accountPath(userId)}/devices`,
    body: { device_id: device },
    by: 'admin',
    after: { ...state, sessions: [...state.sessions, { device, name: null, token: undefined }] },
  };
};

const renameDevice =
  (session: Session): Maker =>
  (state, userId, fresh) => {
    const name = fresh('Device');
    return {
      verb: 'PUT',
      path: path`/_service/admin/v2/users/${userId}/devices/${session.device ?? ''}`,
      body: { display_name: name },
      by: 'admin',
      after: replaced(state, session, { ...session, name }),
    };
  };

/** Removes the token of each device first, so that an interrupted removal already ends access. */
const removeDevices =
  (sessions: readonly Session[]): Maker =>
  (state, userId) => {
    const devices = sessions.map(({ device }) => device ?? '');
    const [only = ''] = devices;
    const single = {
      verb: 'DELETE',
      path: path`/_service/admin/v2/users/${userId}/devices/${only}`,
      body: {},
    };
    const several = { verb: 'POST', path: `${accountPath(userId)}/delete_devices`, body: { devices } };
    const ways = sessions.reduce<readonly AccountState[]>(
      (states, session) =>
        states.flatMap((each) => [
          each,
          replaced(each, session, { ...session, token: undefined }),
          replaced(each, session),
        ]),
      [state],
    );
    const [after = state] = ways.slice(-1);
    return {
      ...(devices.length === 1 ? single : several),
      by: 'admin',
      after,
      partialStates: ways.slice(1, -1),
    };
  };

/** A random change that is allowed in this state of the account. */
export function nextChange(
  random: Random,
  state: AccountState,
  userId: string,
  fresh: (what: string) => string,
): Change {
  return choose(random, makersFor(random, state))(state, userId, fresh);
}

/** Changes that are listed twice are chosen more often. */
function makersFor(random: Random, state: AccountState): readonly Maker[] {
  if (!state.exists) return [create, create, register];
  if (state.deactivated) return [reactivate, reactivate, deactivate(true), toggleAdmin];
  const makers = [rename, rewrite, resetPassword, changePassword, toggleAdmin, toggleLock];
  if (state.locked) return [...makers, toggleLock, deactivate(false)];
  makers.push(deactivate(false), deactivate(true), rename, login(), login(), login(), createDevice);
  if (state.password !== null) makers.push(...[resetPassword, deactivate(false)].map(concurrentLogin));
  const devices = state.sessions.filter(({ device }) => device !== undefined);
  if (devices.length > 0) {
    const device = choose(random, devices);
    makers.push(login(device), renameDevice(device), removeDevices([device]));
    makers.push(removeDevices(devices.slice(0, MOST_REMOVED)));
  }
  const holders = state.sessions.filter(({ token }) => token !== undefined);
  if (holders.length === 0) return makers;
  const holder = choose(random, holders);
  return [...makers, logout(holder), logoutAll(holder)];
}
