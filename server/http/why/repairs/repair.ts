import type { FieldProblem } from '../../../api/errors.ts'
import type { Attempt, Matched, Sender } from '../attempt.ts'
import type { Refusal, Row, Trial } from '../trial.ts'

/** A refused attempt. */
export type Refused = {
  readonly trial: Trial
  readonly attempt: Attempt
  /** Null for an unknown route. */
  readonly at: Matched | null
  readonly refusal: Refusal
}

/** Changed attempts that may pass, the nearest first. */
export type Repair = (refused: Refused) => Attempt[] | Promise<Attempt[]>

export const dashboard: Sender = { api: 'dashboard' }

export const textOf = (row: Row, name: string): string => {
  const value = row[name]
  return typeof value === 'string' ? value : ''
}

/** A member of `details`. */
export function detail(refusal: Refusal, name: string): unknown {
  const { details } = refusal
  return typeof details === 'object' && details !== null
    ? (Object.entries(details).find(([each]) => each === name)?.[1] as unknown)
    : undefined
}

export const numberIn = (refusal: Refusal, name: string): number => {
  const value = detail(refusal, name)
  return typeof value === 'number' ? value : 0
}

export function problemsOf({ details }: Refusal): FieldProblem[] {
  return Array.isArray(details)
    ? details.filter(
        (each: unknown): each is FieldProblem =>
          typeof each === 'object' && each !== null && 'field' in each && 'message' in each,
      )
    : []
}

/** How many first characters two texts share. */
function shared(left: string, right: string): number {
  let count = 0
  while (count < left.length && left[count] === right[count]) count += 1
  return count
}

/** Sorts by likeness to a text, the most similar first. */
export const nearest = (values: readonly string[], wanted: string): string[] =>
  values.toSorted((a, b) => shared(b, wanted) - shared(a, wanted))

/** The account that acts for a sender of the two APIs. */
export const accountOf = (sender: Sender): string | null =>
  sender.api === 'dashboard' ? null : sender.id

/** A copy of a body with a field at a path such as `items[0].qty` replaced; undefined removes it. */
export function withField(body: unknown, path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(body) ?? {}
  const parts = partsOf(path)
  let target: unknown = copy
  for (const part of parts.slice(0, -1)) {
    if (typeof target !== 'object' || target === null) return copy
    target = Reflect.get(target, part)
  }
  const last = parts.at(-1)
  if (last === undefined || typeof target !== 'object' || target === null) return copy
  if (value !== undefined) Reflect.set(target, last, value)
  else if (Array.isArray(target)) target.splice(Number(last), 1)
  else Reflect.deleteProperty(target, last)
  return copy
}

export const partsOf = (path: string): string[] => path.match(/[^.[\]]+/g) ?? []

export function fieldAt(body: unknown, path: string): unknown {
  return partsOf(path).reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined,
    body,
  )
}
