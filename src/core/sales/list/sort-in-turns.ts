import { setImmediate } from 'node:timers/promises'

/** Merges two sorted lists. Equal items of the first come first. */
async function mergeInTurns<Item>(
  first: readonly Item[],
  second: readonly Item[],
  compare: (a: Item, b: Item) => number,
  size: number,
): Promise<Item[]> {
  const merged: Item[] = []
  for (let a = 0, b = 0; a + b < first.length + second.length;) {
    const [left, right] = [first[a], second[b]]
    const isLeft = right === undefined || (left !== undefined && compare(left, right) <= 0)
    merged.push((isLeft ? left : right) as Item)
    if (isLeft) a += 1
    else b += 1
    if (merged.length % size === 0) await setImmediate()
  }
  return merged
}

/**
 * Sorts items, and keeps the order of equal ones. Works on `size` items in one turn, so that the
 * core can handle other work between two turns.
 */
export async function sortInTurns<Item extends object>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  size: number,
): Promise<Item[]> {
  let runs: Item[][] = []
  for (let from = 0; from < items.length; from += size) {
    runs.push(items.slice(from, from + size).toSorted(compare))
    await setImmediate()
  }
  while (runs.length > 1) {
    const longer: Item[][] = []
    for (let at = 0; at < runs.length; at += 2)
      longer.push(await mergeInTurns(runs[at] ?? [], runs[at + 1] ?? [], compare, size))
    runs = longer
  }
  return runs[0] ?? []
}
