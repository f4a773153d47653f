/** The period of account validity in `openServer`, in milliseconds. */
export const VALIDITY_PERIOD_MS = 86_400_000;

/** How long access tokens with a refresh token are valid in `openServer`, in milliseconds. */
export const ACCESS_TOKEN_LIFETIME_MS = 60_000;

/**
 * The types of users in `openServer`. The second and third sort differently by UTF-16 units than by code points; the last looks like
 * stored flags.
 */
export const USER_TYPES = ['staff', '～', 'été 😀', 'ws00000'];

/** The limit of an upload in `openServer`, in bytes. */
export const MAX_UPLOAD_BYTES = 3 * 1024 * 1024;

/** The sender of server notices. */
export const NOTICES = {
  enabled: true,
  display_name: 'The server',
  avatar_url: 'mxc://test/avatar',
  room_name: 'From the server',
};

/** The server of chapters about what is added to accounts: each depends on some of these settings, and on the absence of none. */
export const openServer = {
  account_validity: { enabled: true, period_ms: VALIDITY_PERIOD_MS },
  accounts: { user_types: USER_TYPES },
  media: { max_upload_bytes: MAX_UPLOAD_BYTES },
  notices: NOTICES,
  sessions: { refresh_tokens: true, access_token_lifetime_ms: ACCESS_TOKEN_LIFETIME_MS },
  user_directory: { search_all_users: true },
  webhooks: { allowed_addresses: ['127.0.0.0/8'] },
};

/** How long an authentication is reused in `strictServer`, in milliseconds: longer than a chapter takes. */
export const GRACE_MS = 10 * 60 * 1000;

/** The largest avatar in `strictServer`, in bytes. */
export const MAX_AVATAR_BYTES = 100;

/** The server of chapters about what is demanded of users: each depends on some of these settings, and on the absence of none. */
export const strictServer = {
  audit: { require_reason: ['users:erase', 'media:write'] },
  media: { max_avatar_bytes: MAX_AVATAR_BYTES, allowed_avatar_types: ['image/png'] },
  notices: { ...NOTICES, auto_join: true, room_avatar_url: 'mxc://test/room', room_topic: 'News' },
  passwords: {
    policy: {
      minimum_length: 8,
      require_digit: true,
      require_symbol: true,
      require_uppercase: true,
      require_lowercase: true,
    },
  },
  registration: { guests: true, requires_token: true },
  ui_auth: { session_timeout_ms: GRACE_MS },
};
