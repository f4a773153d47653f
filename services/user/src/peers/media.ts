import { createClient, type Transport } from '@connectrpc/connect';
import type { ContentUri } from '@steward/kernel';
import { MediaDescriptionService } from '@steward/proto/steward/media/v1/description_pb.ts';
import { callPeer } from '@steward/rpc';

/** What the user service needs to know of a medium. */
export interface MediaDescription {
  /** In bytes. */
  readonly length: number;
  /** The media type, without parameters, in lower case. */
  readonly type: string;
}

/** The query of the user service about media, which the media service stores. */
export interface Media {
  /** Describes a medium; `undefined` for one that is not stored here. */
  describe(uri: ContentUri): Promise<MediaDescription | undefined>;
}

/** The media of a server that stores none. */
export const noMedia: Media = { describe: async () => undefined };

/** Calls the media service through a transport; while it is unreachable, calls are refused as unavailable for now. */
export function mediaThrough(transport: Transport): Media {
  const client = createClient(MediaDescriptionService, transport);
  return {
    async describe({ serverName, mediaId }) {
      const { description } = await callPeer(() => client.describeMedia({ serverName, mediaId }));
      return description && { length: Number(description.length), type: description.type };
    },
  };
}
