import { fromBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
  type ServiceDescriptorProto,
} from '@bufbuild/protobuf/wkt';

/**
 * The leading comment of a declaration, by the full name of a message, an enum or a service, with the name of a field, a
 * value or a method appended after a dot.
 */
export type Comments = (name: string) => string | undefined;

/** The numbers of the fields by which `SourceCodeInfo` names a declaration. */
const FILE_MESSAGE = 4;
const FILE_ENUM = 5;
const FILE_SERVICE = 6;
const MESSAGE_FIELD = 2;
const MESSAGE_NESTED = 3;
const ENUM_VALUE = 2;
const SERVICE_METHOD = 2;

/**
 * Reads the comments from a binary `google.protobuf.FileDescriptorSet` with source information, which
 * generated code lacks. `buf build --as-file-descriptor-set` writes one.
 */
export function readComments(fileDescriptorSet: Uint8Array): Comments {
  const comments = new Map<string, string>();
  for (const file of fromBinary(FileDescriptorSetSchema, fileDescriptorSet).file) {
    for (const { path, leadingComments } of file.sourceCodeInfo?.location ?? []) {
      const name = leadingComments === '' ? undefined : nameAt(file, path);
      if (name !== undefined) comments.set(`${file.package}.${name}`, unwrap(leadingComments));
    }
  }
  return (name) => comments.get(name);
}

function nameAt(file: FileDescriptorProto, [kind, index, ...rest]: readonly number[]): string | undefined {
  if (index === undefined) return undefined;
  if (kind === FILE_MESSAGE) return nameInMessage(file.messageType[index], rest);
  if (kind === FILE_ENUM) return nameInEnum(file.enumType[index], rest);
  return kind === FILE_SERVICE ? nameInService(file.service[index], rest) : undefined;
}

function nameInMessage(message: DescriptorProto | undefined, path: readonly number[]): string | undefined {
  if (!message || path.length === 0) return message?.name;
  const [member, index = 0, ...rest] = path;
  if (member === MESSAGE_NESTED) return within(message, nameInMessage(message.nestedType[index], rest));
  return member === MESSAGE_FIELD && path.length === 2
    ? within(message, message.field[index]?.name)
    : undefined;
}

function nameInService(
  service: ServiceDescriptorProto | undefined,
  path: readonly number[],
): string | undefined {
  if (!service || path.length === 0) return service?.name;
  const [member, index = 0] = path;
  return member === SERVICE_METHOD && path.length === 2
    ? within(service, service.method[index]?.name)
    : undefined;
}

function nameInEnum(declared: EnumDescriptorProto | undefined, path: readonly number[]): string | undefined {
  if (!declared || path.length === 0) return declared?.name;
  const [member, index = 0] = path;
  return member === ENUM_VALUE && path.length === 2
    ? within(declared, declared.value[index]?.name)
    : undefined;
}

function within(owner: { readonly name: string }, name: string | undefined): string | undefined {
  return name === undefined ? undefined : `${owner.name}.${name}`;
}

/** Joins the lines of each paragraph. */
function unwrap(comment: string): string {
  return comment
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, ' ').trim())
    .join('\n\n');
}
