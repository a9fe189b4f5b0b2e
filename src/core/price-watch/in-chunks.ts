import { setImmediate } from 'node:timers/promises'

/** Processes items in chunks, so that the core can serve other requests in between. */
export async function inChunks<Item>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => void,
): Promise<void> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await setImmediate()
    for (const item of items.slice(from, from + size)) work(item)
  }
}
