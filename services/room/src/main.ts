import { authenticateThrough, authorityThrough } from '@steward/rpc';
import { openPeer, runProcess, serveService } from '@steward/runtime';
import { startRoomService } from './service.ts';

await runProcess('steward-room', process.env, (context) => {
  const { config } = context;
  const user = openPeer(context, 'room service', 'user');
  return serveService(context, async (engines) => {
    const service = await startRoomService({ config, user, sendsPushes: true, ...engines });
    return {
      kind: 'room',
      routes: service.routes,
      authenticate: authenticateThrough(user),
      authority: authorityThrough(user),
      peers: { user },
      drain: () => service.drain(),
      async close() {
        await service.close();
        user.close();
      },
    };
  });
});
