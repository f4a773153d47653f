import {
  create,
  type DescEnum,
  type DescExtension,
  type DescFile,
  type DescMessage,
  type DescService,
  type MessageInitShape,
  toBinary,
} from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import {
  ServerReflection,
  type ServerReflectionRequest,
  type ServerReflectionResponseSchema,
} from '@steward/proto/grpc/reflection/v1/reflection_pb.ts';
import { ServerReflection as ServerReflectionAlpha } from '@steward/proto/grpc/reflection/v1alpha/reflection_pb.ts';
import { Health } from '@steward/proto/health/v1/health_pb.ts';
import { methodRules } from './method-rules.ts';
import { type Route, route } from './routes.ts';

/** How many streams may be open, for which callers need no credential. */
const MAX_STREAMS = 100;

/** The services that describe and report, of which every method is public. */
const OPEN = [Health, ServerReflection, ServerReflectionAlpha];

/** The paths of the streams of reflection, which go on until a side ends them. */
export const REFLECTION_PATHS = [ServerReflection, ServerReflectionAlpha].map(
  ({ typeName, method }) => `/${typeName}/${method.serverReflectionInfo.name}`,
);

type Answer = NonNullable<MessageInitShape<typeof ServerReflectionResponseSchema>['messageResponse']>;

/** What is declared in files, by its full name. */
interface Declarations {
  /** The names of the files that declare services, methods, messages, enums and extensions. */
  readonly fileOf: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, DescFile>;
  readonly extensions: readonly DescExtension[];
}

/**
 * The standard reflection service, in both of its versions: by it tools learn the methods that clients may call, and their
 * messages. Services and methods for the server's own processes are left out.
 */
export function reflectionRoutes(routes: readonly Route[]): readonly Route[] {
  const services = [...routes.map(({ service }) => service), ...OPEN];
  const names = services.filter((service) => offeredOf(service).size > 0).map(({ typeName }) => typeName);
  const listed = [...new Set(names)].sort();
  // Most processes are never asked.
  let declarations: Declarations | undefined;
  const encoded = new Map<string, Uint8Array>();
  const encode = (file: DescFile) => {
    const known = encoded.get(file.name) ?? toBinary(FileDescriptorProtoSchema, publicPart(file));
    encoded.set(file.name, known);
    return known;
  };
  let streams = 0;
  async function* serverReflectionInfo(requests: AsyncIterable<ServerReflectionRequest>) {
    if (streams >= MAX_STREAMS) throw new ConnectError('Too many callers ask', Code.ResourceExhausted);
    streams++;
    try {
      const sent = new Set<string>();
      for await (const request of requests) {
        declarations ??= declarationsOf(services);
        const found = answer(request, listed, declarations);
        const messageResponse = found.case === undefined ? described(found.file, sent, encode) : found;
        yield { validHost: request.host, originalRequest: request, messageResponse };
      }
    } finally {
      streams--;
    }
  }
  return [
    route(ServerReflection, { serverReflectionInfo }),
    // The messages of the two versions are alike.
    route(ServerReflectionAlpha, { serverReflectionInfo: serverReflectionInfo as never }),
  ];
}

