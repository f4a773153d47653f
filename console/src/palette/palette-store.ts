import { createSpotlight } from '@mantine/spotlight';

/** Whether the palette is open. */
export const [paletteStore, palette] = createSpotlight();
