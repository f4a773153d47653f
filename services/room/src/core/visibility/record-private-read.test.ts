import { expect, it } from 'vitest';
import { isPrivate } from './record-private-read.ts';

it.each([
  ['public', 'shared', null, false],
  ['public', null, null, false],
  ['invite', 'world_readable', null, false],
  ['public', 'joined', null, true],
  ['public', 'invited', null, true],
  ['invite', 'shared', null, true],
  ['restricted', 'shared', null, true],
  ['knock', 'shared', null, true],
  [null, null, null, true],
  ['public', 'world_readable', 'm.megolm.v1.aes-sha2', true],
])(
  'a room with join rule %s, history visibility %s and encryption %s: %s',
  (join_rules, history_visibility, encryption, expected) => {
    expect(isPrivate({ join_rules, history_visibility, encryption })).toBe(expected);
  },
);
