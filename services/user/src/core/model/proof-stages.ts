/** The type of a login with a password, and of the stage of authentication that requires it. */
export const PASSWORD_STAGE = 'm.login.password';

/** The stage that requires a sign-in with the identity provider. */
export const SSO_STAGE = 'm.login.sso';

/** The stage that requires a code of the authenticator app or a recovery code. */
export const TOTP_STAGE = 'steward.totp';

/** The stage that requires a passkey: in place of a code, or alone. */
export const PASSKEY_STAGE = 'steward.passkey';
