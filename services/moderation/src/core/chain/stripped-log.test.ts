import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readSigningKeys } from '@steward/audit/chain';
import { systemRandom } from '@steward/kernel';
import { openCollections } from '@steward/service';
import { type Collection, openSqliteStore, type Store } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collections } from '../collections.ts';
import { type AuditChain, auditChains } from '../model/audit-chain.ts';
import type { AuditEntry } from '../model/audit-entry.ts';
import { appendEntries } from './append-entries.ts';
import type { ChainDeps } from './chain-deps.ts';
import { NO_RECORD, signingRecordIn } from './signing-record.ts';
import { verifyChain } from './verify-chain.ts';

const clock = createFakeClock();
/** How many entries were made. */
let made = 0;

let directory: string;
let file: string;
let keyFile: string;
let store: Store;
let deps: ChainDeps;
/** The chain, as someone with access to the store writes to it. */
let chains: Collection<AuditChain>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'stripped-log-'));
  file = join(directory, 'record.json');
  keyFile = join(directory, 'key.pem');
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await open();
  made = 0;
  await append(8);
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

async function open(): Promise<void> {
  store = await openSqliteStore({ path: join(directory, 'log.db') });
  chains = await store.collection(auditChains);
  deps = {
    ...(await openCollections(store, collections)),
    serverName: 'test',
    clock,
    random: systemRandom,
    sealing: async () => {},
    checkpointEntries: 3,
    signingKeys: readSigningKeys(keyFile, []),
    signingRecord: signingRecordIn(file),
  };
}

async function append(count: number, on: ChainDeps = deps): Promise<void> {
  const entries = Array.from({ length: count }, (): AuditEntry => {
    const number = String(made++).padStart(6, '0');
    return {
      _id: `${String(clock.now()).padStart(15, '0')}-${number}-x`,
      ts: clock.now(),
      action: 'user.deactivate',
      actor: `@root${number}:test`,
      acting_as: null,
      token_kind: 'device',
      device_id: null,
      address: '127.0.0.1',
      request_id: `r${number}`,
      targets: ['@a:test', `@b${number}:test`],
      request: '{}',
      request_truncated: false,
      outcome: 'ok',
      status: 200,
      errcode: null,
      task_id: null,
      ended_ts: clock.now(),
    };
  });
  await on.auditLog.insertMany(entries);
  while (await appendEntries(on));
}

const fault = async () =>
  (await verifyChain(deps, { limit: 1_000, deadlineMs: Number.POSITIVE_INFINITY })).fault;

/** Changes the file of the store as someone with access to it does. */
async function tamper(...statements: readonly string[]): Promise<void> {
  await store.close();
  const database = new DatabaseSync(join(directory, 'log.db'));
  for (const statement of statements) database.exec(statement);
  database.close();
  await open();
}

/** Removes all checkpoints and numbers, changes an entry, and appends everything again without a key. */
async function forge(): Promise<void> {
  await chains.deleteMany({});
  await deps.auditCheckpoints.deleteMany({});
  await deps.auditLog.updateMany({}, { $unset: { chain: true } });
  const [first] = await deps.auditLog.find({}, { sort: { _id: 1 }, limit: 1 }).toArray();
  await deps.auditLog.updateOne({ _id: first?._id ?? '' }, { $set: { actor: '@other:test' } });
  while (
    await appendEntries({ ...deps, signingKeys: readSigningKeys(undefined, []), signingRecord: NO_RECORD })
  );
}

describe('what the server has signed is kept outside of the store', () => {
  it('for its owner only', async () => {
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ since: 3, last: { number: 6 } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await fault()).toBeUndefined();
  });

  const stripping: Readonly<Record<string, [object, () => Promise<unknown>]>> = {
    'all signatures': [{ kind: 'signature_missing', number: 3 }, forge],
    'all signatures, before the server goes on to sign': [
      { kind: 'signature_missing', number: 3 },
      async () => {
        await forge();
        await append(4);
        expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ last: { number: 6 } });
      },
    ],
    'all checkpoints': [
      { kind: 'checkpoint_missing', number: 6 },
      async () => {
        await deps.auditCheckpoints.deleteMany({});
        await chains.updateMany({}, { $set: { checkpoint: 0 } });
      },
    ],
    'the newest checkpoint': [
      { kind: 'checkpoint_missing', number: 6 },
      async () => {
        await deps.auditCheckpoints.deleteMany({ number: 6 });
        await chains.updateMany({}, { $set: { checkpoint: 3 } });
      },
    ],
    'the signature of the first checkpoint': [
      { kind: 'signature_missing', number: 3 },
      () => deps.auditCheckpoints.updateOne({ number: 3 }, { $set: { key_id: null, signature: null } }),
    ],
    'the tail of the log': [
      { kind: 'checkpoint_missing', number: 6 },
      async () => {
        const last = await deps.auditLog.findOne({ 'chain.number': 4 });
        await deps.auditLog.deleteMany({ 'chain.number': { $gt: 4 } });
        await deps.auditCheckpoints.deleteMany({ number: 6 });
        const end = { number: 4, hash: last?.chain?.hash ?? '', checkpoint: 3 };
        await chains.updateMany({}, { $set: end });
      },
    ],
    'the whole log': [
      { kind: 'checkpoint_missing', number: 6 },
      async () => {
        await chains.deleteMany({});
        await deps.auditCheckpoints.deleteMany({});
        await deps.auditLog.deleteMany({});
      },
    ],
  };
  it.each(Object.entries(stripping))(
    'so that it is found if this was removed: %s',
    async (_, [found, strip]) => {
      await strip();
      expect(await fault()).toMatchObject(found);
    },
  );

  it('and begins with what is signed where nothing is kept', async () => {
    rmSync(file);
    await append(3);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ since: 3, last: { number: 9 } });
    writeFileSync(file, '{}');
    await expect(fault()).rejects.toThrow('is not as the server writes it');
  });
});

it.each([
  [`UPDATE "moderation.audit_log" SET ".actor" = '@other:test' WHERE ".chain.number" = 4`, 'index_changed'],
  [`UPDATE "moderation.audit_log" SET ".action" = NULL WHERE ".chain.number" = 4`, 'index_changed'],
  [`UPDATE "moderation.audit_log" SET ".outcome" = 'refused' WHERE ".chain.number" = 4`, 'index_changed'],
  [`UPDATE "moderation.audit_log" SET ".request_id" = 'other' WHERE ".chain.number" = 4`, 'index_changed'],
  [
    `UPDATE "moderation.audit_log" SET id = '000000000000001' || substr(id, 16) WHERE ".chain.number" = 4`,
    'index_changed',
  ],
  [`DELETE FROM "moderation.audit_log/list_of_target/elements" WHERE k0 = '@b000003:test'`, 'index_changed'],
  [
    `UPDATE "moderation.audit_log/list_of_target/elements" SET k2 = '@other:test' WHERE k0 = '@b000003:test'`,
    'index_changed',
  ],
  [`UPDATE "moderation.audit_log" SET ".chain.number" = 9999 WHERE ".chain.number" = 4`, 'entry_missing'],
])('finds what hides an entry from lists: %s', async (statement, kind) => {
  await tamper(statement);
  expect(await fault()).toMatchObject({ kind, number: 4 });
});
