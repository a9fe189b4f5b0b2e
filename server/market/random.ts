/**
 * A reproducible stream of numbers: the same seed text gives the same stream on every computer. For
 * invented data only; secrets come from the injected cryptographic source.
 */
export interface SeededRandom {
  /** From 0 (inclusive) to 1 (exclusive), in steps of 2^-32. */
  next(): number
  /** An integer from `low` to `high`, both inclusive. */
  between(low: number, high: number): number
  /** True with the given probability. */
  chance(probability: number): boolean
  /** One element of a list, which must not be empty. */
  pick<T>(list: readonly T[]): T
  /**
   * `count` different elements of a list, in the list's order; the complete list if it is shorter.
   */
  sample<T>(list: readonly T[], count: number): T[]
  /** One element of a list, in proportion to `weight`. */
  weighted<T extends { weight: number }>(list: readonly T[]): T
}

/**
 * Spreads a text over four 32-bit words, so that similar seeds give unrelated streams (cyrb128).
 */
const words = (seed: string): [number, number, number, number] => {
  let a = 1779033703
  let b = 3144134277
  let c = 1013904242
  let d = 2773480762
  for (let i = 0; i < seed.length; i++) {
    const code = seed.charCodeAt(i)
    a = b ^ Math.imul(a ^ code, 597399067)
    b = c ^ Math.imul(b ^ code, 2869860233)
    c = d ^ Math.imul(c ^ code, 951274213)
    d = a ^ Math.imul(d ^ code, 2716044179)
  }
  a = Math.imul(c ^ (a >>> 18), 597399067)
  b = Math.imul(d ^ (b >>> 22), 2869860233)
  c = Math.imul(a ^ (c >>> 17), 951274213)
  d = Math.imul(b ^ (d >>> 19), 2716044179)
  return [(a ^ b ^ c ^ d) >>> 0, (b ^ a) >>> 0, (c ^ a) >>> 0, (d ^ a) >>> 0]
}

/** A stream for this seed (sfc32). */
export const seededRandom = (seed: string): SeededRandom => {
  let [a, b, c, counter] = words(seed)
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4294967296
  }
  for (let i = 0; i < 12; i++) next()

  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  const at = <T>(list: readonly T[], index: number): T => {
    const item = list[index]
    if (item === undefined) throw new RangeError("Can't pick from an empty list")
    return item
  }
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (list) => at(list, Math.floor(next() * list.length)),
    sample: (list, count) => {
      const chosen: (typeof list)[number][] = []
      let wanted = Math.min(count, list.length)
      list.forEach((item, index) => {
        if (next() * (list.length - index) >= wanted) return
        chosen.push(item)
        wanted--
      })
      return chosen
    },
    weighted: (list) => {
      let left = next() * list.reduce((sum, item) => sum + item.weight, 0)
      return list.find((item) => (left -= item.weight) < 0) ?? at(list, list.length - 1)
    },
  }
}
