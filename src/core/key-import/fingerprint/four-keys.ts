// oxlint-disable typescript/no-non-null-assertion -- fixed offsets; fallbacks cost a third of the speed
import { round, start } from './sha256.ts'
import {
  add,
  and,
  call,
  constant,
  get,
  load,
  loop,
  moduleOf,
  or,
  rotr,
  set,
  shr,
  shuffle,
  store,
  xor,
} from './wasm.ts'
import type { Code } from './wasm.ts'

/** A key with up to this many bytes fits in one SHA-256 block with its padding. */
const SHORT_KEY = 55
/** Number of keys hashed per call. */
const MOST_KEYS = 1024

const lanes = [0, 1, 2, 3] as const
const vector = 16
const blockBytes = 64
const stateBytes = 8 * vector
/** Offsets in the module's memory. A vector holds one word of each of four keys. */
const place = {
  rounds: 0,
  states: 64 * vector,
  padding: 64 * vector + 3 * stateBytes,
  words: 64 * vector + 4 * stateBytes,
  blocks: 4096,
}
const pages = Math.ceil((place.blocks + MOST_KEYS * blockBytes) / 65_536)
const zero = constant(0)
const wordAt = (t: number): number => place.words + t * vector

/**
 * Takes the address of a state, mixes the four blocks in words 0 to 15 into it, and leaves the
 * result in words 0 to 7 (FIPS 180-4, section 6.2.2).
 */
function mixFour(): Code {
  const from = get(0)
  const at = get(1)
  const [x, y] = [2, 3]
  const letters = [4, 5, 6, 7, 8, 9, 10, 11]
  const extended = add(
    load(at, wordAt(0)),
    xor(rotr(get(x), 7), rotr(get(x), 18), shr(get(x), 3)),
    load(at, wordAt(9)),
    xor(rotr(get(y), 17), rotr(get(y), 19), shr(get(y), 10)),
  )
  const schedule = [
    ...set(x, load(at, wordAt(1))),
    ...set(y, load(at, wordAt(14))),
    ...store(at, wordAt(16), extended),
  ]
  // After eight rounds every variable has its original role again, so no values have to be moved.
  const eightRounds = letters.flatMap((_, t) => {
    const letter = (index: number): number => letters[(index + 8 - t) % 8] ?? 0
    const [a, b, c, e, f, g, h] = [0, 1, 2, 4, 5, 6, 7].map((index) => get(letter(index))) as [
      Code,
      Code,
      Code,
      Code,
      Code,
      Code,
      Code,
    ]
    return [
      ...set(
        letter(7),
        add(
          h,
          load(at, wordAt(t)),
          load(at, place.rounds + t * vector),
          xor(rotr(e, 6), rotr(e, 11), rotr(e, 25)),
          xor(g, and(e, xor(f, g))),
        ),
      ),
      ...set(letter(3), add(get(letter(3)), h)),
      ...set(
        letter(7),
        add(h, xor(rotr(a, 2), rotr(a, 13), rotr(a, 22)), or(and(a, b), and(c, or(a, b)))),
      ),
    ]
  })
  return [
    ...loop(1, constant(48 * vector), vector, schedule),
    ...set(1, zero),
    ...letters.flatMap((letter, index) => set(letter, load(from, index * vector))),
    ...loop(1, constant(64 * vector), 8 * vector, eightRounds),
    ...letters.flatMap((letter, index) =>
      store(zero, wordAt(index), add(get(letter), load(from, index * vector))),
    ),
  ]
}

/** Transposes four vectors of four words. */
function turned(rows: readonly [number, number, number, number]): readonly Code[] {
  const [a, b, c, d] = rows.map(get) as [Code, Code, Code, Code]
  const order = (...from: number[]): Code =>
    from.flatMap((word) => lanes.map((byte) => word * 4 + byte))
  const low = order(0, 4, 1, 5)
  const high = order(2, 6, 3, 7)
  return [low, high].flatMap((pairs) =>
    [order(0, 1, 4, 5), order(2, 3, 6, 7)].map((half) =>
      shuffle(shuffle(a, b, pairs), shuffle(c, d, pairs), half),
    ),
  )
}

/**
 * Takes the end address of the blocks and writes the first four words of each key's fingerprint to
 * the start of its block.
 */
