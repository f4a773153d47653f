import { expect, it } from 'vitest';
import { excerptOf } from './excerpt-of.ts';

const of = (content: object) => excerptOf(JSON.stringify(content));

it('takes the beginning of what a copy shows, without splitting a character', () => {
  const text = of({ event: { type: 'm.room.message', content: { body: '💰'.repeat(400) } } });
  expect(text).toEqual({ eventType: 'm.room.message', text: '💰'.repeat(300) });
  expect(of({ event: { type: 'm.sticker', content: { url: 'mxc://test/a' } } })).toEqual({
    eventType: 'm.sticker',
    mediaUri: 'mxc://test/a',
  });
  expect(of({ user: { displayname: 'Eve', avatar_url: 'mxc://test/b' } })).toEqual({
    text: 'Eve',
    mediaUri: 'mxc://test/b',
  });
  expect(of({ room: { name: null } })).toEqual({});
});

it('leaves out what is not as expected in content that users wrote', () => {
  expect(of({ event: { type: 7, content: { body: ['x'], url: 'https://evil.test/a' } } })).toEqual({});
  expect(of({ event: { content: null } })).toEqual({});
  expect(of({ medium: {} })).toEqual({});
});
