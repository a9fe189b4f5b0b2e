/** The system's clipboard, where the host can reach it without the page. */
export interface Clipboard {
  write(text: string): Promise<void>
  /**
   * Empties it if it still holds this text; what somebody copied meanwhile is not ours to erase.
   */
  clearIf(text: string): Promise<void>
}
