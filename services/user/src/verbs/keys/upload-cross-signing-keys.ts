import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { UploadCrossSigningKeysRequest } from '@steward/proto/steward/user/v1/keys_pb.ts';
import { requester } from '@steward/rpc';
import { Conflict, retryOnConflict } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { requireInteractiveAuth } from '../../core/interactive-auth/require-interactive-auth.ts';
import { changeKeys } from '../../core/key-changes/change-keys.ts';
import { type CrossSigningKey, readCrossSigningKey } from '../../core/keys/read-keys.ts';
import { requireNotEmptied } from '../../core/keys/require-not-emptied.ts';
import { isSignedWith, parseObject, signaturesOf, signedContent } from '../../core/keys/signed-object.ts';
import { type CrossSigningKeys, USAGES, type Usage } from '../../core/model/cross-signing-keys.ts';
import { deviceKey } from '../../core/model/device.ts';
import { activeSession } from '../../core/sessions/active-session.ts';

/** The keys of a request, each as JSON text; null for an absent one. */
type Given = Readonly<Record<Usage, string | null>>;

/**
 * Publishes the caller's cross-signing keys (client-plane.md 7.6). The first upload needs no further
 * authentication, nor does one that changes nothing; any other upload of a user who has keys does, unless an
 * administrator has recently permitted it.
 */
export async function uploadCrossSigningKeys(
  deps: Deps,
  request: UploadCrossSigningKeysRequest,
  context: HandlerContext,
) {
  const caller = requester(context);
  const { userId } = caller;
  const { auth, present } = request;
  const given: Given = {
    master: request.masterKey ?? null,
    self_signing: request.selfSigningKey ?? null,
    user_signing: request.userSigningKey ?? null,
  };
  const resumes = auth !== undefined && USAGES.every((usage) => given[usage] === null);
  let authenticated: Given | undefined;
  await retryOnConflict(async () => {
    const { account } = await activeSession(deps, caller);
    const held = await deps.crossSigningKeys.findOne({ _id: userId });
    if (!(held && resumes) && !changes(held, readGiven(held, given, userId))) return;
    const permittedUntil = account.cross_signing_replacement_until_ms ?? 0;
    if (held && permittedUntil <= deps.clock.now())
      authenticated ??= await requireInteractiveAuth(deps, context, {
        operation: 'POST keys/device_signing/upload',
        auth,
        presentKeys: present?.paths,
        body: () => given,
      });
    const proved = authenticated ?? given;
    const keys = readGiven(held, proved, userId);
    await requireNoDevices(deps, userId, keys);
    await changeKeys(deps, userId, () => store(deps, userId, account.sessions.epoch, held, keys));
  }, deps);
  return {};
}

type Keys = Readonly<Partial<Record<Usage, CrossSigningKey>>>;

/**
 * Parses the keys of a request, which must be signed by its master key, or by the user's stored one.
 *
 * @throws refuse.missingParam when there is no master key, refuse.invalidParam or refuse.invalidSignature
 */
function readGiven(held: CrossSigningKeys | null, given: Given, userId: string): Keys {
  const keys: { [U in Usage]?: CrossSigningKey } = {};
  for (const usage of USAGES) {
    const text = given[usage];
    if (text !== null) keys[usage] = readCrossSigningKey(text, usage, userId);
  }
  const master = keys.master ?? (held && readCrossSigningKey(held.master, 'master', userId));
  if (!master) throw refuse.missingParam('There is no master key');
  for (const usage of ['self_signing', 'user_signing'] as const) {
    const key = keys[usage];
    if (!key) continue;
    const signature = signaturesOf(key.object, userId)[`ed25519:${master.publicKey}`];
    if (!isSignedWith(key.object, signature, master.publicKey))
      throw refuse.invalidSignature(`The ${usage} key is not signed by the master key`);
  }
  return keys;
}

/** Whether any of the keys differs from the stored one; a difference in signatures alone does not count. */
function changes(held: CrossSigningKeys | null, keys: Keys): boolean {
  return USAGES.some((usage) => {
    const key = keys[usage];
    const text = held?.[usage];
    return key && (!text || signedContent(parseObject(text) ?? {}) !== signedContent(key.object));
  });
}

/**
 * Requires that no device of the user has the id of a key: signatures could not distinguish the two.
 *
 * @throws refuse.invalidParam when a device has the id of a key
 */
async function requireNoDevices(deps: Deps, userId: string, keys: Keys): Promise<void> {
  const ids = Object.values(keys).map(({ publicKey }) => deviceKey(userId, publicKey));
  const device = await deps.devices.findOne({ _id: { $in: ids } }, { projection: { _id: 1 } });
  if (device) throw refuse.invalidParam('A device of yours has the id of this key');
}

/** @throws Conflict when a concurrent upload was faster */
async function store(
  deps: Deps,
  userId: string,
  epoch: number,
  held: CrossSigningKeys | null,
  { master, self_signing, user_signing }: Keys,
): Promise<void> {
  // A new master key invalidates the keys that the previous one signed.
  const kept = held && !(master && changes(held, { master })) ? held : undefined;
  const keys = {
    epoch,
    self_signing: self_signing?.text ?? kept?.self_signing ?? null,
    user_signing: user_signing?.text ?? kept?.user_signing ?? null,
    master_signatures: kept?.master_signatures ?? '{}',
  };
  if (held) {
    const { matchedCount } = await deps.crossSigningKeys.updateOne(
      { _id: userId, version: held.version },
      { $set: { ...keys, master: master?.text ?? held.master }, $inc: { version: 1 } },
    );
    if (matchedCount === 0) throw new Conflict('version');
  } else if (master) {
    await deps.crossSigningKeys
      .insertOne({ _id: userId, version: 1, ...keys, master: master.text })
      .catch((error) => {
        throw error instanceof Conflict ? new Conflict('version', { cause: error }) : error;
      });
  }
  await requireNotEmptied(deps, userId, epoch);
}
