import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { entryId } from '@steward/audit';
import { readSigningKeys, type SigningKeys, type Trusted, verifyExport } from '@steward/audit/chain';
import { systemRandom } from '@steward/kernel';
import { AuditRecordedSchema } from '@steward/proto/steward/event/v1/audit_pb.ts';
import { openCollections } from '@steward/service';
import type { Collection, Doc, Store } from '@steward/store';
import { type CrashPoint, crashableStore, explain, type OwnStore, stores } from '@steward/store/testing';
import { createFakeClock, dueRuns } from '@steward/testing';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { onAuditRecorded } from '../../events/on-audit-recorded.ts';
import { collections } from '../collections.ts';
import { type AuditChain, auditChains } from '../model/audit-chain.ts';
import { auditCheckpoints, checkpointId } from '../model/audit-checkpoint.ts';
import { type AuditEntry, auditLog } from '../model/audit-entry.ts';
import { sweepAuditLog } from '../sweep-audit-log.ts';
import { appendEntries, sealEntries } from './append-entries.ts';
import type { ChainDeps } from './chain-deps.ts';
import { exportChain } from './export-chain.ts';
import { NO_RECORD } from './signing-record.ts';
import { verifyChain } from './verify-chain.ts';

/** What it proves. */
const GUARDS = ['services/moderation/src/core/chain/'];

const CRASH_POINTS: readonly CrashPoint[] = ['before', 'during', 'after'];
const DAY_MS = 24 * 60 * 60_000;
const OUTCOME_WAIT_MS = 5 * 60_000;
const NO_KEYS = readSigningKeys(undefined, []);

let keys: { readonly old: SigningKeys; readonly current: SigningKeys; readonly foreign: SigningKeys };
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'audit-chain-'));
  const make = async (name: string) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const [secret, open] = [join(directory, `${name}.pem`), join(directory, `${name}.pub.pem`)];
    await writeFile(secret, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await writeFile(open, publicKey.export({ type: 'spki', format: 'pem' }));
    return { secret, open };
  };
  const [old, current, foreign] = [await make('old'), await make('current'), await make('foreign')];
  keys = {
    old: readSigningKeys(old.secret, []),
    current: readSigningKeys(current.secret, [old.open]),
    foreign: readSigningKeys(foreign.secret, []),
  };
});
afterAll(() => rm(directory, { recursive: true }));

const clock = createFakeClock();

/** The ids of entries that were to be sealed. */
const sealed: string[] = [];

const depsOn = async (
  store: Store,
  checkpointEntries = 3,
  signingKeys = keys.current,
  signingRecord = NO_RECORD,
): Promise<ChainDeps> => ({
  ...(await openCollections(store, collections)),
  serverName: 'test',
  clock,
  random: systemRandom,
  sealing: async (entries) => void sealed.push(...entries.map(({ _id }) => _id)),
  checkpointEntries,
  signingKeys,
  signingRecord,
});

let entriesMade = 0;
const entry = (fields: Partial<AuditEntry> = {}): AuditEntry => ({
  _id: entryId(clock.now(), entriesMade++, systemRandom),
  ts: clock.now(),
  action: 'user.deactivate',
  actor: '@root:test',
  acting_as: null,
  token_kind: 'device',
  device_id: null,
  address: '127.0.0.1',
  request_id: 'r',
  targets: ['@a:test', '\u{1F9F9}'],
  request: '{"a":"\\ud83e"}',
  request_truncated: false,
  outcome: 'ok',
  status: 200,
  errcode: null,
  task_id: null,
  ended_ts: clock.now(),
  ...fields,
});

const appendAll = async (deps: ChainDeps) => {
  do await sealEntries(deps);
  while (await appendEntries(deps));
};

const verify = (deps: ChainDeps, after?: number, limit = 1_000) =>
  verifyChain(deps, { after, limit, deadlineMs: Number.POSITIVE_INFINITY });

const exported = async (deps: ChainDeps, range = {}) =>
  (await Array.fromAsync(exportChain(deps, range))).map((line) => JSON.stringify(line));

