import { describe, expect, it } from 'vitest';
import { readingVersion } from './room-versions.ts';
import { closedPowerLevels, upgradedCreateContent, upgradedPowerLevels } from './upgrade.ts';

const predecessor = { roomId: '!old:test', lastEventId: '$last' };

it('the create event keeps type and federation, and names the predecessor', () => {
  const before = { creator: '@a:test', room_version: '1', type: 'm.space', 'm.federate': false, x: 1 };
  expect(upgradedCreateContent(before, predecessor, readingVersion('11'), [])).toEqual({
    type: 'm.space',
    'm.federate': false,
    predecessor: { room_id: '!old:test', event_id: '$last' },
  });
  expect(upgradedCreateContent({}, predecessor, readingVersion('12'), ['@b:test'])).toEqual({
    predecessor: { room_id: '!old:test' },
    additional_creators: ['@b:test'],
  });
});

describe('power levels', () => {
  it('become integers, and invalid levels are removed', () => {
    const content = {
      ban: '50',
      kick: 'x',
      events: { a: ' 7 ', b: null, c: 2.9 },
      notifications: 'none',
      users: { '@a:test': '100' },
      other: 'stays',
    };
    expect(upgradedPowerLevels(content, readingVersion('10'), [], ['@a:test'])).toEqual({
      ban: 50,
      events: { a: 7, c: 2 },
      notifications: {},
      users: { '@a:test': 100 },
      other: 'stays',
    });
  });

  it('list creators only in versions in which they are not above the levels', () => {
    const listed = { users: { '@a:test': 100, '@b:test': 50 } };
    expect(upgradedPowerLevels(listed, readingVersion('12'), [], ['@a:test'])).toEqual({
      users: { '@b:test': 50 },
    });
    // The former creator '@c:test' keeps no level, because the new room has other creators.
    expect(upgradedPowerLevels(listed, readingVersion('12'), ['@c:test'], ['@a:test'])).toEqual({
      users: { '@b:test': 50 },
    });
    const unlisted = { users: { '@b:test': 50 } };
    expect(upgradedPowerLevels(unlisted, readingVersion('11'), ['@a:test', '@c:test'], ['@a:test'])).toEqual({
      users: { '@a:test': 100, '@b:test': 50, '@c:test': 100 },
    });
    const guarded = { events: { 'm.room.tombstone': 150 }, users: { '@b:test': 120 } };
    expect(upgradedPowerLevels(guarded, readingVersion('11'), ['@a:test'], ['@a:test'])).toMatchObject({
      users: { '@a:test': 150, '@b:test': 120 },
    });
  });

  it('close a room, unless it is closed already', () => {
    const version = readingVersion('10');
    expect(closedPowerLevels({}, version)).toEqual({ events_default: 50, invite: 50 });
    expect(closedPowerLevels({ users_default: 60, invite: 100 }, version)).toEqual({
      users_default: 60,
      events_default: 61,
      invite: 100,
    });
    expect(closedPowerLevels({ events_default: 50, invite: 50 }, version)).toBeUndefined();
  });
});
