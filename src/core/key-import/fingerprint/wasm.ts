/**
 * A small assembler for the WebAssembly instructions of the four-key hash. Each function takes the
 * code of its operands and returns the code that leaves its result on the stack, so that formulas
 * read as in the standard.
 */
export type Code = readonly number[]

/** An unsigned integer (LEB128). */
const number = (value: number): Code =>
  value < 128 ? [value] : [(value & 127) | 128, ...number(value >>> 7)]
const signed = (value: number): Code =>
  value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)]
const vector = (instruction: number): Code => [0xfd, ...number(instruction)]
/** A binary instruction, chained over further operands. */
const folded =
  (instruction: number) =>
  (first: Code, ...more: readonly Code[]): Code =>
    first.concat(...more.map((each) => [...each, ...vector(instruction)]))

const i32 = 0x7f
const v128 = 0x7b

export const get = (local: number): Code => [0x20, local]
export const set = (local: number, value: Code): Code => [...value, 0x21, local]
export const constant = (value: number): Code => [0x41, ...signed(value)]
export const call = (index: number, argument: Code): Code => [...argument, 0x10, index]
/** Runs `body` and adds `step` to the local, at least once, until it reaches `end`. */
export const loop = (local: number, end: Code, step: number, body: Code): Code => [
  0x03,
  0x40,
  ...body,
  ...get(local),
  ...constant(step),
  0x6a,
  0x22,
  local,
  ...end,
  0x49,
  0x0d,
  0,
  0x0b,
]

/** The vector at an address plus a fixed offset. */
export const load = (at: Code, offset: number): Code => [...at, ...vector(0), 0, ...number(offset)]
export const store = (at: Code, offset: number, value: Code): Code => [
  ...at,
  ...value,
  ...vector(11),
  0,
  ...number(offset),
]
export const and = folded(78)
export const or = folded(80)
export const xor = folded(81)
/** Adds the four words of two vectors pairwise. */
export const add = folded(174)
const shl = (x: Code, by: number): Code => [...x, ...constant(by), ...vector(171)]
export const shr = (x: Code, by: number): Code => [...x, ...constant(by), ...vector(173)]
export const rotr = (x: Code, by: number): Code => or(shr(x, by), shl(x, 32 - by))
/** Reorders the bytes of two vectors; 0 to 15 select bytes of the first. */
export const shuffle = (x: Code, y: Code, order: Code): Code => [
  ...x,
  ...y,
  ...vector(13),
  ...order,
]

const sized = (code: Code): Code => [...number(code.length), ...code]
const section = (id: number, code: Code): Code => [id, ...sized(code)]
const named = (name: string, kind: number, index: number): Code => [
  ...sized([...Buffer.from(name)]),
  kind,
  index,
]

/**
 * A function with one number parameter, another number in local 1, and this many vectors after it.
 */
export type Definition = { vectors: number; code: Code }

/** A module with a `memory` of this many 64 KiB pages. Its last function is exported as `run`. */
export function moduleOf(pages: number, functions: readonly Definition[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, [1, 0x60, 1, i32, 0]),
    ...section(3, [functions.length, ...functions.map(() => 0)]),
    ...section(5, [1, 0, ...number(pages)]),
    ...section(7, [2, ...named('memory', 2, 0), ...named('run', 0, functions.length - 1)]),
    ...section(10, [
      functions.length,
      ...functions.flatMap(({ vectors, code }) => sized([2, 1, i32, vectors, v128, ...code, 0x0b])),
    ]),
  ])
}