async function* given(lines: readonly string[]) {
  yield* lines;
}

const trusted = (signingKeys: SigningKeys, more: Partial<Trusted> = {}): Trusted => ({
  keys: signingKeys.publicKeys,
  signedSince: Number.POSITIVE_INFINITY,
  maxUnsignedMs: Number.POSITIVE_INFINITY,
  ...more,
});

const verifyLines = (lines: readonly string[]) => verifyExport(given(lines), trusted(keys.current));

describe.each(stores)('the hash chain of the audit log $title', ({ missing, remote, open }) => {
  let own: OwnStore;
  let store: Store;
  let deps: ChainDeps;
  /** The collections, as an attacker with access to the store writes to them. */
  let raw: {
    readonly log: Collection<AuditEntry>;
    readonly chain: Collection<AuditChain>;
    readonly checkpoints: Collection<Doc & Record<string, unknown>>;
  };
  beforeEach(async () => {
    if (missing) return;
    own = await open();
    store = own.store;
    deps = await depsOn(store);
    raw = {
      log: await store.collection(auditLog),
      chain: await store.collection(auditChains),
      checkpoints: (await store.collection(auditCheckpoints)) as never,
    };
  });
  afterEach(() => own?.drop());

  const place = (number: number) => raw.log.findOne({ 'chain.number': number }) as Promise<AuditEntry>;

  it.skipIf(missing)('numbers entries without gaps, and has a checkpoint every few entries', async () => {
    deps = await depsOn(store, 30);
    expect(await verify(deps)).toMatchObject({ entries: 0, reachedEnd: true });
    const entries = Array.from({ length: 130 }, () => entry());
    await raw.log.insertMany(entries);
    await appendAll(deps);
    expect((await verify(deps)).fault).toBeUndefined();
    expect(await verify(deps)).toMatchObject({ entries: 130, checkpoints: 4, signed: 4, reachedEnd: true });
    const stored = await raw.log.find({}, { sort: { 'chain.number': 1 } }).toArray();
    expect(stored.map(({ _id }) => _id)).toEqual(entries.map(({ _id }) => _id).sort());
    expect(stored.map(({ chain }) => chain?.number)).toEqual(entries.map((_, index) => index + 1));

    // In parts, each of which starts where the one before ended.
    let after = 0;
    for (let parts = 0; ; parts++) {
      const part = await verify(deps, after, 50);
      expect(part.fault).toBeUndefined();
      after = part.last.number;
      if (part.reachedEnd) {
        expect({ after, parts }).toEqual({ after: 130, parts: 2 });
        break;
      }
    }
    await expect(verify(deps, 131)).rejects.toThrow('The last number of the audit log is 130');
  });

  it.skipIf(missing)('makes checkpoints daily and on demand, one for each number', async () => {
    await raw.log.insertOne(entry());
    await appendAll(deps);
    expect((await verify(deps)).checkpoints).toBe(0);
    clock.advance(DAY_MS);
    await appendAll(deps);
    expect((await verify(deps)).checkpoints).toBe(1);
    await appendEntries(deps, { checkpoint: true });
    expect((await verify(deps)).checkpoints).toBe(1);
    await raw.log.insertOne(entry());
    await appendEntries(deps, { checkpoint: true });
    expect(await verify(deps)).toMatchObject({ checkpoints: 2, reachedEnd: true });
    // The clock was set back since the last one.
    await raw.chain.updateOne({ _id: 'audit_log' }, { $set: { checkpoint_ts: clock.now() + DAY_MS } });
    await raw.log.insertOne(entry());
    await appendAll(deps);
    expect((await verify(deps)).checkpoints).toBe(3);
  });

  it.skipIf(missing)('waits for outcomes for some minutes, and seals entries that have none', async () => {
    const open = entry({ outcome: 'unknown', chain: { received_ts: clock.now() } });
    await raw.log.insertMany([open, entry()]);
    await appendAll(deps);
    expect((await raw.log.findOne({ _id: open._id }))?.chain?.number).toBeUndefined();
    clock.advance(OUTCOME_WAIT_MS);
    await appendAll(deps);
    expect((await raw.log.findOne({ _id: open._id }))?.chain).toMatchObject({ number: 2, sealed: true });
    expect(sealed).toContain(open._id);
    expect((await verify(deps)).fault).toBeUndefined();
  });

  it.skipIf(missing)('waits as well for outcomes of entries that an earlier release stores', async () => {
    const open = entry({ outcome: 'unknown' });
    await raw.log.insertOne(open);
    await appendAll(deps);
    expect((await raw.log.findOne({ _id: open._id }))?.chain).toBeUndefined();
    clock.advance(OUTCOME_WAIT_MS);
    await appendAll(deps);
    expect((await raw.log.findOne({ _id: open._id }))?.chain?.number).toBe(1);
  });

  it.skipIf(missing)('seals entries that were stored while the clock was ahead', async () => {
    const open = entry({ outcome: 'unknown', chain: { received_ts: clock.now() + DAY_MS } });
    await raw.log.insertOne(open);
    await appendAll(deps);
    expect((await raw.log.findOne({ _id: open._id }))?.chain?.number).toBe(1);
  });

  it.skipIf(missing)(
    'stays one chain if two processes append and crash at any call',
    { timeout: 240_000 },
    async () => {
      const scenario = fc.record({
        entries: fc.integer({ min: 1, max: 8 }),
        calls: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 }),
        point: fc.constantFrom(...CRASH_POINTS),
      });
      await fc.assert(
        fc.asyncProperty(scenario, async ({ entries, calls, point }) => {
          const before = (await raw.log.find({}).toArray()).length;
          await raw.log.insertMany(Array.from({ length: entries }, () => entry()));
          for (const call of calls) {
            const crashable = crashableStore(store);
            const crashing = await depsOn(crashable.store);
            crashable.crashAt(call, point);
            await Promise.all([appendAll(crashing).catch(() => {}), appendAll(deps)]);
          }
          await appendAll(await depsOn(store));
          const found = await verify(deps);
          expect(found.fault).toBeUndefined();
          expect(found).toMatchObject({ entries: before + entries, reachedEnd: true });
        }),
        { numRuns: dueRuns(remote ? 6 : 60, 'crashes of the chain', GUARDS) },
      );
    },
  );

  it.skipIf(missing)('keeps outcomes that arrive while their entries are sealed and appended', async () => {
    const recording = {
      ...deps,
      feedAppender: { append: async () => false, close: async () => {} },
      capabilities: { insertsAlongCommit: false },
    };
    for (let round = 0; round < (remote ? 3 : 20); round++) {
      const chain = { received_ts: clock.now() - OUTCOME_WAIT_MS };
      const open = Array.from({ length: 4 }, () => entry({ outcome: 'unknown', status: null, chain }));
      await raw.log.insertMany(open);
      const end = ({ _id, ts }: AuditEntry) =>
        onAuditRecorded(
          recording,
          create(AuditRecordedSchema, { entryId: _id, outcome: 'ok', status: 200 }),
          ts,
        );
      await Promise.all([appendAll(deps), ...open.map(end), appendAll(await depsOn(store))]);
      await appendAll(deps);
      expect((await verify(deps)).fault).toBeUndefined();
      for (const { _id } of open) {
        const [first, amending] = [
          await raw.log.findOne({ _id }),
          await raw.log.findOne({ _id: `${_id}-amended`, amends: _id }),
        ];
        expect([first?.outcome, amending?.outcome]).toContain('ok');
        expect(first?.outcome === 'unknown').toBe(amending !== null);
      }
    }
    expect((await verify(deps)).entries).toBe(await raw.log.countDocuments({}));
  });

  it.skipIf(missing)('completes what a process had committed when it crashed', async () => {
    for (let call = 1; call <= (remote ? 6 : 14); call++) {
      for (const point of CRASH_POINTS) {
        await raw.log.insertMany([entry(), entry()]);
        const crashable = crashableStore(store);
        const crashing = await depsOn(crashable.store);
        crashable.crashAt(call, point);
        await appendAll(crashing).catch(() => {});
        // Without another append: reading the chain completes it.
        expect((await verify(deps)).fault, `crashed ${point} call ${call}`).toBeUndefined();
      }
    }
    await appendAll(deps);
    expect((await verify(deps)).entries).toBe(await raw.log.countDocuments({}));
  });

  const tampering: Readonly<Record<string, [expected: object, tamper: () => Promise<unknown>]>> = {
    'an entry was changed': [
      { kind: 'entry_changed', number: 4 },
      async () => raw.log.updateOne({ 'chain.number': 4 }, { $set: { actor: '@other:test' } }),
    ],
    'an entry has a further field': [
      { kind: 'entry_changed', number: 4 },
      async () => raw.log.updateOne({ 'chain.number': 4 }, { $set: { attempts: 1 } }),
    ],
    'an entry was dropped': [
      { kind: 'entry_missing', number: 5 },
      async () => raw.log.deleteOne({ 'chain.number': 5 }),
    ],
    'an entry has lost its number': [
      { kind: 'entry_missing', number: 5 },
      async () => raw.log.updateOne({ 'chain.number': 5 }, { $unset: { chain: true } }),
    ],
    'two entries were swapped': [
      { kind: 'entry_changed', number: 2 },
      async () => {
        const [two, six] = [await place(2), await place(6)];
        await raw.log.updateOne({ _id: two._id }, { $set: { chain: six.chain ?? {} } });
        await raw.log.updateOne({ _id: six._id }, { $set: { chain: two.chain ?? {} } });
      },
    ],
    'two entries have one number': [
      { kind: 'entry_duplicated', number: 3 },
      async () => raw.log.updateOne({ 'chain.number': 6 }, { $set: { 'chain.number': 3 } }),
    ],
    'an entry was inserted between two': [
      { kind: 'entry_changed', number: 4 },
      async () =>
        raw.log.updateOne(
          { 'chain.number': 4 },
          { $set: { 'chain.hash': (await place(5)).chain?.hash ?? '' } },
        ),
    ],
    'an entry was appended': [
      { kind: 'entry_appended', number: 8 },
      async () => raw.log.insertOne(entry({ chain: { number: 8, hash: '0' } })),
    ],
    'the last entry was dropped': [
      { kind: 'entry_missing', number: 7 },
      async () => raw.log.deleteOne({ 'chain.number': 7 }),
    ],
    'the last entries were dropped, and the end moved back': [
      { kind: 'head_changed', number: 6 },
      async () => {
        await raw.log.deleteMany({ 'chain.number': { $gte: 6 } });
        const hash = (await place(5)).chain?.hash ?? '';
        await raw.chain.updateOne({ _id: 'audit_log' }, { $set: { number: 5, hash, checkpoint: 3 } });
      },
    ],
    'the end was changed': [
      { kind: 'head_changed', number: 7 },
      async () => raw.chain.updateOne({ _id: 'audit_log' }, { $set: { hash: '0'.repeat(64) } }),
    ],
    'the end was removed': [
      { kind: 'head_missing', number: 1 },
      async () => raw.chain.deleteOne({ _id: 'audit_log' }),
    ],
    'a checkpoint was dropped': [
      { kind: 'checkpoint_missing', number: 3 },
      async () => raw.checkpoints.deleteOne({ _id: checkpointId(3) }),
    ],
    'the last checkpoint was dropped': [
      { kind: 'checkpoint_missing', number: 6 },
      async () => raw.checkpoints.deleteOne({ _id: checkpointId(6) }),
    ],
    'a checkpoint was moved': [
      { kind: 'checkpoint_changed', number: 4 },
      async () => raw.checkpoints.updateOne({ _id: checkpointId(3) }, { $set: { number: 4 } }),
    ],
    'the time of a checkpoint was changed': [
      { kind: 'signature_invalid', number: 3 },
      async () => raw.checkpoints.updateOne({ _id: checkpointId(3) }, { $set: { newest_ts: 1 } }),
    ],
    'a signature was removed': [
      { kind: 'signature_missing', number: 6 },
      async () =>
        raw.checkpoints.updateOne({ _id: checkpointId(6) }, { $set: { signature: null, key_id: null } }),
    ],
    'a signature was changed': [
      { kind: 'signature_invalid', number: 3 },
      async () => raw.checkpoints.updateOne({ _id: checkpointId(3) }, { $set: { signature: 'AAAA' } }),
    ],
    'a checkpoint was signed with another key': [
      { kind: 'key_unknown', number: 3 },
      async () => {
        const { _id, ...content } =
          (await deps.auditCheckpoints.findOne({ _id: checkpointId(3) })) ?? ({} as never);
        const key_id = keys.foreign.keyId;
        const signature = keys.foreign.sign('test', { ...content, key_id });
        await raw.checkpoints.updateOne({ _id }, { $set: { key_id, signature } });
      },
    ],
    'the first entries were dropped, as if they were past their retention': [
      { kind: 'signature_missing', number: 3 },
      async () => {
        await raw.log.deleteMany({ 'chain.number': { $lte: 3 } });
        await raw.chain.updateOne({ _id: 'audit_log' }, { $set: { cut: 3 } });
      },
    ],
    'the server was made to drop the first entries, by a changed time': [
      { kind: 'signature_missing', number: 3 },
      async () => {
        const set = (newest_ts: number) =>
          raw.checkpoints.updateOne({ _id: checkpointId(3) }, { $set: { newest_ts } });
        await set(-1);
        await sweepAuditLog({ ...deps, auditRetentionMs: clock.now() });
        expect(await raw.log.countDocuments({})).toBe(4);
        await set(clock.now());
      },
    ],
    'more entries were dropped than the server has removed': [
      { kind: 'signature_invalid', number: 6 },
      async () => {
        await raw.checkpoints.updateOne({ _id: checkpointId(6) }, { $set: { newest_ts: clock.now() + 1 } });
        await sweepAuditLog({ ...deps, auditRetentionMs: -1 });
        expect((await raw.chain.findOne({}))?.cut).toBe(3);
        await raw.log.deleteMany({ 'chain.number': { $lte: 6 } });
        await raw.chain.updateOne({ _id: 'audit_log' }, { $set: { cut: 6 } });
      },
    ],
    'everything from an entry on was hashed again': [
      { kind: 'checkpoint_changed', number: 6 },
      async () => {
        // The last entries, with the end, by the code of the server; the checkpoint behind them stays.
        await raw.log.updateOne({ 'chain.number': 4 }, { $set: { actor: '@other:test' } });
        await raw.log.updateMany({ 'chain.number': { $gte: 4 } }, { $unset: { chain: true } });
        const hash = (await place(3)).chain?.hash ?? '';
        await raw.chain.updateOne({ _id: 'audit_log' }, { $set: { number: 3, hash, checkpoint: 3 } });
        await appendAll(await depsOn(store, 3, keys.foreign));
      },
    ],
  };

  // What verification finds does not depend on the engine.
  it.skipIf(missing || remote).each(Object.entries(tampering))(
    'verification names it: %s',
    async (title, [expected, tamper]) => {
      await raw.log.insertMany(Array.from({ length: 7 }, () => entry()));
      await appendAll(deps);
      expect((await verify(deps)).fault).toBeUndefined();
      await tamper();
      const { fault } = await verify(deps);
      expect(fault).toMatchObject(expected);
      // The same by the export, except for what only the store has: its end.
      const found = await exported(deps).then(verifyLines, () => undefined);
      const isOfStore =
        ['entry_appended', 'head_missing'].includes(fault?.kind ?? '') ||
        /moved back$|first entries|has removed$/.test(title);
      if (!isOfStore) expect(found?.fault?.message).toBe(fault?.message);
    },
  );

  it.skipIf(missing)('keeps verifying while a removal is killed at any call', async () => {
    const made = clock.now();
    for (let call = 1; call <= (remote ? 4 : 10); call++) {
      for (const point of CRASH_POINTS) {
        await raw.log.insertMany(Array.from({ length: 5 }, () => entry()));
        await appendAll(deps);
        clock.advance(1_000);
        const crashable = crashableStore(store);
        const crashing = { ...(await depsOn(crashable.store)), auditRetentionMs: 500 };
        crashable.crashAt(call, point);
        await sweepAuditLog(crashing).catch(() => {});
        const about = `crashed ${point} call ${call}`;
        expect((await verify(deps)).fault, about).toBeUndefined();
        await exported(deps).then(
          async (lines) => expect((await verifyLines(lines)).fault, about).toBeUndefined(),
          (error) => expect(error.message).toMatch(/has the numbers/),
        );
      }
    }
    expect(clock.now()).toBeGreaterThan(made);
    await sweepAuditLog({ ...deps, auditRetentionMs: 0 });
    await sweepAuditLog({ ...deps, auditRetentionMs: -1 });
    // All up to the last checkpoint, which stays, are gone.
    const rest = await raw.log.find({}, { sort: { 'chain.number': 1 } }).toArray();
    expect(rest.length).toBeLessThan(3);
    expect(await deps.auditCheckpoints.countDocuments({})).toBe(1);
    expect(await verify(deps)).toMatchObject({ entries: rest.length, checkpoints: 1, reachedEnd: true });
    await raw.checkpoints.deleteMany({});
    expect((await verify(deps)).fault?.kind).toBe('checkpoint_missing');
  });

  it.skipIf(missing)('does not remove entries that are within their retention', async () => {
    await raw.log.insertMany([entry(), entry(), entry()]);
    await appendAll(deps);
    clock.advance(1_000);
    await raw.log.insertMany([entry(), entry(), entry(), entry()]);
    await appendAll(deps);
    await sweepAuditLog({ ...deps, auditRetentionMs: 999 });
    expect(
      (await raw.log.find({}, { sort: { _id: 1 } }).toArray()).map(({ chain }) => chain?.number),
    ).toEqual([4, 5, 6, 7]);
    await sweepAuditLog({ ...deps, auditRetentionMs: 1_000 });
    expect(await raw.log.countDocuments({})).toBe(4);
  });

  it.skipIf(missing)('accepts former keys, and names keys that it does not know', async () => {
    const make = async (signingKeys: SigningKeys) => {
      await raw.log.insertMany([entry(), entry(), entry()]);
      await appendAll(await depsOn(store, 3, signingKeys));
    };
    await make(NO_KEYS);
    await make(keys.old);
    await make(keys.current);
    expect(await verify(deps)).toMatchObject({ checkpoints: 3, signed: 2, reachedEnd: true });
    const found = await verifyLines(await exported(deps));
    expect(found).toMatchObject({ entries: 9, checkpoints: 3, signed: 2, signedUpTo: 9 });
    expect(found.fault).toBeUndefined();
    expect((await verify({ ...deps, signingKeys: keys.old })).fault).toMatchObject({
      kind: 'key_unknown',
      number: 9,
    });
    await make(NO_KEYS);
    const missingSignature = { kind: 'signature_missing', number: 12 };
    expect((await verify(deps)).fault).toMatchObject(missingSignature);
    // Also by a part that begins behind the last signature.
    expect((await verify(deps, 10)).fault).toMatchObject(missingSignature);
    expect((await verifyLines(await exported(deps, { from: 11 }))).fault?.message).toMatch(
      /has no signature/,
    );
    expect((await verify(deps, 1, 5)).fault).toBeUndefined();
  });

  it.skipIf(missing)('ends an export during which retention removes checkpoints', async () => {
    await raw.log.insertMany(Array.from({ length: 9 }, () => entry()));
    await appendAll(deps);
    clock.advance(1_000);
    const sweeping = new Proxy(deps.auditLog, {
      get: (log, name: keyof typeof deps.auditLog) =>
        name !== 'find'
          ? (log[name] as () => unknown).bind(log)
          : (...args: Parameters<typeof log.find>) => ({
              async toArray() {
                const found = await log.find(...args).toArray();
                await sweepAuditLog({ ...deps, auditRetentionMs: 500 });
                return found;
              },
            }),
    });
    await expect(exported({ ...deps, auditLog: sweeping })).rejects.toThrow(
      'removed while they were exported',
    );
  });

  it.skipIf(missing)('exports ranges, and recognises exports that were cut off or changed', async () => {
    await raw.log.insertMany(Array.from({ length: 450 }, () => entry()));
    const few = await depsOn(store, 100);
    await appendAll(few);
    const spans: number[] = [];
    const watching = new Proxy(few.auditLog, {
      get: (log, name: keyof typeof few.auditLog) =>
        name !== 'find'
          ? (log[name] as () => unknown).bind(log)
          : (...[filter, options]: Parameters<typeof log.find>) => {
              const { $gt, $gte = $gt, $lte } = filter['chain.number'] as Record<string, number>;
              spans.push(($lte ?? Number.NaN) - ($gte ?? Number.NaN));
              return log.find(filter, options);
            },
    });
    const whole = await exported({ ...few, auditLog: watching });
    // Some engines sort all that a query matches.
    expect(spans).toEqual([200, 200, 50]);
    expect(await verifyLines(whole)).toMatchObject({
      entries: 450,
      first: 1,
      checkpoints: 4,
      signedUpTo: 400,
    });
    for (const [range, entries, checkpoints] of [
      [{ from: 101, to: 250 }, 150, 2],
      [{ from: 150 }, 301, 3],
      [{ to: 1 }, 1, 0],
      [{ from: 450, to: 9_999 }, 1, 0],
    ] as const) {
      const found = await verifyLines(await exported(few, range));
      expect(found.fault, JSON.stringify(range)).toBeUndefined();
      expect(found).toMatchObject({ entries, checkpoints });
    }
    await expect(exported(few, { from: 451 })).rejects.toThrow('has the numbers 1 to 450');
    await expect(exported(few, { from: 5, to: 4 })).rejects.toThrow('has the numbers 1 to 450');

    const faultOf = async (lines: readonly string[]) => (await verifyLines(lines)).fault;
    const without = (line: number) => whole.filter((_, index) => index !== line - 1);
    expect(await faultOf(whole.slice(0, -1))).toMatchObject({ line: whole.length });
    expect(await faultOf(without(1))).toMatchObject({ line: 1 });
    // Line 2 has the first entry, and line 102 the first checkpoint.
    for (const line of [2, 50, 102, 300]) {
      const next = line === 102 ? 203 : line;
      expect(await faultOf(without(line)), `without line ${line}`).toMatchObject({
        line: next - (line === 102 ? 1 : 0),
      });
    }
    for (const line of [2, 102, 300, whole.length]) {
      const changed = whole.map((text, index) =>
        index === line - 1 ? text.replace(/"(hash)":"./, '"$1":"x') : text,
      );
      expect(await faultOf(changed), `changed line ${line}`).toMatchObject({ line });
    }
    expect(await faultOf([...whole, '{}'])).toMatchObject({ line: whole.length + 1 });
    for (const text of ['', '[]', '{}', 'x', '{"kind":"entry","number":2,"hash":"x"}'])
      expect(await faultOf([whole[0] ?? '', whole[1] ?? '', text])).toMatchObject({ line: 3 });
    const untrusted = await verifyExport(given(whole), trusted(keys.foreign));
    expect(untrusted.fault).toMatchObject({ line: 102 });
  });

  it.skipIf(missing || remote)('reads along an index', () => {
    const along = /^SEARCH \S+ USING (COVERING )?INDEX \S+by_number/;
    const settled = {
      'chain.number': null,
      $or: [{ outcome: { $ne: 'unknown' } }, { 'chain.sealed': true }],
    };
    const plan = (filter: object, sort: object) =>
      explain(raw.log, filter as never, { sort: sort as never, limit: 9 }).plan;
    const sort = { 'chain.number': 1, _id: 1 };
    for (const steps of [
      plan(settled, { _id: 1 }),
      plan({ 'chain.number': { $gte: 1, $lte: 9 } }, sort),
      plan({ 'chain.number': { $lte: 9 } }, sort),
    ]) {
      expect(steps[0]).toMatch(along);
      expect(steps.join()).not.toContain('TEMP B-TREE');
    }
  });
});
