/** The features that can be given (behaviour.md 13.1). They are remembered; nothing behaves differently. */
export const FEATURES = ['msc3026', 'msc3881', 'msc3967'];
