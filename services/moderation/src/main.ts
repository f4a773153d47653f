import { closeAll } from '@steward/kernel';
import { authenticateThrough } from '@steward/rpc';
import { openPeer, openProcesses, runProcess, serveService } from '@steward/runtime';
import { startModerationService } from './service.ts';

await runProcess('steward-moderation', process.env, (context) => {
  const { config, tracing } = context;
  const user = openPeer(config, 'moderation service', 'user', tracing);
  const room = openPeer(config, 'moderation service', 'room', tracing);
  const media = openPeer(config, 'moderation service', 'media', tracing);
  return serveService(context, async (engines) => {
    const service = await startModerationService({
      ...engines,
      config,
      processes: await openProcesses(engines.store, engines.clock),
      user,
      room,
      media,
    });
    return {
      kind: 'moderation',
      routes: service.routes,
      authenticate: authenticateThrough(user),
      peers: { user, room, media },
      close: () =>
        closeAll([() => service.close(), () => user.close(), () => room.close(), () => media.close()]),
    };
  });
});
