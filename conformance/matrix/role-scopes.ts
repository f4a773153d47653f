/** Every scope, in the order of their numbers. A new one is added here, and to the roles that are to have it. */
export const SCOPES = [
  'users:read',
  'users:write',
  'users:credentials',
  'users:impersonate',
  'users:erase',
  'registration_tokens:read',
  'registration_tokens:write',
  'rooms:read',
  'rooms:content',
  'rooms:write',
  'rooms:delete',
  'media:read',
  'media:write',
  'media:delete',
  'reports:read',
  'reports:write',
  'notices:send',
  'tasks:read',
  'tasks:write',
  'audit:read',
  'access:write',
  'server:read',
  'server:write',
  'access:read',
  'audit:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'scim:write',
] as const;

/** What the built-in roles permit, written down a second time: so that a role does not gain a right unnoticed. */
export const ROLE_SCOPES = {
  admin: SCOPES,
  moderator: [
    ...['users:read', 'users:write'],
    ...['rooms:read', 'rooms:content', 'rooms:write', 'rooms:delete'],
    ...['media:read', 'media:write', 'media:delete'],
    ...['reports:read', 'reports:write', 'notices:send', 'tasks:read', 'events:read'],
  ],
  auditor: [
    ...['users:read', 'rooms:read', 'media:read', 'reports:read'],
    ...['tasks:read', 'audit:read', 'events:read', 'access:read', 'server:read', 'webhooks:read'],
  ],
  support: ['users:read', 'users:write', 'users:credentials'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The scopes that administrator sessions use only after a recent proof, unless the settings say otherwise. */
export const STEP_UP_SCOPES: readonly string[] = [
  'users:credentials',
  'users:impersonate',
  'users:erase',
  'access:write',
  'rooms:delete',
];
