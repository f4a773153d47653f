import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { loadConfig } from '@steward/config';
import { access as media } from '@steward/media';
import { access as moderation } from '@steward/moderation';
import { access as room } from '@steward/room';
import { openEmbeddedStore } from '@steward/runtime';
import { access as user } from '@steward/user';
import { expect, it } from 'vitest';
import { importRecords } from './import-records.ts';
import { KINDS } from './kinds.ts';
import { openOn } from './open-services.ts';
import { LEFT_OUT, RECORD_FORMATS } from './record-formats.ts';

it('describes each kind of records in the order of loading', () => {
  expect(RECORD_FORMATS.map(({ kind }) => kind)).toEqual([...KINDS.keys()]);
});

it('has a kind, or a reason, for everything that the services store', () => {
  const stored = [user, room, media, moderation].flatMap(({ collections }) => collections);
  const carried = RECORD_FORMATS.flatMap(({ collections }) => collections);
  expect([...new Set([...carried, ...LEFT_OUT.keys()])].toSorted()).toEqual(stored.toSorted());
  // Nothing is both carried and left out.
  expect(carried.filter((name) => LEFT_OUT.has(name))).toEqual([]);
});

it('has examples that are loaded, and not without a field that is required', async () => {
  const data = await mkdtemp(join(tmpdir(), 'steward-formats-'));
  const config = loadConfig({ env: { STEWARD_DATA: data } });
  const store = await openEmbeddedStore(config, { inMemory: true, loading: true });
  const services = await openOn(store, config);
  const problems: string[] = [];
  const load = async (kind: string, record: object) => {
    problems.splice(0);
    const open = KINDS.get(kind);
    if (!open) throw new Error(kind);
    return importRecords(Readable.from([`${JSON.stringify(record)}\n`]), open(services, data), {
      strict: false,
      batchesInFlight: 1,
      onProblem: (_, problem) => problems.push(problem),
      onProgress: () => {},
    });
  };
  for (const { kind, required, others, example } of RECORD_FORMATS) {
    if (!example) continue;
    const needed = [...required, ...others.flatMap((field) => (field.isRequired ? [field.name] : []))];
    // Fields of fields are tested where they are read.
    for (const name of needed.filter((each) => each in example)) {
      const without = Object.fromEntries(Object.entries(example).filter(([key]) => key !== name));
      expect(await load(kind, without), `${kind} without ${name}`).toMatchObject({ loaded: 0, bad: 1 });
    }
    const { loaded, skipped, bad } = await load(kind, example);
    expect({ kind, count: loaded + skipped, bad, problems }).toEqual({
      kind,
      count: 1,
      bad: 0,
      problems: [],
    });
  }
  await services.close();
  await store.close();
  await rm(data, { recursive: true });
});
