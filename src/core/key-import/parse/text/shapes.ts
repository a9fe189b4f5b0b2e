import { platformShapes } from './platform-shapes.ts'

/** Links, logins and pictures are delivered on every platform. */
export const anyShape = 1
const base = 64
const hyphen = 45
const colon = 58
/**
 * Whether a byte is a letter or a digit. A table lookup is faster than comparing ranges, whose
 * branches can't be predicted in a key.
 */
const isLetterOrDigit = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(/[A-Za-z0-9]/.test(String.fromCharCode(code))),
)

const shapes = [...new Set(platformShapes.flatMap((each) => each.shapes))]
const signatureOf = (shape: string): number =>
  shape.split('-').reduce((signature, length) => signature * base + Number(length), 0)
const bitOf = new Map(shapes.map((shape, index) => [signatureOf(shape), 2 << index]))
const maskOf = new Map(
  platformShapes.flatMap(({ platforms, shapes: usual }) => {
    const mask = usual.reduce(
      (bits, shape) => bits | (bitOf.get(signatureOf(shape)) ?? 0),
      anyShape,
    )
    return platforms.map((platform) => [platform, mask] as const)
  }),
)

/**
 * The shapes of a key as bits; 0 if none is known. A `login:password` and a link contain a colon.
 */
export function shapesOf(key: string): number {
  const bytes = Buffer.from(key)
  return shapesOfBytes(bytes, 0, bytes.length)
}

/**
 * The same for `bytes[from..to)`, in any encoding in which every byte below 128 is its ASCII
 * character.
 */
export function shapesOfBytes(bytes: Uint8Array, from: number, to: number): number {
  let signature = 0
  let length = 0
  for (let at = from; at < to; at++) {
    const code = bytes[at] ?? 0
    if (isLetterOrDigit[code] === 1) length++
    else if (code === hyphen && length > 0) {
      signature = signature * base + length
      length = 0
    } else return hasColon(bytes, at, to) ? anyShape : 0
  }
  return length === 0 || length >= base ? 0 : (bitOf.get(signature * base + length) ?? 0)
}

function hasColon(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === colon) return true
  return false
}

/** The usual shapes of a platform's keys, as the lengths of their groups: `5-5-5`. */
export function shapesOn(platform: string): readonly string[] {
  const name = platform.trim().toLowerCase()
  return platformShapes.find(({ platforms }) => platforms.includes(name))?.shapes ?? []
}

/** The usual shapes of a platform as bits; null for a platform without usual shapes. */
export function usualShapes(platform: string): number | null {
  return maskOf.get(platform.trim().toLowerCase()) ?? null
}
