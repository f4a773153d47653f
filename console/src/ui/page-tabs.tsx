import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';

/** A tab of a page that is as high as the window. */
export interface PageTab {
  /** As it stands in the address. */
  readonly id: string;
  /** Its name; a tab without one is not offered. */
  readonly label: string | undefined;
  readonly content: ReactNode;
  /** Whether the page scrolls, in place of a table on it. */
  readonly scrolls?: boolean;
}

interface PageTabsProps {
  readonly tabs: readonly PageTab[];
  /** The tab that is open. */
  readonly tab: string;
  /** Receives the tab to open; undefined for the first one, which the address does not name. */
  readonly onTab: (tab: string | undefined) => void;
}

/** The tabs of a page. A tab reads when it is opened. */
export function PageTabs({ tabs, tab, onTab }: PageTabsProps) {
  return (
    <Tabs
      value={tab}
      onChange={(next) => onTab(next === null || next === tabs[0]?.id ? undefined : next)}
      keepMounted={false}
      className="tabs-fill"
    >
      <Tabs.List mb="sm">
        {tabs.map(
          ({ id, label }) =>
            label !== undefined && (
              <Tabs.Tab key={id} value={id}>
                {label}
              </Tabs.Tab>
            ),
        )}
      </Tabs.List>
      {tabs.map(({ id, content, scrolls }) => (
        <Tabs.Panel key={id} value={id} {...(scrolls ? {} : { className: 'tab-fill' })}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
