import { createHmac } from 'node:crypto';

/** The input of the MAC of a shared-secret registration. */
export interface MacInput {
  readonly nonce: string;
  /** As sent, not lower-cased. */
  readonly username: string;
  readonly password: string;
  readonly admin?: boolean;
  readonly userType?: string;
}

/**
 * The MAC of a shared-secret registration, in lower-case hexadecimal (admin-api.md). A second implementation, so
 * that tests do not rely on the code under test.
 */
export function registrationMac(secret: string, input: MacInput): string {
  const { nonce, username, password, admin = false, userType } = input;
  const mac = createHmac('sha1', secret).update(`${nonce}\0${username}\0${password}\0`);
  mac.update(admin ? 'admin' : 'notadmin');
  if (userType) mac.update(`\0${userType}`);
  return mac.digest('hex');
}
