import { toRefusal } from '@steward/errors';

/** From what status on an error is the server's. */
const SERVER_ERROR = 500;

/** Whether something was refused, and would be again; any other failure may pass. */
export function isRefusal(error: unknown): boolean {
  return toRefusal(error).status < SERVER_ERROR;
}
