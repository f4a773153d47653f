import { insertAggregates } from '@steward/service';
import { openSqliteStore } from '@steward/store';
import { expect, it, onTestFinished } from 'vitest';
import { machineOn } from '../fixtures/machine-on.ts';
import { mediumOf } from '../fixtures/medium.ts';
import { checkUris, sweepUnchecked } from './check-shown.ts';
import { fillInventory } from './fill-inventory.ts';

async function prepare(shown: (uris: readonly string[]) => Promise<readonly string[]>) {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const users = { avatarsInUse: async () => ['mxc://test/face'] };
  const deps = await machineOn(store, { rooms: { shown }, users });
  const isShown = async (id: string) => (await deps.media.findOne({ _id: `test/${id}` }))?.shown;
  return { deps, isShown };
}

it('of two checks at once the later one counts, also when it is answered first', async () => {
  const early = Promise.withResolvers<readonly string[]>();
  const late = Promise.withResolvers<readonly string[]>();
  const answers = [early.promise, late.promise];
  const asked: unknown[] = [];
  const { deps, isShown } = await prepare((uris) => {
    asked.push(uris);
    return answers.shift() ?? Promise.resolve([]);
  });
  await insertAggregates(deps.media, [mediumOf('a')]);
  const first = checkUris(deps, ['mxc://test/a', 'no uri', 'mxc://test/unknown']);
  await expect.poll(() => asked.length).toBe(1);
  const second = checkUris(deps, ['mxc://test/a']);
  await expect.poll(() => asked.length).toBe(2);
  late.resolve([]);
  await second;
  early.resolve(['mxc://test/a']);
  await first;
  expect(asked).toEqual([['mxc://test/a'], ['mxc://test/a']]);
  expect(await isShown('a')).toBe(false);
});

it('media of earlier versions are completed and checked, those that have the fields are left as they are', async () => {
  const { deps, isShown } = await prepare(async () => ['mxc://test/m1']);
  const old = (id: string) => mediumOf(id, { type: 'IMAGE/PNG; x=y', safe_from_quarantine: true });
  const many = Array.from({ length: 250 }, (_, n) => old(`m${n}`));
  const done = { ...mediumOf('done'), media_type: 'text/plain', media_class: 'text', shown: true };
  await insertAggregates(deps.media, [...many, old('face'), done]);
  await fillInventory(deps);
  expect(await deps.media.countDocuments({ unchecked: true })).toBe(251);
  expect(await deps.media.countDocuments({ media_type: 'image/png', media_class: 'image' })).toBe(251);
  expect(await deps.media.countDocuments({ is_protected: true })).toBe(251);
  await sweepUnchecked(deps);
  expect(await deps.media.countDocuments({ unchecked: true })).toBe(0);
  expect([await isShown('m0'), await isShown('m1'), await isShown('face')]).toEqual([false, true, true]);
  expect(await deps.media.findOne({ _id: 'test/done' })).toEqual(done);
});
