import { toRefusal } from '@steward/errors';

/** The least status of an error of the server. */
const SERVER_ERROR = 500;

/** Whether an error is a refusal, which a repetition would meet again; any other failure may pass. */
export function isRefusal(error: unknown): boolean {
  return toRefusal(error).status < SERVER_ERROR;
}
