import { describe, expect, it } from 'vitest';
import { checkFloors } from './check-floors.mjs';

/** The imports of some files; a file without an entry imports nothing. */
const imports = (files: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries(files).map(([path, targets]) => [path, new Set(targets)]));

const breachesOf = (files: Readonly<Record<string, readonly string[]>>, service = false) =>
  checkFloors(imports(files), { service });

describe('circles', () => {
  it('circles are not found when each file imports only files below it', () => {
    expect(
      breachesOf({
        'mod.ts': ['a/one.ts', 'b/two.ts'],
        'a/one.ts': ['a/three.ts', 'b/two.ts'],
        'a/three.ts': [],
        'b/two.ts': [],
      }),
    ).toEqual([]);
  });

  it('circles are found among files', () => {
    expect(breachesOf({ 'a.ts': ['b.ts'], 'b.ts': ['a.ts'] })).toEqual([
      '.: a.ts, b.ts import each other in a circle:\n    a.ts -> b.ts\n    b.ts -> a.ts',
    ]);
  });

  it('circles are found among folders, even when no file is part of a cycle', () => {
    expect(
      breachesOf({ 'a/one.ts': ['b/one.ts'], 'a/two.ts': [], 'b/one.ts': [], 'b/two.ts': ['a/two.ts'] }),
    ).toEqual(['.: a, b import each other in a circle:\n    a/one.ts -> b/one.ts\n    b/two.ts -> a/two.ts']);
  });

  it('circles are found between a file and a folder beside it', () => {
    expect(breachesOf({ 'deps.ts': ['rooms/room.ts'], 'rooms/room.ts': ['deps.ts'] })).toEqual([
      '.: deps.ts, rooms import each other in a circle:\n    deps.ts -> rooms/room.ts\n    rooms/room.ts -> deps.ts',
    ]);
  });

  it('circles are found in nested folders, and reported for the folder that contains them', () => {
    expect(
      breachesOf({ 'x/y/a.ts': ['x/y/b.ts'], 'x/y/b.ts': ['x/y/c.ts'], 'x/y/c.ts': ['x/y/a.ts'] }),
    ).toEqual([
      'x/y: a.ts, b.ts, c.ts import each other in a circle:\n' +
        '    x/y/a.ts -> x/y/b.ts\n    x/y/b.ts -> x/y/c.ts\n    x/y/c.ts -> x/y/a.ts',
    ]);
  });
});

describe('floors of a service', () => {
  const service = (files: Readonly<Record<string, readonly string[]>>) => breachesOf(files, true);

  it.each([
    ['core/deps.ts', 'peers/rooms.ts'],
    ['core/aggregate/commit.ts', 'core/model/room.ts'],
    ['verbs/rooms/create-room.ts', 'core/deps.ts'],
    ['verbs/rooms/create-room.ts', 'peers/users.ts'],
    ['verbs/rooms/create-room.ts', 'verbs/rooms/room-names.ts'],
    ['events/on-user-deactivated.ts', 'core/deps.ts'],
    ['import/import-rooms.ts', 'core/deps.ts'],
    ['service.ts', 'events/on-user-deactivated.ts'],
    ['routes.ts', 'verbs/rooms/create-room.ts'],
  ])('%s may import %s', (from, to) => {
    expect(service({ [from]: [to], [to]: [] })).toEqual([]);
  });

  it.each([
    ['core/deps.ts', 'verbs/rooms/create-room.ts', 'is on a higher floor'],
    ['core/deps.ts', 'service.ts', 'is on a higher floor'],
    ['peers/rooms.ts', 'core/deps.ts', 'is on a higher floor'],
    ['verbs/rooms/create-room.ts', 'routes.ts', 'is on a higher floor'],
    ['verbs/rooms/create-room.ts', 'verbs/members/join-room.ts', 'is a verb of another concept'],
    [
      'events/on-user-deactivated.ts',
      'verbs/members/join-room.ts',
      'stands beside it; what both need belongs into core',
    ],
    [
      'verbs/rooms/create-room.ts',
      'import/import-rooms.ts',
      'stands beside it; what both need belongs into core',
    ],
  ])('%s may not import %s', (from, to, breach) => {
    expect(service({ [from]: [to], [to]: [] })).toEqual([`${from}: ${to} ${breach}`]);
  });

  it('do not hold for other packages', () => {
    expect(breachesOf({ 'core/deps.ts': ['verbs/a.ts'], 'verbs/a.ts': [] })).toEqual([]);
  });
});
