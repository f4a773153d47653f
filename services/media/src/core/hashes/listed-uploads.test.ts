import type { OutgoingEvent } from '@steward/events';
import { openSqliteStore, Unavailable } from '@steward/store';
import { crashableStore, stores } from '@steward/store/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { machineOn } from '../../fixtures/machine-on.ts';
import { mediumOf } from '../../fixtures/medium.ts';
import { quarantineProcesses } from '../../fixtures/quarantine-processes.ts';
import { listHashes } from '../../verbs/hashes/list-hashes.ts';
import { insertUpload, sweepQuarantine } from '../change-quarantine.ts';
import type { Deps } from '../deps.ts';
import { SYSTEM } from '../model/media.ts';
import { QUARANTINE_LISTED } from './quarantine-listed.ts';
import { refuseListed } from './refuse-listed.ts';
import { saveHashes } from './save-hashes.ts';

const ADMIN = '@admin:test';
const hashOf = (n: number) => n.toString(16).padStart(64, '0');
const said = (sha256: string, action: 'refuse' | 'quarantine', open_report = false) => ({
  sha256,
  action,
  open_report,
  source: null,
  note: null,
});

async function process() {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const facts = new Map<string, string>();
  const outbox = {
    add: async (events: readonly OutgoingEvent[]) => {
      for (const { id, type } of events) facts.set(id, type);
    },
  };
  const start = (on = store) => machineOn(on, { outbox });
  return { store, start, facts };
}

const add = (deps: Deps, ...hashes: ReturnType<typeof said>[]) => listHashes(deps, hashes, ADMIN, false);

it('refuses listed bytes, with a report if the list asks for it', async () => {
  const { start, facts } = await process();
  const deps = await start();
  await add(deps, said(hashOf(1), 'refuse', true), said(hashOf(2), 'quarantine', true));
  const upload = { userId: '@a:test', origin: 'test', mediaId: 'm' };
  await expect(refuseListed(deps, hashOf(1), upload)).rejects.toThrow('does not accept');
  expect([...facts.values()]).toEqual(['event.occurred', 'media.upload_matched']);
  await refuseListed(deps, hashOf(2), upload);
  await refuseListed(deps, hashOf(3), upload);
  expect(await deps.hashes.findOne({ _id: hashOf(1) })).toMatchObject({ last_match_ts: deps.clock.now() });
});

it('quarantines a listed upload and records it once, whenever the process crashes', async () => {
  let completed = false;
  for (let call = 1; !completed; call++) {
    const { store, start, facts } = await process();
    const crashable = crashableStore(store);
    const crashing = await start(crashable.store);
    // Listed as refused after the look-up before the insertion.
    await add(await start(), said(hashOf(1), 'refuse', true));
    crashable.crashAt(call, 'during');
    const upload = mediumOf('m', { sha256: hashOf(1) });
    await insertUpload(crashing, upload).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error;
    });
    completed = !crashable.hasCrashed;
    const deps = await start();
    await sweepQuarantine(deps);
    const stored = await deps.media.findOne({ _id: upload._id });
    if (!stored) continue;
    expect(stored).toMatchObject({ quarantined_by: SYSTEM });
    expect(facts).toEqual(
      new Map([
        ['m.matched', 'event.occurred'],
        ['m.reported', 'media.upload_matched'],
      ]),
    );
    expect(await deps.quarantineChanges.findOne({})).toMatchObject({ media_id: 'm', quarantined: true });
  }
});

describe.each(stores)('hashes $title', ({ missing, open }) => {
  it.skipIf(missing)('hashes are counted as added or updated, also when requests add the same', async () => {
    const { store, drop } = await open();
    onTestFinished(drop);
    const deps = await machineOn(store);
    const hashes = Array.from({ length: 600 }, (_, n) => said(hashOf(n), 'refuse'));
    expect(await listHashes(deps, hashes, ADMIN, false)).toEqual({ added: 600n, updated: 0n });
    const others = [said(hashOf(0), 'quarantine', true), said(hashOf(5_000), 'refuse')];
    expect(await listHashes(deps, others, '@b:test', false)).toEqual({ added: 1n, updated: 1n });
    expect(await deps.hashes.findOne({ _id: hashOf(0) })).toMatchObject({
      action: 'quarantine',
      open_report: true,
      added_by: ADMIN,
    });
    expect(await deps.hashes.tally()).toEqual(
      new Map([
        ['refuse', 600],
        ['quarantine', 1],
      ]),
    );
    await Promise.all([0, 1].map(() => listHashes(deps, [said(hashOf(7_000), 'refuse')], ADMIN, false)));
    expect((await deps.hashes.tally()).get('refuse')).toBe(601);
  });

  it.skipIf(missing)(
    'hashes are applied to existing media by a task that a crash does not stop',
    async () => {
      // One content of many media, and many of one; every third content is not listed.
      const media = Array.from({ length: 420 }, (_, n) =>
        mediumOf(`m${n}`, {
          sha256: hashOf(n < 300 ? 0 : n),
          created_ts: n,
          ...(n === 5 ? { safe_from_quarantine: true } : {}),
        }),
      );
      const isListed = (sha256: string | null) => sha256 !== null && Number.parseInt(sha256, 16) % 3 < 2;
      const { store, startProcess, orderUntilCrash, close } = await quarantineProcesses(open, media, []);
      onTestFinished(close);
      const hashes = [...new Set(media.flatMap(({ sha256 }) => (isListed(sha256) ? (sha256 ?? []) : [])))];
      const deps = await machineOn(store);
      const values = hashes.map((sha256) => said(sha256, 'refuse'));
      await saveHashes(deps, values, { addedBy: ADMIN, appliedBy: 'request' });
      const order = { kind: QUARANTINE_LISTED, key: 'request', params: null, requestedBy: ADMIN, id: 'task' };
      const crashed = await orderUntilCrash(order, 30, 'during');
      const after = await startProcess(store);
      await after.tasks.whenIdle();
      const expected = media.filter(({ sha256 }) => isListed(sha256)).length - 1;
      expect(await after.tasks.find('task')).toMatchObject({ state: 'complete', done: expected });
      expect(await after.media.countDocuments({ quarantined_by: ADMIN })).toBe(expected);
      expect(await after.media.countDocuments({ sha256: hashOf(302), quarantined_by: null })).toBe(1);
      for (const { tasks } of [crashed, after]) await tasks.close();
    },
  );
});