function printAll(): Code {
  const at = get(1)
  const rows = [2, 3, 4, 5] as const
  const bigEndian = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]
  const fourBlocks = lanes.flatMap((quarter) => [
    ...rows.flatMap((row, lane) =>
      set(row, load(at, place.blocks + lane * blockBytes + quarter * vector)),
    ),
    ...rows.flatMap((row) => set(row, shuffle(get(row), get(row), bigEndian))),
    ...turned(rows).flatMap((value, t) => store(zero, wordAt(quarter * 4 + t), value)),
  ])
  const padding = Array.from({ length: 8 }, (_, t) =>
    store(zero, wordAt(8 + t), load(zero, place.padding + t * vector)),
  ).flat()
  const mixInto = (state: number): Code => call(0, constant(place.states + state * stateBytes))
  return loop(1, get(0), 4 * blockBytes, [
    ...fourBlocks,
    ...mixInto(0),
    ...padding,
    ...mixInto(1),
    ...mixInto(2),
    ...rows.flatMap((row, t) => set(row, load(zero, wordAt(t)))),
    ...turned(rows).flatMap((value, lane) => store(at, place.blocks + lane * blockBytes, value)),
  ])
}

/** The parts of WebAssembly that this module needs; no type library of the core declares them. */
type Wasm = {
  validate(module: Uint8Array): boolean
  Module: new (module: Uint8Array) => object
  Instance: new (module: object) => {
    exports: { memory: { buffer: ArrayBuffer }; run(end: number): void }
  }
}

/**
 * Computes fingerprints of many keys: the key is `bytes[from..to)` and its four words are written
 * to `out` at `at`. `keys` holds `from`, `to` and `at` for each of `count` keys.
 */
export type PrintMany = (
  bytes: Uint8Array,
  keys: Uint32Array,
  count: number,
  out: Uint32Array,
) => void

/**
 * Computes fingerprints of four keys together with the processor's vector instructions. Returns null
 * if the processor has none.
 *
 * @param inside the initial states of the HMAC's two halves
 * @param one computes the fingerprint of a key longer than {@link SHORT_KEY}
 */
export function createFourKeys(
  inside: Int32Array,
  outside: Int32Array,
  one: (bytes: Uint8Array, from: number, to: number, out: Uint32Array, at: number) => void,
): PrintMany | null {
  const { validate, Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm })
    .WebAssembly
  const code = moduleOf(pages, [
    { vectors: 10, code: mixFour() },
    { vectors: 4, code: printAll() },
  ])
  if (!validate(code)) return null
  const { memory, run } = new Instance(new Module(code)).exports
  const blocks = new Uint8Array(memory.buffer, place.blocks, MOST_KEYS * blockBytes)
  const prints = new Uint32Array(memory.buffer, place.blocks, (MOST_KEYS * blockBytes) / 4)
  const fill = (at: number, words: Iterable<number>): void =>
    new Int32Array(memory.buffer, at).set([...words].flatMap((word) => [word, word, word, word]))
  fill(place.rounds, round)
  fill(place.states, [...start, ...inside, ...outside])
  // The padding after a 32-byte digest that is hashed again behind an HMAC block.
  fill(place.padding, [0x8000_0000 | 0, 0, 0, 0, 0, 0, 0, (blockBytes + 32) * 8])
  const places = new Uint32Array(MOST_KEYS)

  return (bytes, keys, count, out) => {
    for (let next = 0; next < count;) {
      let taken = 0
      blocks.fill(0)
      for (; next < count && taken < MOST_KEYS; next++) {
        const from = keys[next * 3]!,
          to = keys[next * 3 + 1]!,
          at = keys[next * 3 + 2]!
        if (to - from > SHORT_KEY) {
          one(bytes, from, to, out, at)
          continue
        }
        const block = taken * blockBytes
        for (let byte = from; byte < to; byte++) blocks[block + byte - from] = bytes[byte]!
        blocks[block + to - from] = 0x80
        blocks[block + 62] = (to - from) >> 5
        blocks[block + 63] = (to - from) << 3
        places[taken++] = at
      }
      if (taken > 0) run(Math.ceil(taken / lanes.length) * lanes.length * blockBytes)
      for (let key = 0; key < taken; key++) {
        for (let word = 0; word < 4; word++)
          out[places[key]! + word] = prints[key * (blockBytes / 4) + word]!
      }
    }
  }
}
