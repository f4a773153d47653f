import { openPeer, runProcess, serveService } from '@steward/runtime';
import { roomsThrough } from './peers/rooms.ts';
import { startUserService } from './service.ts';

await runProcess('steward-user', process.env, (context) => {
  const { config } = context;
  // Only user searches call the room service, so each of the two services starts without the other.
  const room = openPeer(config, 'user service', 'room');
  return serveService(context, async (engines) => {
    const service = await startUserService({ config, rooms: roomsThrough(room), ...engines });
    return {
      ...service,
      async close() {
        await service.close();
        room.close();
      },
    };
  });
});
