import { createHmac } from 'node:crypto';

/** What the MAC of a shared-secret registration covers. */
export interface MacInput {
  readonly nonce: string;
  /** As it is sent, not lower-cased. */
  readonly username: string;
  readonly password: string;
  readonly admin?: boolean;
  readonly userType?: string;
}

/**
 * The MAC of a shared-secret registration, in lower-case hexadecimal (admin-api.md). Written again
 * here, so that tests do not trust the code they test.
 */
export function registrationMac(secret: string, input: MacInput): string {
  const { nonce, username, password, admin = false, userType } = input;
  const mac = createHmac('sha1', secret).update(`${nonce}\0${username}\0${password}\0`);
  mac.update(admin ? 'admin' : 'notadmin');
  if (userType) mac.update(`\0${userType}`);
  return mac.digest('hex');
}
