import './media-grid.css';
import { Skeleton } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import type { InventoryMedia } from '@steward/sdk';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowSource } from '../../api/row-source.ts';
import { ErrorNotice } from '../../ui/errors/error-notice.tsx';
import { Note } from '../../ui/query-state.tsx';
import type { Selection } from '../../ui/table/use-selection.ts';
import { MediaCard } from './media-card.tsx';
import { mediaIdOf } from './media-id.ts';

interface MediaGridProps {
  /** What the grid lists, for readers of the screen. */
  readonly label: string;
  readonly rows: RowSource<InventoryMedia>;
  readonly selection: Selection | undefined;
  readonly revealed: boolean;
  /** The text when there are no media. */
  readonly empty: ReactNode;
}

/** The least width of a card, in pixels. */
const CARD_PX = 150;
const GAP_PX = 12;
/** What a card has around its preview, and below it: four lines, and the badges on up to two. */
const FRAME_PX = 18;
const TEXT_PX = 148;
const OVERSCAN_ROWS = 2;
const SHAPE = 0.75;

/** Media as cards with their previews, of which those are rendered that are in sight. */
export function MediaGrid({ label, rows, selection, revealed, empty }: MediaGridProps) {
  const { t } = useTranslation();
  const viewport = useRef<HTMLDivElement>(null);
  const { ref, width } = useElementSize();
  const columns = Math.max(1, Math.floor((width - GAP_PX) / (CARD_PX + GAP_PX)));
  const cardWidth = (width - GAP_PX) / columns - GAP_PX;
  const previewWidth = Math.max(0, Math.floor(cardWidth - FRAME_PX));
  const previewHeight = Math.floor(previewWidth * SHAPE);
  const rowHeight = previewHeight + FRAME_PX + TEXT_PX + GAP_PX;
  const virtual = useVirtualizer({
    count: Math.ceil(rows.count / columns),
    getScrollElement: () => viewport.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN_ROWS,
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  const lines = virtual.getVirtualItems();
  const first = (lines[0]?.index ?? 0) * columns;
  const last = Math.min(((lines.at(-1)?.index ?? 0) + 1) * columns, rows.count) - 1;
  const { show } = rows;
  useEffect(() => show(first, last), [show, first, last]);
  const merged = useMergedRef(viewport, ref);

  if (rows.error !== null && rows.count === 0) return <ErrorNotice error={rows.error} onRetry={rows.retry} />;
  if (!rows.loading && rows.count === 0) return <Note>{empty}</Note>;
  return (
    <>
      {rows.error !== null && <ErrorNotice error={rows.error} onRetry={rows.retry} />}
      <section
        ref={merged}
        className="table-viewport"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
        aria-label={label}
        aria-busy={rows.loading}
      >
        {rows.loading && <Skeleton height="100%" role="status" aria-label={t('state.loading')} />}
        {/* biome-ignore lint/a11y/useSemanticElements: only the media in sight are in the document */}
        <div
          role="list"
          aria-label={label}
          style={{ height: virtual.getTotalSize() + GAP_PX, position: 'relative' }}
        >
          {width > 0 &&
            lines.map(({ index, start }) => (
              <div
                key={index}
                role="presentation"
                className="media-grid-row"
                style={{
                  gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
                  transform: `translateY(${start}px)`,
                  height: rowHeight,
                }}
              >
                {indexes(index * columns, Math.min((index + 1) * columns, rows.count)).map((at) => {
                  const media = rows.at(at);
                  if (media === undefined)
                    return <Skeleton key={at} height={rowHeight - GAP_PX} role="listitem" aria-busy />;
                  return (
                    <MediaCard
                      key={mediaIdOf(media)}
                      media={media}
                      position={at + 1}
                      total={rows.total ?? rows.count}
                      width={previewWidth}
                      height={previewHeight}
                      revealed={revealed}
                      selection={selection}
                    />
                  );
                })}
              </div>
            ))}
        </div>
      </section>
    </>
  );
}

function indexes(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
