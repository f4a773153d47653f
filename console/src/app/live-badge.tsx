import { Badge, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../api/use-can.ts';
import { useLiveState } from '../live/use-live-state.ts';

/** Says whether changes on the server show at once. */
export function LiveBadge() {
  const { t } = useTranslation();
  const can = useCan();
  const state = useLiveState();
  const shown =
    !can('events.list') || state === 'ended' ? 'off' : state === 'connected' ? 'connected' : 'reconnecting';
  const colour = { off: 'gray', connected: 'green', reconnecting: 'orange' }[shown];
  return (
    <Tooltip
      label={t(`live.${shown}_hint`)}
      multiline
      w={260}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Badge
        variant="dot"
        color={colour}
        tt="none"
        role="status"
        aria-label={`${t(`live.${shown}`)}. ${t(`live.${shown}_hint`)}`}
        visibleFrom="xs"
        data-live={shown}
      >
        {t(`live.${shown}`)}
      </Badge>
    </Tooltip>
  );
}
