import { openPeer, runProcess, serveService } from '@steward/runtime';
import { mediaThrough, noMedia } from './peers/media.ts';
import { roomsThrough } from './peers/rooms.ts';
import { startUserService } from './service.ts';

await runProcess('steward-user', process.env, (context) => {
  const { config } = context;
  // Only user searches call the room service, so each of the two services starts without the other.
  const room = openPeer(context, 'user service', 'room');
  // The URLs of the media service are required only where avatars have to be checked.
  const { max_avatar_bytes: maxBytes, allowed_avatar_types: types } = config.media;
  const checksAvatars = maxBytes !== undefined || types !== undefined;
  const media = checksAvatars ? openPeer(context, 'user service', 'media') : undefined;
  return serveService(context, async (engines) => {
    const service = await startUserService({
      config,
      rooms: roomsThrough(room),
      media: media ? mediaThrough(media) : noMedia,
      ...engines,
    });
    return {
      ...service,
      kind: 'user',
      peers: media ? { room, media } : { room },
      async close() {
        await service.close();
        room.close();
        media?.close();
      },
    };
  });
});
