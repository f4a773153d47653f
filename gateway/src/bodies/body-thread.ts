/** The thread of `LargeBodyReader`: reads one request after the other. */
import { toBinary } from '@bufbuild/protobuf';
import { compile } from '@steward/http';
import { services } from '../services.ts';
import { type Answer, nameOf, type Task } from './large-body-reader.ts';
import { moved } from './moved.ts';

const bindings = new Map(compile(services).map((binding) => [nameOf(binding), binding]));

/** Reads a request. */
export function readRequest({ binding: name, input }: Task): Answer {
  const binding = bindings.get(name);
  if (!binding) throw new Error(`There is no binding ${name}`);
  const { message, deferred } = binding.read(input);
  const bytes = toBinary(binding.method.input, message);
  return moved({ message: bytes, deferred }, bytes.buffer);
}
