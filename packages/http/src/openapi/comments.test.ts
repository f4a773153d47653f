import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { readComments } from './comments.ts';

const read = (locations: readonly (readonly [readonly number[], string])[]) => {
  const set: MessageInitShape<typeof FileDescriptorSetSchema> = {
    file: [
      {
        name: 'a.proto',
        package: 'a.v1',
        messageType: [
          { name: 'Other' },
          {
            name: 'User',
            field: [{ name: 'name' }, { name: 'admin' }],
            nestedType: [{ name: 'Inner', field: [{ name: 'deep' }] }],
          },
        ],
        enumType: [{ name: 'Kind', value: [{ name: 'KIND_ONE' }, { name: 'KIND_TWO' }] }],
        service: [{ name: 'Users', method: [{ name: 'Get' }, { name: 'Put' }] }],
        sourceCodeInfo: {
          location: locations.map(([path, leadingComments]) => ({ path: [...path], leadingComments })),
        },
      },
      { name: 'bare.proto', package: 'b.v1', messageType: [{ name: 'Bare' }] },
    ],
  };
  return readComments(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, set)));
};

test('messages, fields, enums, values, services and methods have their leading comments', () => {
  const comments = read([
    [[4, 1], ' A user.\n'],
    [[4, 1, 2, 1], ' Whether it is one.\n'],
    [[4, 1, 3, 0], ' An inner one.\n'],
    [[4, 1, 3, 0, 2, 0], ' Deep.\n'],
    [[5, 0], ' Kinds.\n'],
    [[5, 0, 2, 1], ' The second.\n'],
    [[6, 0], ' All users.\n'],
    [[6, 0, 2, 1], ' Puts one.\n'],
  ]);
  expect(comments('a.v1.User')).toBe('A user.');
  expect(comments('a.v1.User.admin')).toBe('Whether it is one.');
  expect(comments('a.v1.User.Inner')).toBe('An inner one.');
  expect(comments('a.v1.User.Inner.deep')).toBe('Deep.');
  expect(comments('a.v1.Kind')).toBe('Kinds.');
  expect(comments('a.v1.Kind.KIND_TWO')).toBe('The second.');
  expect(comments('a.v1.Users')).toBe('All users.');
  expect(comments('a.v1.Users.Put')).toBe('Puts one.');
  expect(comments('a.v1.User.name')).toBeUndefined();
  expect(comments('a.v1.Other')).toBeUndefined();
  expect(comments('b.v1.Bare')).toBeUndefined();
});

test('lines of a paragraph are joined', () => {
  const comments = read([[[4, 0], ' One\n two.\n\n   Three\n four.\n']]);
  expect(comments('a.v1.Other')).toBe('One two.\n\nThree four.');
});

test('comments inside a declaration do not belong to its owner', () => {
  const comments = read([
    [[6, 0, 2, 0, 4], ' On the options.\n'],
    [[4, 1, 2, 0, 8], ' On the options of a field.\n'],
    [[4, 1, 3, 0, 8], ' On the options of a nested message.\n'],
    [[4, 1, 1], ' On nothing that is known.\n'],
    [[2], ' On the package.\n'],
    [[5, 0, 2, 0, 2], ' On the number of a value.\n'],
  ]);
  for (const name of [
    'a.v1.Users',
    'a.v1.Users.Get',
    'a.v1.User',
    'a.v1.User.name',
    'a.v1.User.Inner',
    'a.v1.Kind',
    'a.v1.Kind.KIND_ONE',
  ])
    expect(comments(name)).toBeUndefined();
});
