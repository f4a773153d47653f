import { type CallOptions, StewardError } from '@steward/sdk';
import { client } from '../client/client.ts';
import type { Answer, Operation, PagedOperation, Params } from '../client/operation.ts';
import { proofs } from '../session/proofs.ts';
import { session } from '../session/session.ts';

type AnyMethod = (params?: object, options?: CallOptions) => PromiseLike<unknown>;

const STEP_UP = 'STEWARD_STEP_UP_REQUIRED';
const UNAUTHENTICATED = 401;

/**
 * Calls an operation. Where the server requires that the user proves again who they are, asks them and then repeats the
 * call: the one that was refused has done nothing.
 *
 * @throws StewardError for a refusal, and when no answer came
 */
export async function call<O extends Operation>(
  operation: O,
  params?: Params<O>,
  options?: CallOptions,
): Promise<Answer<O>> {
  try {
    return await send(operation, params, options);
  } catch (error) {
    if (!(error instanceof StewardError) || error.status !== UNAUTHENTICATED) throw error;
    if (error.errcode !== STEP_UP) {
      session.expire();
      throw error;
    }
    await proofs.ask(error);
    return await send(operation, params, options);
  }
}

/** Goes through the items of all pages of a list. */
export function itemsOf<O extends PagedOperation>(operation: O, params: Params<O>, options?: CallOptions) {
  return methodOf(operation)(params, options) as unknown as AsyncIterable<unknown>;
}

/** Goes through the pages of a list. */
export function pagesOf<O extends PagedOperation>(operation: O, params: Params<O>, options?: CallOptions) {
  return (methodOf(operation)(params, options) as unknown as { pages(): AsyncIterable<Answer<O>> }).pages();
}

async function send<O extends Operation>(operation: O, params?: Params<O>, options?: CallOptions) {
  return (await methodOf(operation)(params, options)) as Answer<O>;
}

function methodOf(operation: Operation): AnyMethod {
  const [group, name] = operation.split('.') as [string, string];
  const methods = client as unknown as Record<string, Record<string, AnyMethod>>;
  const method = methods[group]?.[name];
  if (!method) throw new TypeError(`There is no operation ${operation}`);
  return method;
}
