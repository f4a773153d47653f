import { ScrollArea, Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface PlainTableProps {
  readonly label: string;
  readonly head: readonly string[];
  /** The rows, each with its key and a cell for each heading. */
  readonly rows: readonly (readonly [key: string, cells: readonly ReactNode[]])[];
  /** The least width, in pixels, below which it scrolls. */
  readonly minWidth: number;
}

/** A table of few rows. */
export function PlainTable({ label, head, rows, minWidth }: PlainTableProps) {
  return (
    <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <Table miw={minWidth} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {head.map((each) => (
              <Table.Th key={each}>{each}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([key, cells]) => (
            <Table.Tr key={key}>
              {cells.map((cell, index) => (
                <Table.Td key={head[index]}>
                  <div style={CELL}>{cell}</div>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

/** Long texts break; short ones, such as an address, do not. */
const CELL = { width: 'max-content', maxWidth: 280, overflowWrap: 'anywhere' } as const;
