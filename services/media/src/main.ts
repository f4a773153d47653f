import { closeAll, systemRandom } from '@steward/kernel';
import { authenticateThrough, authorityThrough } from '@steward/rpc';
import { checkDisk, makePrivate, openPeer, runProcess, serveService } from '@steward/runtime';
import { openBlobs } from './core/blobs/mod.ts';
import { startMediaService } from './service.ts';

await runProcess('steward-media', process.env, (context) => {
  const { config } = context;
  const user = openPeer(context, 'media service', 'user');
  const room = openPeer(context, 'media service', 'room');
  return serveService(context, async (engines) => {
    if (config.media.store === 'file')
      await makePrivate(config.server.data, (line) => context.logger.warn(line));
    const blobs = await openBlobs(config, engines.store, systemRandom);
    const service = await startMediaService({ config, blobs, user, room, ...engines });
    return {
      kind: 'media',
      routes: service.routes,
      authenticate: authenticateThrough(user),
      authority: authorityThrough(user),
      peers: { user, room },
      checks: config.media.store === 'file' ? [checkDisk(config)] : [],
      drain: () => service.drain(),
      close: () =>
        closeAll([() => service.close(), () => blobs.close(), () => user.close(), () => room.close()]),
    };
  });
});
