import type { OutboxFacts } from '../../contract/outbox.ts'
import type { StoredEntry } from './store.ts'

/** How a feature's changes wait and are sent. */
export type OutboxHandler = {
  /**
   * Reads the subject from the service; null when it is not there any more. Throws Failure when the
   * service can't be asked.
   */
  present(accountId: string, entry: StoredEntry, signal?: AbortSignal): Promise<OutboxFacts | null>
  /**
   * Sends it. Throws Failure: `CHANGED_MEANWHILE`, the service's refusal, or one that leaves the
   * outcome unknown.
   */
  send(accountId: string, entry: StoredEntry, text: string | null): Promise<void>
  /**
   * Whether an entry whose answer got lost was carried out after all; left out where being as
   * wanted says so.
   */
  wasDone?(accountId: string, entry: StoredEntry, text: string | null): Promise<boolean>
}
