/** The schema of users (RFC 7643, 4.1). */
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

type Mutability = 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly';

/** An attribute as the schema describes it, in the form of RFC 7643, 7. */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'reference';
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: Mutability;
  readonly returned: 'always' | 'never' | 'default' | 'request';
  readonly uniqueness: 'none' | 'server' | 'global';
  readonly subAttributes?: readonly Attribute[];
  readonly canonicalValues?: readonly string[];
  /** Of a reference: the types of what it leads to. */
  readonly referenceTypes?: readonly string[];
}

/** An attribute: a text that clients may change, unless `rest` says otherwise. */
export function attribute(
  name: string,
  description: string,
  rest: Partial<Omit<Attribute, 'name' | 'description'>> = {},
): Attribute {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...rest,
  };
}

/** What an account has several of: each has a value, and what tells them apart is shown only. */
function addresses(name: string, what: string): Attribute {
  return attribute(name, `The ${what} of the account.`, {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', `One of the ${what}.`, { required: true }),
      attribute('type', '`work` for the first one, `other` for each of the others.', {
        mutability: 'readOnly',
      }),
      attribute('primary', 'Whether it is the first one.', { type: 'boolean', mutability: 'readOnly' }),
    ],
  });
}

/** The attributes of users. Those that are not here are ignored in requests. */
export const USER_ATTRIBUTES: readonly Attribute[] = [
  attribute('userName', 'The localpart of the user id, which never changes.', {
    required: true,
    mutability: 'immutable',
    uniqueness: 'server',
  }),
  attribute('name', 'The name of the user.', {
    type: 'complex',
    mutability: 'readOnly',
    subAttributes: [
      attribute('formatted', 'The same as displayName, in place of which it may be sent.', {
        mutability: 'readOnly',
      }),
    ],
  }),
  attribute('displayName', 'The display name.'),
  attribute('active', 'Whether the user can use the account.', { type: 'boolean' }),
  attribute('password', 'The password, if the server stores passwords.', {
    caseExact: true,
    mutability: 'writeOnly',
    returned: 'never',
  }),
  addresses('emails', 'e-mail addresses'),
  addresses('phoneNumbers', 'telephone numbers'),
];
