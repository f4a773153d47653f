import { silentLogger } from '@steward/testing/silent-logger';
import {
  ClientEvent,
  createClient,
  EventStatus,
  IndexedDBStore,
  type MatrixClient,
  type MatrixEvent,
  MatrixEventEvent,
  RoomEvent,
  SyncState,
} from 'matrix-js-sdk';
import {
  CryptoEvent,
  type VerificationRequest,
  VerificationRequestEvent,
  type Verifier,
  VerifierEvent,
} from 'matrix-js-sdk/lib/crypto-api/index.js';
import { logger } from 'matrix-js-sdk/lib/logger.js';
import type { Device, Login, Received } from './device.ts';

// Parts of the library accept no other logger.
Object.assign(logger, silentLogger);

/** A device with matrix-js-sdk, whose encryption is that of the Rust library. */
export interface LibraryDevice extends Device {
  readonly client: MatrixClient;
  /** Creates the user's identity, and a key backup with a recovery key; returns the recovery key. */
  setUp(): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Verifies another device of the user by emoji, and that one this one; returns what each showed.
   *
   * @throws Error when the verification was cancelled: the library does so where a device is slow
   */
  verify(other: LibraryDevice): Promise<readonly string[]>;
  /** Whether the device knows the keys of another device of the user. */
  knows(deviceId: string): Promise<boolean>;
  /** Whether the user's identity has signed a device of the user. */
  hasVerified(deviceId: string): Promise<boolean>;
  /** Restores the key backup; returns how many keys it had. */
  restore(): Promise<number>;
  /** Reads all messages of a room, also those of before the device. */
  readAll(roomId: string): Promise<Received>;
  /** Says that the user begins to type, or has ended. */
  setTyping(roomId: string, isTyping: boolean): Promise<void>;
  /** The users who type in a room. */
  typing(roomId: string): Promise<readonly string[]>;
}

/** A device that is logged in. */
export interface Session extends Login {
  readonly accessToken: string;
}

/** Logs a device in. */
export async function logIn(login: Login): Promise<Session> {
  const { access_token: accessToken } = await createClient({
    baseUrl: login.url,
    logger: silentLogger,
  }).loginRequest({
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: login.userId },
    password: login.password,
    device_id: login.deviceId,
  });
  return { ...login, accessToken };
}

/**
 * Starts a device. In a browser it keeps all that it knows in the databases of the page, and goes on with it.
 *
 * @param recoveryKey of the key backup, where the user has one
 */
