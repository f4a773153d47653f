import { expect, it } from 'vitest';
import { fieldOf, fileOf, textOf } from './content.ts';
import { parseContentUri } from './parse-content-uri.ts';

it('takes nothing of content that is not as expected', () => {
  expect(fieldOf(null, 'a')).toBeUndefined();
  expect(fieldOf({ a: 'text' }, 'a', 'length')).toBeUndefined();
  expect(fieldOf({}, 'constructor')).toBeUndefined();
  expect(textOf({ body: { not: 'a text' } }, 'body')).toBeUndefined();
  expect(textOf({ body: '' }, 'body')).toBeUndefined();
});

it('shows files by content URIs only', () => {
  expect(fileOf({ url: 'mxc://test/abc', body: 'cat.png' })).toEqual({
    serverName: 'test',
    mediaId: 'abc',
    name: 'cat.png',
  });
  for (const url of ['https://evil.example/cat.png', 'mxc://test/../x', 'mxc://test/a/b', 'mxc:///a', 7])
    expect(fileOf({ url })).toBeUndefined();
  expect(parseContentUri('mxc://a?b/c')).toBeUndefined();
});
