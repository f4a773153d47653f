/** The schemes of stored passwords. Argon2 is the one with which passwords are hashed; hashes of the other come from imports. */
export const PASSWORD_SCHEMES = ['argon2', 'bcrypt'] as const;

type PasswordScheme = (typeof PASSWORD_SCHEMES)[number];

/** A stored password. */
export interface PasswordHash {
  readonly scheme: PasswordScheme;
  /** In the usual text of the scheme, with its costs and salt. */
  readonly hash: string;
  /** The name of the pepper that the password was hashed with, see `passwords.peppers`; never with Argon2. */
  readonly pepper?: string | undefined;
}

/** The text of a bcrypt hash, of passwords with a pepper behind its name. The costs of Argon2 are checked at the import. */
const BCRYPT = /^(?:\{pepper=(?<pepper>[\w-]{1,64})\})?(?<hash>\$2[aby]\$\d\d\$[./A-Za-z0-9]{53})$/;

/** Reads `Account.password_hash`. */
export function readPasswordHash(text: string): PasswordHash {
  const { hash, pepper } = BCRYPT.exec(text)?.groups ?? {};
  return hash === undefined ? { scheme: 'argon2', hash: text } : { scheme: 'bcrypt', hash, pepper };
}

/** The text that `Account.password_hash` has. */
export function passwordHashText({ hash, pepper }: PasswordHash): string {
  return pepper === undefined ? hash : `{pepper=${pepper}}${hash}`;
}

/** Whether a stored password is hashed anew when its user has given it. */
export function isImportedHash(text: string | null): text is string {
  return text !== null && readPasswordHash(text).scheme !== 'argon2';
}