export async function libraryDevice(
  { url: baseUrl, userId, password, deviceId, accessToken }: Session,
  recoveryKey?: Uint8Array<ArrayBuffer>,
): Promise<LibraryDevice> {
  let key = recoveryKey;
  const { indexedDB } = globalThis as Page;
  const store = indexedDB && new IndexedDBStore({ indexedDB, dbName: 'sync' });
  const client = createClient({
    baseUrl,
    userId,
    deviceId,
    accessToken,
    logger: silentLogger,
    ...(store && { store }),
    cryptoCallbacks: {
      getSecretStorageKey: async ({ keys }) => {
        const [keyId] = Object.keys(keys);
        return keyId !== undefined && key ? [keyId, key] : null;
      },
    },
  });
  await store?.startup();
  await client.initRustCrypto({ useIndexedDB: indexedDB !== undefined });
  const crypto = client.getCrypto();
  if (!crypto) throw new Error('The library has no encryption');
  const messages = new Map<string, Map<string, MatrixEvent>>();
  const note = (event: MatrixEvent) => {
    const [roomId, id] = [event.getRoomId(), event.getId()];
    if (roomId === undefined || id === undefined) return;
    if (event.getWireType() !== 'm.room.encrypted') return;
    messages.set(roomId, (messages.get(roomId) ?? new Map()).set(id, event));
  };
  client.on(RoomEvent.Timeline, note);
  client.on(MatrixEventEvent.Decrypted, note);
  const received = async (roomId: string) => toReceived([...(messages.get(roomId)?.values() ?? [])]);
  const synced = new Promise<void>((resolve) => {
    client.on(ClientEvent.Sync, (state, _, sync) => {
      // What the store contains is older.
      if (READY.has(state) && !sync?.fromCache) resolve();
    });
  });
  await client.startClient({ initialSyncLimit: 20 });
  await synced;
  const resend = async (roomId: string): Promise<void> => {
    const room = client.getRoom(roomId);
    const unsent = room
      ?.getLiveTimeline()
      .getEvents()
      .find(({ status }) => status === EventStatus.NOT_SENT);
    if (!room || !unsent) throw new Error('There is no message to send again');
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    await client.resendEvent(unsent, room).catch(() => resend(roomId));
  };
  // The library has only weak references to verifications, and hangs when they are collected.
  const kept: unknown[] = [];
  const device: LibraryDevice = {
    id: deviceId,
    client,
    received,
    async join(roomId) {
      await client.joinRoom(roomId);
    },
    async send(roomId, text) {
      await client.sendTextMessage(roomId, text).catch(() => resend(roomId));
    },
    async recipients(roomId) {
      const room = client.getRoom(roomId);
      if (!room || !(await crypto.isEncryptionEnabledInRoom(roomId))) return [];
      const users = room.getJoinedMembers().map((member) => member.userId);
      const devices = await crypto.getUserDeviceInfo(users);
      return [...devices.values()].flatMap((ofUser) => [...ofUser.keys()]);
    },
    async setUp() {
      await crypto.bootstrapCrossSigning({
        authUploadDeviceSigningKeys: (request) =>
          request({
            type: 'm.login.password',
            identifier: { type: 'm.id.user', user: userId },
            password,
          }).then(() => {}),
      });
      const created = await crypto.createRecoveryKeyFromPassphrase();
      key = created.privateKey as Uint8Array<ArrayBuffer>;
      await crypto.bootstrapSecretStorage({
        createSecretStorageKey: async () => created,
        setupNewKeyBackup: true,
      });
      return key;
    },
    async verify(other) {
      const asked = new Promise<VerificationRequest>((resolve) => {
        other.client.once(CryptoEvent.VerificationRequestReceived, resolve);
      });
      const request = await crypto.requestOwnUserVerification();
      const theirs = await asked;
      await theirs.accept();
      await until(request, () => request.phase === PHASE.ready);
      const verifier = await request.startVerification('m.sas.v1');
      await until(theirs, () => theirs.verifier !== undefined);
      kept.push(request, theirs, verifier, theirs.verifier);
      return Promise.all([verifier, theirs.verifier].map((each) => confirm(each as Verifier)));
    },
    async knows(other) {
      const devices = await crypto.getUserDeviceInfo([userId], true);
      return devices.get(userId)?.has(other) === true;
    },
    async hasVerified(other) {
      return (await crypto.getDeviceVerificationStatus(userId, other))?.crossSigningVerified === true;
    },
    async restore() {
      await crypto.checkKeyBackupAndEnable();
      await crypto.loadSessionBackupPrivateKeyFromSecretStorage();
      return (await crypto.restoreKeyBackup()).imported;
    },
    async readAll(roomId) {
      const room = client.getRoom(roomId);
      if (!room) throw new Error(`The device does not know ${roomId}`);
      while (await client.scrollback(room, 100).then(() => room.oldState.paginationToken !== null)) {
        // Until there is nothing older.
      }
      const events = room.getLiveTimeline().getEvents();
      await Promise.all(events.map((event) => event.attemptDecryption(crypto as never).catch(() => {})));
      return toReceived(events.filter((event) => event.getWireType() === 'm.room.encrypted'));
    },
    async setTyping(roomId, isTyping) {
      await client.sendTyping(roomId, isTyping, TYPING_MS);
    },
    async typing(roomId) {
      const members = client.getRoom(roomId)?.getMembers() ?? [];
      return members.filter((member) => member.typing).map((member) => member.userId);
    },
    async close() {
      client.stopClient();
    },
  };
  return device;
}

/** What a page has, and Node has not. */
interface Page {
  readonly indexedDB?: ConstructorParameters<typeof IndexedDBStore>[0]['indexedDB'];
}

/** When the server has answered. */
const READY: ReadonlySet<SyncState> = new Set([SyncState.Prepared, SyncState.Syncing]);

/** How long a user types who does not say that they have ended, in milliseconds: longer than the story waits for it. */
const TYPING_MS = 120_000;

/** The pause before a message that could not be sent is sent again, in milliseconds. */
const RETRY_MS = 200;

/** The phases of a verification that the device waits for. */
const PHASE = { ready: 3 } as const;

function toReceived(events: readonly MatrixEvent[]): Received {
  const readable = events.filter(
    (event) => event.getType() === 'm.room.message' && !event.isDecryptionFailure(),
  );
  return {
    texts: readable.map((event) => String(event.getContent().body)),
    unreadable: events.length - readable.length,
  };
}

async function until(request: VerificationRequest, holds: () => boolean): Promise<void> {
  if (holds()) return;
  await new Promise<void>((resolve) => {
    const check = () => {
      if (!holds()) return;
      request.off(VerificationRequestEvent.Change, check);
      resolve();
    };
    request.on(VerificationRequestEvent.Change, check);
  });
}

/**
 * Confirms what a verifier shows; returns it when both sides have.
 *
 * @throws Error when the verification was cancelled
 */
async function confirm(verifier: Verifier): Promise<string> {
  let emoji = '';
  verifier.on(VerifierEvent.ShowSas, ({ sas, confirm }) => {
    emoji = (sas.emoji ?? []).map(([symbol]) => symbol).join(' ');
    void confirm();
  });
  const cancelled = new Promise<never>((_, reject) => {
    verifier.on(VerifierEvent.Cancel, () => reject(new Error('The verification was cancelled')));
  });
  await Promise.race([verifier.verify(), cancelled]);
  return emoji;
}
