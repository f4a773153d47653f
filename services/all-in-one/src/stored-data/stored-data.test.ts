import { configReference } from '@steward/config';
import { access as media } from '@steward/media';
import { access as moderation } from '@steward/moderation';
import { access as room } from '@steward/room';
import { ALL_SCOPES, scopeName } from '@steward/rpc';
import { access as user } from '@steward/user';
import { expect, it } from 'vitest';
import { IMPERSONAL, STORED_DATA } from './stored-data.ts';
import { storedDataReference } from './stored-data-reference.ts';

it('the page about stored data has every collection of every service, once', () => {
  const stored = [user, room, media, moderation].flatMap(({ collections }) => collections);
  expect([...STORED_DATA.keys(), ...IMPERSONAL.keys()].toSorted()).toEqual(stored.toSorted());
  const rows = [...storedDataReference().matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, name]) => name);
  expect(rows.filter((name) => stored.includes(name ?? '')).toSorted()).toEqual(stored.toSorted());
});

it('the page about stored data names scopes and settings that exist', () => {
  const scopes = new Set(ALL_SCOPES.map(scopeName));
  const settings = configReference();
  for (const [name, { kept, scopes: readers }] of STORED_DATA) {
    expect(
      readers.filter((scope) => !scopes.has(scope)),
      name,
    ).toEqual([]);
    for (const [, key] of kept.matchAll(/\{([\w.]+)\}/g)) expect(settings, name).toContain(`| \`${key}\` |`);
  }
});

it('the page about stored data has defaults of settings, and the files of an export of one user', () => {
  const rowOf = (name: string) =>
    storedDataReference()
      .split('\n')
      .find((line) => line.startsWith(`| \`${name}\` |`));
  expect(rowOf('moderation.audit_log')).toContain('`audit.retention_ms` (180 days)');
  expect(rowOf('media.media')).toContain('`retention.media.local_max_unused_ms` (not set)');
  expect(rowOf('user.accounts')).toMatch(/`users\.ndjson`, `other\.ndjson` \|$/);
  expect(rowOf('user.sign_ins')).toMatch(/`sign_ins\.ndjson` \|$/);
  expect(rowOf('room.outbox')).toMatch(/ \| no \|$/);
});
