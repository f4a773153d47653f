/** Files reports in the background: those of crashed processes, imported ones, and those from before there was an inbox. */
export interface Filer {
  /** Begins; has no effect while it runs. */
  wake(): void;
  /** Files what can be filed now. Failures are reported, and tried again at the next time. */
  run(): Promise<void>;
  /** Waits for the batch that is being filed, and begins no other. */
  close(): Promise<void>;
}
