import { setImmediate } from 'node:timers/promises'

/** Takes items one after the other, some at a time, so that the core answers others in between. */
export async function inPieces<Item>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => void,
): Promise<void> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await setImmediate()
    for (const item of items.slice(from, from + size)) work(item)
  }
}
