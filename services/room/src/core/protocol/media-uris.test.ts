import { expect, it } from 'vitest';
import { avatarUriOf, mediaUrisOf, otherUrisOf } from './media-uris.ts';

it.each([
  [{ url: 'mxc://test/a' }, ['mxc://test/a']],
  [{ url: 'mxc://test/a', info: { thumbnail_url: 'mxc://other/b' } }, ['mxc://test/a', 'mxc://other/b']],
  [{ url: 'mxc://test/a', info: { thumbnail_url: 'mxc://test/a' } }, ['mxc://test/a']],
  [{ url: 'https://test/a', info: { thumbnail_url: 'mxc://test/b' } }, ['mxc://test/b']],
  [{ info: { thumbnail_url: 'mxc://test/b' } }, []],
  [{ url: 1, info: { thumbnail_url: 'mxc://test/b' } }, []],
  [{ url: 'mxc://test/a', info: 'mxc://test/b' }, ['mxc://test/a']],
  [{ url: 'mxc://test/a', info: { thumbnail_url: ['mxc://test/b'] } }, ['mxc://test/a']],
  [{ url: 'mxc://test/a/b' }, []],
  [{ url: 'mxc://test/a#b' }, []],
  [{ url: 'mxc://test/a\0' }, []],
  [{ url: 'mxc://test/\ud800' }, []],
  [{ url: `mxc://test/${'a'.repeat(1_000)}` }, []],
  [{}, []],
])('%j shows %j', (content, uris) => {
  expect(mediaUrisOf({ content })).toEqual(uris);
});

it.each([
  ['m.room.member', { avatar_url: 'mxc://test/a' }, 'mxc://test/a'],
  ['m.room.member', { url: 'mxc://test/a' }, undefined],
  ['m.room.member', { avatar_url: 'a' }, undefined],
  ['m.room.member', { avatar_url: null }, undefined],
  ['m.room.avatar', { url: 'mxc://test/a' }, 'mxc://test/a'],
  ['m.room.avatar', { avatar_url: 'mxc://test/a' }, undefined],
  ['m.room.message', { url: 'mxc://test/a', avatar_url: 'mxc://test/b' }, undefined],
])('%s with %j has the avatar %s', (type, content, uri) => {
  expect(avatarUriOf({ type, content })).toBe(uri);
});

it.each([
  [{ url: 'mxc://test/a', info: { thumbnail_url: 'mxc://test/b' } }, []],
  [
    { file: { url: 'mxc://test/a' }, info: { thumbnail_file: { url: 'mxc://test/b' } } },
    ['mxc://test/b', 'mxc://test/a'],
  ],
  [{ info: { thumbnail_url: 'mxc://test/a' } }, ['mxc://test/a']],
  [
    { formatted_body: '<img src="mxc://test:8448/a_-b"> <img src=\'mxc://test/c\'/>' },
    ['mxc://test:8448/a_-b', 'mxc://test/c'],
  ],
  [{ body: '![x](mxc://test/a) mxc://test mxc://test/ mxc:///a' }, ['mxc://test/a']],
  [{ images: { one: { url: 'mxc://test/a' }, two: [['mxc://test/a', null, 1]] } }, ['mxc://test/a']],
  [{ url: 'mxc://test/a', 'm.new_content': { url: 'mxc://test/a', other: 'mxc://test/\0' } }, []],
])('%j has elsewhere %j', (content, uris) => {
  expect(otherUrisOf({ type: 'm.room.message', content })).toEqual(uris);
});

it('has elsewhere at most 100', () => {
  const body = Array.from({ length: 150 }, (_, n) => `mxc://test/${n}`).join(' ');
  expect(otherUrisOf({ type: 'm.room.message', content: { body } })).toHaveLength(100);
});
