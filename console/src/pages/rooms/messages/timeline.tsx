import { Alert, Button, Center, Group } from '@mantine/core';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../ui/errors/error-notice.tsx';
import { Note, QueryState } from '../../../ui/query-state.tsx';
import type { RoomEvent } from '../room/room-event.ts';
import { type ChosenEvent, EventDialogs } from './event-dialogs.tsx';
import { type EventAction, EventItem } from './event-item.tsx';
import { type TimelineFilter, useTimeline } from './use-timeline.ts';

interface TimelineProps {
  readonly roomId: string;
  /** The event that is in the middle at first; the newest one is at the end when unset. */
  readonly eventId: string | undefined;
  readonly filter: TimelineFilter;
}

/** The history of a room, the oldest event first, which grows at both ends when it is asked to. */
export function Timeline({ roomId, eventId, filter }: TimelineProps) {
  const { t } = useTranslation('rooms');
  const [chosen, setChosen] = useState<ChosenEvent>();
  const { query, events } = useTimeline(roomId, eventId, filter, true);
  const region = useRef<HTMLElement>(null);
  useScrollPosition(region, events, eventId);
  const edits = useMemo(
    () =>
      new Map(
        events.flatMap(({ id, replaces }) => (replaces === undefined ? [] : [[replaces, id] as const])),
      ),
    [events],
  );
  const act = useCallback((action: EventAction, event: RoomEvent) => setChosen({ action, event }), []);
  const { hasPreviousPage, isFetchingPreviousPage, isFetchingNextPage, fetchPreviousPage, fetchNextPage } =
    query;
  const lastIsEmpty = query.data?.pages.at(-1)?.events.length === 0;
  return (
    <>
      <QueryState query={query} operation="rooms.listMessages">
        {() => (
          <section
            ref={region}
            className="timeline"
            aria-label={t('tab_messages')}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
            tabIndex={0}
          >
            <Center>
              {hasPreviousPage ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={isFetchingPreviousPage}
                  onClick={() => void fetchPreviousPage()}
                >
                  {t('older')}
                </Button>
              ) : (
                <Alert variant="outline" color="gray" p="xs">
                  {t('beginning')}
                </Alert>
              )}
            </Center>
            {query.isFetchPreviousPageError && <ErrorNotice error={query.error} />}
            {events.length === 0 && <Note>{t('messages_empty')}</Note>}
            <ol>
              {events.map((event) => (
                <EventItem
                  key={event.id}
                  event={event}
                  isChosen={event.id === eventId}
                  editedBy={edits.get(event.id)}
                  onAction={act}
                />
              ))}
            </ol>
            {query.isFetchNextPageError && <ErrorNotice error={query.error} />}
            <Group justify="center">
              <Button
                size="compact-sm"
                variant="default"
                loading={isFetchingNextPage}
                onClick={() => void fetchNextPage()}
              >
                {lastIsEmpty ? t('newer_again') : t('newer')}
              </Button>
            </Group>
          </section>
        )}
      </QueryState>
      <EventDialogs roomId={roomId} chosen={chosen} onClose={() => setChosen(undefined)} />
    </>
  );
}

/** Begins at the event that was asked for, or at the newest one; stays at what is in sight when older events are added. */
function useScrollPosition(
  region: React.RefObject<HTMLElement | null>,
  events: readonly RoomEvent[],
  eventId: string | undefined,
): void {
  const begun = useRef(false);
  const before = useRef({ firstId: '', height: 0 });
  const firstId = events[0]?.id ?? '';
  useLayoutEffect(() => {
    const element = region.current;
    if (element === null || events.length === 0) return;
    const { firstId: formerFirst, height } = before.current;
    if (!begun.current) {
      begun.current = true;
      if (eventId === undefined) element.scrollTop = element.scrollHeight;
      else moveToMiddle(element, element.querySelector(`[data-event="${CSS.escape(eventId)}"]`));
    } else if (formerFirst !== firstId && element.scrollTop < height) {
      element.scrollTop += element.scrollHeight - height;
    }
    before.current = { firstId, height: element.scrollHeight };
  }, [region, events, firstId, eventId]);
}

/** Scrolls what is in a region to its middle, and nothing around the region. */
function moveToMiddle(region: HTMLElement, target: Element | null): void {
  if (target === null) return;
  const { top, height } = target.getBoundingClientRect();
  const { top: regionTop, height: regionHeight } = region.getBoundingClientRect();
  region.scrollTop += top - regionTop - (regionHeight - height) / 2;
}