/** The answer to a request, or the file that it consists of. */
function answer(
  { messageRequest: request }: ServerReflectionRequest,
  listed: readonly string[],
  { fileOf, files, extensions }: Declarations,
): Exclude<Answer, { case?: undefined }> | { readonly case?: undefined; readonly file: DescFile } {
  const fileNamed = (name: string | undefined, what: string) => {
    const file = name === undefined ? undefined : files.get(name);
    return file ? { file } : refused(Code.NotFound, `${what} is not known here`);
  };
  switch (request.case) {
    case 'listServices':
      return { case: 'listServicesResponse', value: { service: listed.map((name) => ({ name })) } };
    case 'fileByFilename':
      return fileNamed(request.value, request.value);
    case 'fileContainingSymbol':
      return fileNamed(fileOf.get(request.value), request.value);
    case 'fileContainingExtension': {
      const { containingType, extensionNumber } = request.value;
      const found = extensions.find(
        ({ extendee, number }) => extendee.typeName === containingType && number === extensionNumber,
      );
      return fileNamed(found?.file.proto.name, `${containingType} [${extensionNumber}]`);
    }
    case 'allExtensionNumbersOfType': {
      const { value: baseTypeName } = request;
      if (!fileOf.has(baseTypeName)) return refused(Code.NotFound, `${baseTypeName} is not known here`);
      const its = extensions.filter(({ extendee }) => extendee.typeName === baseTypeName);
      const extensionNumber = its.map(({ number }) => number);
      return { case: 'allExtensionNumbersResponse', value: { baseTypeName, extensionNumber } };
    }
    default:
      return refused(Code.InvalidArgument, 'The request asks for nothing');
  }
}

function refused(errorCode: Code, errorMessage: string) {
  return { case: 'errorResponse', value: { errorCode, errorMessage } } as const;
}

/** The file, and those that it imports and that were not sent yet. */
function described(file: DescFile, sent: Set<string>, encode: (file: DescFile) => Uint8Array) {
  const imported = closureOf([file]).filter((each) => each !== file && !sent.has(each.name));
  const fileDescriptorProto = [file, ...imported].map(encode);
  for (const { name } of [file, ...imported]) sent.add(name);
  return { case: 'fileDescriptorResponse', value: { fileDescriptorProto } } as const;
}

/** A file without the services and methods that clients cannot call. */
function publicPart({ proto, services }: DescFile): FileDescriptorProto {
  const offered = new Map(services.map((service) => [service.name, offeredOf(service)]));
  const service = proto.service
    .map((each) => ({ ...each, method: each.method.filter(({ name }) => offered.get(each.name)?.has(name)) }))
    .filter(({ method }) => method.length > 0);
  return create(FileDescriptorProtoSchema, { ...proto, service });
}

/** The names of the methods of a service that clients may call. */
function offeredOf(service: DescService): ReadonlySet<string> {
  const isOpen = OPEN.some(({ typeName }) => typeName === service.typeName);
  const offered = service.methods.filter((method) => isOpen || methodRules(method).anyCredential);
  return new Set(offered.map(({ name }) => name));
}

function declarationsOf(services: readonly DescService[]): Declarations {
  const all = closureOf(services.filter((each) => offeredOf(each).size > 0).map(({ file }) => file));
  const fileOf = new Map<string, string>();
  const extensions: DescExtension[] = [];
  for (const file of all) {
    const add = (name: string) => fileOf.set(name, file.proto.name);
    const addTypes = (types: {
      readonly messages: readonly DescMessage[];
      readonly enums: readonly DescEnum[];
      readonly extensions: readonly DescExtension[];
    }) => {
      for (const { typeName } of [...types.messages, ...types.enums, ...types.extensions]) add(typeName);
      extensions.push(...types.extensions);
      for (const { nestedMessages, nestedEnums, nestedExtensions } of types.messages)
        addTypes({ messages: nestedMessages, enums: nestedEnums, extensions: nestedExtensions });
    };
    addTypes(file);
    for (const service of file.services) {
      const offered = offeredOf(service);
      if (offered.size > 0) add(service.typeName);
      for (const name of offered) add(`${service.typeName}.${name}`);
    }
  }
  return { fileOf, files: new Map(all.map((file) => [file.proto.name, file])), extensions };
}

/** Files, and all that they import, each after what it imports. */
function closureOf(files: readonly DescFile[]): readonly DescFile[] {
  const reached = new Set<DescFile>();
  const add = (file: DescFile) => {
    if (reached.has(file)) return;
    file.dependencies.forEach(add);
    reached.add(file);
  };
  files.forEach(add);
  return [...reached];
}
