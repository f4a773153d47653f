import type { DescMethod, DescService } from '@bufbuild/protobuf';
import type { ForwardedWriters } from '@steward/rpc';
import { compile } from './bindings.ts';
import type { WriteAnswer } from './write-answer.ts';

/**
 * The writers of the answers of services, for the process that serves them: it writes what a gateway passes on, so that neither
 * of them makes messages of it.
 *
 * @throws StartupError naming the method, for a contract that cannot be served as it is declared
 */
export function forwardedWriters(services: readonly DescService[]): ForwardedWriters {
  const writers = new Map<DescMethod, Map<string, WriteAnswer>>();
  for (const { method, responseBodyField, write } of compile(services)) {
    const ofMethod = writers.get(method) ?? new Map<string, WriteAnswer>();
    writers.set(method, ofMethod.set(responseBodyField, write));
  }
  return (method, { responseBody, compat }) => {
    const write = writers.get(method)?.get(responseBody);
    return write && ((answer) => write(answer, compat ? 'compat' : 'native'));
  };
}
