import { ConnectError } from '@connectrpc/connect';

/** Why work failed, with what caused it: a service says that its store failed, the cause that the disk is full. */
export function reasonOf(error: Error): string {
  const { cause } = error;
  const own = error instanceof ConnectError ? error.rawMessage : error.message;
  const why = cause instanceof Error ? reasonOf(cause) : '';
  return why === '' || own.includes(why) ? own : why.startsWith(own) ? why : `${own}: ${why}`;
}
