import { type Attribute, attribute } from './user-schema.ts';

/** The schema of groups (RFC 7643, 4.2). */
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** The attributes of groups. Those that are not here are ignored in requests. */
export const GROUP_ATTRIBUTES: readonly Attribute[] = [
  attribute('displayName', 'The name, which no other group has in any case.', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('members', 'The accounts that the directory has put in the group.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of the user.', { required: true, caseExact: true, mutability: 'immutable' }),
      attribute('$ref', 'The address of the user.', {
        type: 'reference',
        referenceTypes: ['User'],
        caseExact: true,
        mutability: 'immutable',
      }),
      attribute('type', 'User: groups are in no group.', {
        canonicalValues: ['User'],
        mutability: 'immutable',
      }),
    ],
  }),
];
