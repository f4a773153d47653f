import type { ReactNode } from 'react';

/** An order about a user: the entry of a menu, and its dialog. */
export interface UserOrder {
  readonly key: string;
  readonly text: string;
  readonly danger?: boolean;
  /** Whether it changes the account, for which the reader needs all its scopes. */
  readonly changesAccount: boolean;
  readonly dialog: (onClose: () => void) => ReactNode;
}
