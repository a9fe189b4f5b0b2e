/**
 * Looks up the numbers of known cells by their bytes. An offer column repeats few values, and
 * decoding each one would cost more than the rest of its line.
 */
export interface KnownCells {
  /** The number of the cell `bytes[from..to)`; -1 if it is unknown. */
  find(bytes: Uint8Array, from: number, to: number): number
  /** Stores a cell that {@link find} doesn't know, up to the limit. */
  add(bytes: Uint8Array, from: number, to: number, number: number): void
}

const ROOM = 128 * 1024

/** @param most maximum number of stored cells */
export function createKnownCells(most: number): KnownCells {
  const slots = 2 ** Math.ceil(Math.log2(most * 2))
  /**
   * Per slot: the cell's start in `kept`, its length, and its number plus one; 0 marks a free slot.
   */
  const cells = new Uint32Array(slots * 3)
  const kept = new Uint8Array(ROOM)
  let keptLength = 0
  let count = 0

  /** The slot of the cell, or the free slot for it, as an index into `cells`. */
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
