/**
 * The differences between the service and the model, described so that a person can locate them.
 */

/**
 * `lost`: existing data is gone. `twice`: one thing was delivered twice. `wrong`: anything else.
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
 * The first path at which `actual` doesn't contain `expected`, or null. Fields that the model
 * doesn't name are ignored.
 */
function firstDifference(actual: unknown, expected: unknown, where: string): string | null {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${where}: not a list`
    if (actual.length !== expected.length)
      return `${where}: ${actual.length} entries, the model has ${expected.length}`
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

/** Throws a {@link Difference} unless `actual` contains everything in `expected`. */
export function agree(
  actual: unknown,
  expected: unknown,
  where: string,
  kind: Kind = 'wrong',
): void {
  const found = firstDifference(actual, expected, where)
  if (found !== null) throw new Difference(kind, found)
}

/** A field of a response; undefined if there is none. */
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
