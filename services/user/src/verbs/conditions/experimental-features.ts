/** The features that can be enabled (behaviour.md 13.1). They are stored, and change no behaviour. */
export const FEATURES = ['msc3026', 'msc3881', 'msc3967'];
