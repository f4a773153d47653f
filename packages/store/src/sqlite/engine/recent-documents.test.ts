import { expect, it } from 'vitest';
import { boundOfRecent, RecentDocuments } from './recent-documents.ts';

const text = (id: string, note = '') => JSON.stringify({ _id: id, inner: { note } });

it('knows a document by its row and its id until it is forgotten, and freezes it as a whole', () => {
  const recent = new RecentDocuments(boundOfRecent());
  const document = recent.keep(7, text('a'));
  expect(recent.get(7)).toBe(document);
  expect(recent.byId('a')).toBe(document);
  expect(() => Object.assign((document as unknown as { inner: object }).inner, { note: 'x' })).toThrow(
    TypeError,
  );
  recent.forget(7);
  expect(recent.get(7)).toBeUndefined();
  expect(recent.byId('a')).toBeUndefined();
});

it('knows the text of what an update wrote, and its document, until all is forgotten', () => {
  const recent = new RecentDocuments(boundOfRecent());
  recent.keep(7, text('a'));
  expect(recent.writtenById('a')).toBeUndefined();
  recent.keepWritten(7, 'a', text('a', 'new'));
  expect(recent.writtenById('a')).toEqual({ n: 7, document: text('a', 'new') });
  expect(recent.byId('a')).toEqual(JSON.parse(text('a', 'new')));
  recent.clear();
  expect(recent.writtenById('a')).toBeUndefined();
  expect(recent.byId('a')).toBeUndefined();
});

it('projects a document once for the same fields, also after other ones', () => {
  const recent = new RecentDocuments(boundOfRecent());
  recent.keep(7, text('a', 'x'));
  const fields = ['inner'];
  const projected = recent.projected(7, fields);
  expect(projected).toEqual({ inner: { note: 'x' } });
  expect(recent.projected(7, fields)).toBe(projected);
  expect(recent.projected(7, ['_id'])).toEqual({ _id: 'a' });
  expect(recent.projected(7, fields)).toEqual({ inner: { note: 'x' } });
  recent.keep(7, text('a', 'y'));
  expect(recent.projected(7, fields)).toEqual({ inner: { note: 'y' } });
});

it('follows an id to another row', () => {
  const recent = new RecentDocuments(boundOfRecent());
  recent.keep(7, text('a', 'old'));
  recent.forget(7);
  const moved = recent.keep(8, text('a', 'new'));
  recent.keep(7, text('b'));
  expect(recent.byId('a')).toBe(moved);
});

it('caches what lists read twice, and nothing long', () => {
  const recent = new RecentDocuments(boundOfRecent());
  expect(recent.isListedAgain(1)).toBe(false);
  expect(recent.isListedAgain(1)).toBe(true);
  recent.keep(1, text('long', 'x'.repeat(10_000)));
  expect(recent.get(1)).toBeUndefined();
  expect(recent.isListedAgain(1)).toBe(false);
});

it('caches two rows of one list whose numbers share slots with those of others', () => {
  const recent = new RecentDocuments(boundOfRecent());
  const read = (n: number) => recent.isListedAgain(n) && recent.keep(n, text(`d${n}`));
  for (const n of [8_199, 7, 4_103, 7, 4_103]) read(n);
  expect([recent.byId('d7'), recent.byId('d4103')]).not.toContain(undefined);
});

it('the documents of all collections have a bounded length together', () => {
  const bound = boundOfRecent();
  const collections = Array.from({ length: 8 }, () => new RecentDocuments(bound));
  const note = 'x'.repeat(4_000);
  const documents = Array.from({ length: 400 }, (_, n) => text(`d${n}`, note));
  for (const recent of collections) documents.forEach((document, n) => void recent.keep(n, document));
  const kept = collections.map((recent) => documents.filter((_, n) => recent.get(n) !== undefined).length);
  const total = kept.reduce((sum, each) => sum + each, 0);
  expect(total * note.length).toBeLessThan(7_000_000);
  // Each has what it read last, and does not know what has left by its id either.
  for (const recent of collections) expect(recent.byId('d399')).toBeDefined();
  expect(collections[0]?.byId('d0')).toBeUndefined();
});
