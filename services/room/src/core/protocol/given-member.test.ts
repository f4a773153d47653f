import { expect, it } from 'vitest';
import { refusalOf } from './fixtures/room-state.ts';
import { validateGivenMember } from './given-member.ts';

it.each([
  ['no content', {}, undefined],
  ['what clients send', { membership: 'invite', reason: 'Welcome', is_direct: true }, undefined],
  ['a reason of 512 characters', { reason: '🎉'.repeat(512) }, undefined],
  ['a longer reason', { reason: 'a'.repeat(513) }, '413 M_TOO_LARGE'],
  ['a reason that is not a text', { reason: 1 }, undefined],
  ['a name of 256 characters', { displayname: 'é'.repeat(256) }, undefined],
  ['a longer name', { displayname: 'a'.repeat(257) }, '400 M_UNKNOWN'],
  ['an avatar of 1,000 characters', { avatar_url: 'a'.repeat(1_000) }, undefined],
  ['a longer avatar', { avatar_url: 'a'.repeat(1_001) }, '400 M_UNKNOWN'],
  ['further keys of 4,096 bytes', { key: 'a'.repeat(4_096 - '{"key":""}'.length) }, undefined],
  ['larger further keys', { key: 'a'.repeat(4_097 - '{"key":""}'.length) }, '413 M_TOO_LARGE'],
])('%s', (_, given, refusal) => {
  expect(refusalOf(() => validateGivenMember(given))).toBe(refusal);
});
