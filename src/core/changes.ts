import type { Change, Topic } from '../contract/app/app.ts'

/** The stream of change notifications. It carries no data: readers request again what they show. */
export interface Changes {
  notify(topic: Topic, accountId?: string | null, id?: string | null): void
  /**
   * Every change from now until `signal` aborts. A slow reader receives a repeated change only
   * once.
   */
  listen(signal: AbortSignal): AsyncGenerator<Change, void, void>
}

/**
 * An in-memory stream. Changes with the same topic, account and ID are merged while a reader is
 * busy.
 */
export function createChanges(): Changes {
  const readers = new Set<{ waiting: Map<string, Change>; wake: () => void }>()
  return {
    notify(topic, accountId = null, id = null) {
      const change: Change = { topic, accountId, id }
      for (const reader of readers) {
        reader.waiting.set(`${topic}\n${accountId}\n${id}`, change)
        reader.wake()
      }
    },
    async *listen(signal) {
      const reader = { waiting: new Map<string, Change>(), wake: () => {} }
      readers.add(reader)
      const stop = (): void => reader.wake()
      signal.addEventListener('abort', stop)
      try {
        yield { topic: 'connection', accountId: null, id: null }
        while (!signal.aborted) {
          if (reader.waiting.size === 0)
            await new Promise<void>((resolve) => {
              reader.wake = resolve
            })
          const batch = [...reader.waiting.values()]
          reader.waiting.clear()
          yield* batch
        }
      } finally {
        signal.removeEventListener('abort', stop)
        readers.delete(reader)
      }
    },
  }
}
