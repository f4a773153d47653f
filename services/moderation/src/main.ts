import { closeAll } from '@steward/kernel';
import { authenticateThrough, authorityThrough } from '@steward/rpc';
import { openPeer, openProcesses, runProcess, serveService } from '@steward/runtime';
import { startModerationService } from './service.ts';

await runProcess('steward-moderation', process.env, (context) => {
  const { config } = context;
  const user = openPeer(context, 'moderation service', 'user');
  const room = openPeer(context, 'moderation service', 'room');
  const media = openPeer(context, 'moderation service', 'media');
  return serveService(context, async (engines) => {
    const service = await startModerationService({
      ...engines,
      config,
      sendsWebhooks: true,
      processes: await openProcesses(engines.store, engines.clock),
      user,
      room,
      media,
    });
    return {
      kind: 'moderation',
      routes: service.routes,
      authenticate: authenticateThrough(user),
      authority: authorityThrough(user),
      peers: { user, room, media },
      drain: service.drain,
      close: () =>
        closeAll([() => service.close(), () => user.close(), () => room.close(), () => media.close()]),
    };
  });
});
