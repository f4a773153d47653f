import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  DescribeMediaRequest,
  DescribeMediaResponseSchema,
} from '@steward/proto/steward/media/v1/description_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { mediaKey } from '../../core/model/media.ts';
import { baseType } from '../../core/model/media-type.ts';

/** Describes a medium for another service; a medium that is being deleted has no description. */
export async function describeMedia(
  deps: Pick<Deps, 'media'>,
  { serverName, mediaId }: DescribeMediaRequest,
): Promise<MessageInitShape<typeof DescribeMediaResponseSchema>> {
  const medium = await deps.media.findOne(
    { _id: mediaKey(serverName, mediaId), state: 'stored' },
    { projection: { length: 1, type: 1 } },
  );
  return medium ? { description: { length: BigInt(medium.length), type: baseType(medium.type) } } : {};
}
