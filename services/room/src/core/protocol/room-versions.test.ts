import { expect, it } from 'vitest';
import { findRoomVersion, ROOM_VERSIONS, type RoomVersion, readingVersion } from './room-versions.ts';

it('lists the twelve versions in order', () => {
  expect([...ROOM_VERSIONS.keys()]).toEqual('1 2 3 4 5 6 7 8 9 10 11 12'.split(' '));
});

it.each<[keyof RoomVersion, number]>([
  ['plainReferences', 3],
  ['notificationLevels', 6],
  ['knock', 7],
  ['restricted', 8],
  ['redactionKeepsAuthoriser', 9],
  ['knockRestricted', 10],
  ['integerLevels', 10],
  ['implicitCreator', 11],
  ['redactsInContent', 11],
  ['tidyRedaction', 11],
  ['hashRoomIds', 12],
  ['creatorsAboveLevels', 12],
])('%s since version %i', (feature, since) => {
  for (const [id, version] of ROOM_VERSIONS) expect(version[feature]).toBe(Number(id) >= since);
});

it.each<[keyof RoomVersion, number]>([
  ['redactionsAuthorised', 2],
  ['aliasEvents', 5],
])('%s until version %i', (feature, until) => {
  for (const [id, version] of ROOM_VERSIONS) expect(version[feature]).toBe(Number(id) <= until);
});

it('event ids have one of three forms', () => {
  expect([...ROOM_VERSIONS.values()].map(({ eventIds }) => eventIds)).toEqual([
    'opaque',
    'opaque',
    'base64',
    ...Array(9).fill('base64url'),
  ]);
});

it.each(['0', '13', '', 'toString', '__proto__', 'org.example.1'])(
  '%j is unknown, and read as the newest',
  (id) => {
    expect(findRoomVersion(id)).toBeUndefined();
    expect(readingVersion(id).id).toBe('12');
  },
);
