import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom } from '@steward/kernel';
import type { BlobStore } from '@steward/media';
import { openSortedDocuments, type StoredDocument, spoolDocuments } from '@steward/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exportServer } from './export-server.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'steward-export-'));
});
afterEach(() => rm(parent, { recursive: true }));

/** Exports a server that has some documents. */
function exportTo(
  name: string,
  {
    user = undefined as string | undefined,
    room = undefined as string | undefined,
    documents: given = [] as readonly StoredDocument[],
    duringExport = async () => {},
  } = {},
) {
  return exportServer({
    directory: join(parent, name),
    user,
    room,
    random: systemRandom,
    clock: systemClock,
    onProblem: expect.unreachable,
    async open(spool) {
      async function* stored() {
        yield {
          collection: 'server.identity',
          document: { _id: 'server', name: 'test' } as StoredDocument['document'],
        };
        yield* given;
      }
      await spoolDocuments(stored(), spool);
      await duringExport();
      const documents = openSortedDocuments(spool);
      const blobs = {} as BlobStore;
      return { documents, blobs, current: async () => undefined, close: async () => documents.close() };
    },
  });
}

it('leaves a file alone that is where the directory should be', async () => {
  await writeFile(join(parent, 'file'), 'precious');
  await expect(exportTo('file')).rejects.toThrow(/^The directory .*file cannot be used: .*ENOTDIR/);
  expect(await readFile(join(parent, 'file'), 'utf8')).toBe('precious');
});

it('leaves alone what appears in the directory during it', async () => {
  const directory = join(parent, 'alice');
  const duringExport = async () => {
    await mkdir(directory);
    await writeFile(join(directory, 'file'), 'precious');
  };
  await expect(exportTo('alice', { duringExport })).rejects.toThrow('is not empty');
  expect(await readdir(directory)).toEqual(['file']);
});

it('leaves no copy of the documents when it fails', async () => {
  await expect(exportTo('bob', { user: '@bob:test' })).rejects.toThrow('no account @bob:test');
  expect(await readdir(parent)).toEqual([]);
});

it('an export is refused while another one into the same directory is running', async () => {
  const duringExport = () => expect(exportTo('alice')).rejects.toThrow('is using the directory');
  await exportTo('alice', { duringExport });
  expect(await readdir(join(parent, 'alice'))).toContain('users.ndjson');
  expect(await readdir(parent)).toEqual(['alice']);
});

it('of a user has reports of what is gone, and tasks, but no secrets, nor what others did about the user', async () => {
  const bob = '@bob:test';
  const others = { user_id: '@alice:test', sender: bob };
  const documents = Object.entries({
    'user.accounts': [
      {
        _id: bob,
        threepids: [],
        external_ids: [],
        password_hash: 'secret',
        second_factor: { secret: 'secret' },
      },
    ],
    'moderation.event_reports': [
      { _id: '1', user_id: bob, sender: '@alice:test', event_id: '$gone', room_id: '!gone:test' },
      { _id: '2', ...others, event_id: '$gone', room_id: '!gone:test' },
    ],
    'moderation.cases': [{ _id: 'case', user_id: bob, notes: [{ text: 'what moderators write' }] }],
    'moderation.inbox': [{ _id: 'inbox', user_id: bob, reporter: '@alice:test' }],
    'room.tasks': [
      { _id: 'own', requested_by: bob, key: '!room:test' },
      { _id: 'about', requested_by: '@alice:test', key: bob },
    ],
  }).flatMap(([collection, found]) => found.map((document) => ({ collection, document })));
  await exportTo('bob', { user: bob, documents });
  const text = await readFile(join(parent, 'bob', 'other.ndjson'), 'utf8');
  const kept = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).document._id);
  expect(kept.sort()).toEqual(['1', bob, 'own'].sort());
  expect(text).not.toContain('secret');
});

it('of a room has what belongs to it, and nothing of other rooms', async () => {
  const roomOf = (id: string) => ({ _id: id, room_version: '10', creator: '@a:test' });
  const event = (room: string, media: string) => ({
    ...{ _id: `$${media}`, room_id: room, arrival: 1, type: 'm.room.message', sender: '@a:test' },
    ...{ json: '{}', origin_server_ts: 1, received_ts: 1, media: [`mxc://test/${media}`] },
  });
  const alias = (id: string, room: string) => ({ _id: id, room_id: room, creator: '@a:test', created_ts: 1 });
  const medium = (id: string) => ({
    ...{ _id: `test/${id}`, origin: 'test', media_id: id, user_id: '@a:test', blob: null, state: 'stored' },
  });
  const documents = Object.entries({
    'user.accounts': [{ _id: '@a:test', threepids: [], external_ids: [], password_hash: null }],
    'room.rooms': [roomOf('!one:test'), roomOf('!two:test')],
    'room.events': [event('!one:test', 'one'), event('!two:test', 'two')],
    'room.aliases': [alias('#one:test', '!one:test'), alias('#two:test', '!two:test')],
    'media.media': [medium('one'), medium('two')],
  }).flatMap(([collection, found]) => found.map((document) => ({ collection, document })));
  await exportTo('one', { room: '!one:test', documents });
  const text = async (name: string) => readFile(join(parent, 'one', `${name}.ndjson`), 'utf8');
  for (const name of ['rooms', 'events', 'aliases', 'media']) {
    expect(await text(name), name).toContain('one');
    expect(await text(name), name).not.toContain('two');
  }
  expect(await text('users')).toBe('');
  await expect(exportTo('three', { room: '!three:test', documents })).rejects.toThrow('no room !three:test');
});
