import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { recent, type Thing } from '../session/recent.ts';
import { useMe } from '../session/use-session.ts';
import type { Entry } from './entry.ts';

/** Returns how to open what a line of the palette stands for. */
export function useOpenTarget(): (target: Entry['target']) => Promise<void> {
  const { user_id: user } = useMe();
  const navigate = useNavigate();
  return useCallback(
    (target) => {
      if ('page' in target) return navigate({ to: target.page.to });
      recent.note(user, target.thing);
      return navigate(addressOf(target.thing));
    },
    [navigate, user],
  );
}

function addressOf({ kind, id }: Thing) {
  switch (kind) {
    case 'user':
      return { to: '/users/$userId', params: { userId: id } } as const;
    case 'room':
      return { to: '/rooms/$roomId', params: { roomId: id } } as const;
    case 'report':
      return { to: '/reports/$reportId', params: { reportId: id } } as const;
    case 'task':
      return { to: '/tasks/$taskId', params: { taskId: id } } as const;
    case 'medium': {
      const [serverName = '', mediaId = ''] = id.slice('mxc://'.length).split('/');
      return { to: '/media/$serverName/$mediaId', params: { serverName, mediaId } } as const;
    }
  }
}
