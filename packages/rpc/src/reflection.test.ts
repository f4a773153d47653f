import { createFileRegistry, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Code, createClient, createRouterTransport } from '@connectrpc/connect';
import {
  ServerReflection,
  type ServerReflectionRequestSchema,
} from '@steward/proto/grpc/reflection/v1/reflection_pb.ts';
import { ServerReflection as ServerReflectionAlpha } from '@steward/proto/grpc/reflection/v1alpha/reflection_pb.ts';
import { AuthorityService } from '@steward/proto/steward/user/v1/authority_pb.ts';
import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { describe, expect, it } from 'vitest';
import { reflectionRoutes } from './reflection.ts';
import { route } from './routes.ts';

type Request = NonNullable<MessageInitShape<typeof ServerReflectionRequestSchema>['messageRequest']>;

const described = reflectionRoutes([route(DeviceService, {} as never), route(AuthorityService, {} as never)]);
const transport = createRouterTransport((router) => {
  for (const { register } of described) register(router, {});
});

describe.each([ServerReflection, ServerReflectionAlpha as unknown as typeof ServerReflection])(
  '$typeName',
  (version) => {
    const ask = async (...requests: readonly Request[]) => {
      async function* all() {
        for (const messageRequest of requests) yield { messageRequest };
      }
      const answers = createClient(version, transport).serverReflectionInfo(all());
      return (await Array.fromAsync(answers)).map(({ messageResponse }) => messageResponse);
    };

    it('lists the services that clients may call', async () => {
      const [answer] = await ask({ case: 'listServices', value: '' });
      expect(answer).toMatchObject({
        value: {
          service: [
            'grpc.health.v1.Health',
            'grpc.reflection.v1.ServerReflection',
            'grpc.reflection.v1alpha.ServerReflection',
            DeviceService.typeName,
          ].map((name) => ({ name })),
        },
      });
    });

    it('describes a service completely, without the methods for processes', async () => {
      const name = DeviceService.typeName;
      const [first, again] = await ask(
        { case: 'fileContainingSymbol', value: name },
        { case: 'fileByFilename', value: 'steward/user/v1/devices.proto' },
      );
      if (first?.case !== 'fileDescriptorResponse' || again?.case !== 'fileDescriptorResponse')
        throw new Error('no files');
      // The file comes first, then what it imports, in the order of imports.
      const [own, ...imported] = first.value.fileDescriptorProto.map((each) =>
        fromBinary(FileDescriptorProtoSchema, each),
      );
      if (!own) throw new Error('no file');
      const file = [...imported, own];
      const registry = createFileRegistry({ $typeName: FileDescriptorSetSchema.typeName, file });
      const methods = registry.getService(name)?.methods.map((method) => method.name) ?? [];
      expect(methods).toContain('ListDevices');
      expect(methods).not.toContain('CountDevices');
      // What was sent is not sent twice.
      expect(again.value.fileDescriptorProto).toHaveLength(1);
    });

    it('knows the options by their numbers', async () => {
      const containingType = 'google.protobuf.MethodOptions';
      const [numbers] = await ask({ case: 'allExtensionNumbersOfType', value: containingType });
      if (numbers?.case !== 'allExtensionNumbersResponse') throw new Error('no numbers');
      expect(numbers.value.extensionNumber).toContain(72_295_728);
      const value = { containingType, extensionNumber: 72_295_728 };
      expect(await ask({ case: 'fileContainingExtension', value })).toMatchObject([
        { case: 'fileDescriptorResponse' },
      ]);
    });

    it.each<Request>([
      { case: 'fileContainingSymbol', value: AuthorityService.typeName },
      { case: 'fileContainingSymbol', value: `${DeviceService.typeName}.CountDevices` },
      { case: 'fileByFilename', value: 'steward/user/v1/authority.proto' },
      { case: 'allExtensionNumbersOfType', value: 'no.Type' },
      { case: 'fileContainingExtension', value: { containingType: 'no.Type', extensionNumber: 1 } },
    ])('does not know $case $value', async (request) => {
      expect(await ask(request)).toMatchObject([
        { case: 'errorResponse', value: { errorCode: Code.NotFound } },
      ]);
    });
  },
);
