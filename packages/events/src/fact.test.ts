import { UserCreatedSchema } from '@steward/proto/steward/event/v1/user_pb.ts';
import { expect, it } from 'vitest';
import { declareFact } from './fact.ts';

it('declares a fact by its name', () => {
  expect(declareFact('user.profile_changed', UserCreatedSchema)).toEqual({
    type: 'user.profile_changed',
    schema: UserCreatedSchema,
  });
});

it.each(['user', 'user.', '.created', 'User.created', 'user.created.twice', 'user.*', 'user.a b'])(
  'refuses the name %j',
  (type) => {
    expect(() => declareFact(type, UserCreatedSchema)).toThrow(TypeError);
  },
);
