/**
 * Numbers of cells that came before, by their bytes: a column of offers repeats few values, and
 * making a text of each costs more than the rest of its line.
 */
export interface KnownCells {
  /** The number of the cell `bytes[from..to)`; -1 when it is not known. */
  find(bytes: Uint8Array, from: number, to: number): number
  /** Remembers a cell that {@link find} doesn't know, while there is room. */
  add(bytes: Uint8Array, from: number, to: number, number: number): void
}

const ROOM = 128 * 1024

/** @param most cells that are remembered at most */
export function createKnownCells(most: number): KnownCells {
  const slots = 2 ** Math.ceil(Math.log2(most * 2))
  /**
   * Of each slot: where the cell begins in `kept`, its length, and its number and one; 0 there for
   * a slot that is free.
   */
  const cells = new Uint32Array(slots * 3)
  const kept = new Uint8Array(ROOM)
  let keptLength = 0
  let count = 0

  /** The slot of the cell, or the free one where it would stand, as an index into `cells`. */
  function slotOf(bytes: Uint8Array, from: number, to: number): number {
    let hash = 0
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x0100_0193)
    const length = to - from
    for (let slot = (hash ^ (hash >>> 15)) & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
      const place = slot * 3
      if (cells[place + 2] === 0) return place
      if (cells[place + 1] !== length) continue
      const begins = cells[place] ?? 0
      let same = 0
      while (same < length && kept[begins + same] === bytes[from + same]) same++
      if (same === length) return place
    }
  }
  return {
    find: (bytes, from, to) => (cells[slotOf(bytes, from, to) + 2] ?? 0) - 1,
    add(bytes, from, to, number) {
      if (count === most || keptLength + to - from > ROOM) return
      cells.set([keptLength, to - from, number + 1], slotOf(bytes, from, to))
      kept.set(bytes.subarray(from, to), keptLength)
      keptLength += to - from
      count++
    },
  }
}
