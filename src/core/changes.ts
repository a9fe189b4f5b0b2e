import type { Change, Topic } from '../contract/app.ts'

/**
 * The stream of "something changed". Readers ask again for what they show; the stream itself
 * carries no data.
 */
export interface Changes {
  notify(topic: Topic, accountId?: string | null, id?: string | null): void
  /**
   * Every change from now on until `signal` aborts. A slow reader gets the same change once, not a
   * queue of repeats.
   */
  listen(signal: AbortSignal): AsyncGenerator<Change, void, void>
}

/**
 * A stream in memory. Changes with the same topic, account and id are merged while a reader is
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
