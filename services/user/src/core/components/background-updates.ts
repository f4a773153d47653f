/** Whether background updates may run. There are none, so this has no effect. */
export interface BackgroundUpdates {
  enabled: boolean;
}
