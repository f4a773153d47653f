/** Whether updates in the background may run. Nothing ever has to be updated so. */
export interface BackgroundUpdates {
  enabled: boolean;
}
