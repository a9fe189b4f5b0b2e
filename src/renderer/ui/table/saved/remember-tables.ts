import type { StoreApi } from 'zustand'
import { parseColumnState, useColumnStore } from '../columns/column-store.ts'
import { isListSettingsId, parseListSettings, useListSettingsStore } from './list-settings.ts'

const SAVE_DELAY_MS = 400

type Keep = (id: string, choice: string) => void

/** Passes each changed part to `keep`, only once for several changes in a row. */
function follow<State>(
  store: Pick<StoreApi<State>, 'subscribe'>,
  partsOf: (state: State) => Record<string, unknown>,
  keep: Keep,
): () => void {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>()
  const stop = store.subscribe((state, before) => {
    for (const [id, part] of Object.entries(partsOf(state))) {
      if (part === partsOf(before)[id]) continue
      clearTimeout(waiting.get(id))
      waiting.set(
        id,
        setTimeout(() => {
          waiting.delete(id)
          keep(id, JSON.stringify(part))
        }, SAVE_DELAY_MS),
      )
    }
  })
  return () => {
    stop()
    for (const timer of waiting.values()) clearTimeout(timer)
  }
}

/**
 * Applies the saved choices of tables and lists, and then passes each change to `keep`. Choices
 * made before the saved ones arrived win. Returns a function that stops this.
 */
export function rememberTables(kept: Record<string, string>, keep: Keep): () => void {
  const of = <Part>(
    isWanted: (id: string) => boolean,
    read: (choice: string) => Part,
  ): Record<string, Part> =>
    Object.fromEntries(
      Object.entries(kept)
        .filter(([id]) => isWanted(id))
        .map(([id, choice]) => [id, read(choice)]),
    )
  useColumnStore.setState(({ tables }) => ({
    tables: { ...of((id) => !isListSettingsId(id), parseColumnState), ...tables },
  }))
  useListSettingsStore.setState(({ looks }) => ({
    looks: { ...of(isListSettingsId, parseListSettings), ...looks },
  }))
  const ends = [
    follow(useColumnStore, ({ tables }) => tables, keep),
    follow(useListSettingsStore, ({ looks }) => looks, keep),
  ]
  return () => {
    for (const end of ends) end()
  }
}
