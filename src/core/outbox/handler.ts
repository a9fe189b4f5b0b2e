import type { OutboxFacts } from '../../contract/outbox.ts'
import type { StoredEntry } from './store.ts'

/** How the outbox compares and sends a feature's changes. */
export type OutboxHandler = {
  /**
   * Reads the subject from the service; null when it no longer exists. Throws Failure when the
   * service can't be reached.
   */
  readCurrent(
    accountId: string,
    entry: StoredEntry,
    signal?: AbortSignal,
  ): Promise<OutboxFacts | null>
  /**
   * Sends the change. Throws Failure: `CHANGED_MEANWHILE`, the service's rejection, or a failure
   * with an unknown outcome.
   */
  send(accountId: string, entry: StoredEntry, text: string | null): Promise<void>
  /**
   * Whether an entry with a lost response was carried out after all. Omitted where a subject in the
   * wanted state proves it.
   */
  wasApplied?(accountId: string, entry: StoredEntry, text: string | null): Promise<boolean>
}
