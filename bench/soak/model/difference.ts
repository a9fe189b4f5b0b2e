/** How the service and the model may differ, told so that one sees where. */

/**
 * `lost`: what was there is gone. `twice`: one thing was given out two times. `wrong`: anything
 * else.
 */
export type Kind = 'lost' | 'twice' | 'wrong'

export class Difference extends Error {
  override readonly name = 'Difference'
  readonly kind: Kind

  constructor(kind: Kind, message: string) {
    super(message)
    this.kind = kind
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The first place where `actual` doesn't carry what `expected` says, or null. Fields that the model
 * doesn't name are not looked at.
 */
function firstDifference(actual: unknown, expected: unknown, where: string): string | null {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${where}: no list`
    if (actual.length !== expected.length)
      return `${where}: ${actual.length} of them, the model has ${expected.length}`
    for (const [index, each] of expected.entries()) {
      const found = firstDifference(actual[index], each, `${where}[${index}]`)
      if (found !== null) return found
    }
    return null
  }
  if (isRecord(expected)) {
    if (!isRecord(actual)) return `${where}: ${JSON.stringify(actual)}, the model has an object`
    for (const [name, each] of Object.entries(expected)) {
      const found = firstDifference(actual[name], each, `${where}.${name}`)
      if (found !== null) return found
    }
    return null
  }
  return actual === expected
    ? null
    : `${where}: ${JSON.stringify(actual)}, the model has ${JSON.stringify(expected)}`
}

/** Throws a {@link Difference} unless `actual` carries all that `expected` says. */
export function agree(
  actual: unknown,
  expected: unknown,
  where: string,
  kind: Kind = 'wrong',
): void {
  const found = firstDifference(actual, expected, where)
  if (found !== null) throw new Difference(kind, found)
}

/** A field of an answer; undefined where there is none. */
export const field = (value: unknown, name: string): unknown =>
  isRecord(value) ? value[name] : undefined

export function text(value: unknown, name: string): string {
  const found = field(value, name)
  if (typeof found !== 'string')
    throw new Difference('wrong', `no ${name} in ${JSON.stringify(value)}`)
  return found
}

export function list(value: unknown, name: string): unknown[] {
  const found = field(value, name)
  if (!Array.isArray(found)) throw new Difference('wrong', `no ${name} in ${JSON.stringify(value)}`)
  return found
}
