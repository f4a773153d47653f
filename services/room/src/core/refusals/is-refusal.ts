import { toRefusal } from '@steward/errors';

/** The lowest status of server errors. */
const SERVER_ERROR = 500;

/** Whether an error is a refusal, which a retry would meet again; any other failure may be transient. */
export function isRefusal(error: unknown): boolean {
  return toRefusal(error).status < SERVER_ERROR;
}
