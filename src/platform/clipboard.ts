/** The system's clipboard, if the host can access it without the page. */
export interface Clipboard {
  write(text: string): Promise<void>
  /**
   * Clears it if it still holds this text. Text that was copied in between is not Keydesk's to
   * erase.
   */
  clearIf(text: string): Promise<void>
}
