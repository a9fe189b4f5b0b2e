/** The differences between two attempts, with every secret masked. */
import { maskedParameter, maskedPath, maskedRequest } from '../request-log/masking.ts'
import type { Attempt } from './attempt.ts'

export type Change = { where: string; from: string | null; to: string | null }

/** Long values are shown by their first characters. */
const MAX_SHOWN = 200

const shown = (value: unknown): string => {
  const text = maskedPath(JSON.stringify(value) ?? 'null')
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** Every value of a body by its path. */
function leaves(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [[path, value]]
  const isArray = Array.isArray(value)
  const parts = Object.entries(value)
  if (parts.length === 0) return [[path, value]]
  return parts.flatMap(([name, part]) =>
    leaves(part, isArray ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`),
  )
}

function compared(
  prefix: string,
  raw: readonly [ReadonlyMap<string, unknown>, ReadonlyMap<string, unknown>],
  masked: readonly [ReadonlyMap<string, unknown>, ReadonlyMap<string, unknown>],
): Change[] {
  const names = [...new Set([...raw[0].keys(), ...raw[1].keys()])]
  return names
    .filter((name) => JSON.stringify(raw[0].get(name)) !== JSON.stringify(raw[1].get(name)))
    .map((name) => ({
      where: maskedPath(`${prefix}${name === '' ? '' : `${prefix === '' ? '' : ' '}${name}`}`),
      from: raw[0].has(name) ? shown(masked[0].get(name) ?? '***') : null,
      to: raw[1].has(name) ? shown(masked[1].get(name) ?? '***') : null,
    }))
}

const lineOf = ({ method, path, idempotencyKey }: Attempt): Map<string, unknown> =>
  new Map<string, unknown>([
    ['method', method],
    ['path', path],
    ...(idempotencyKey === null ? [] : [['Idempotency-Key', idempotencyKey] as const]),
  ])

const maskedQueryOf = ({ path, query }: Attempt): Map<string, string> =>
  new Map(query.map(([name, value]) => [name, maskedParameter(path, value)]))

/** What has to change in the first attempt to get the second one. */
export function changesBetween(from: Attempt, to: Attempt): Change[] {
  const lines = [lineOf(from), lineOf(to)] as const
  const queries = [new Map(from.query), new Map(to.query)] as const
  const maskedQueries = [maskedQueryOf(from), maskedQueryOf(to)] as const
  const bodies = [new Map(leaves(from.body)), new Map(leaves(to.body))] as const
  const maskedBodies = [
    new Map(leaves(maskedRequest(from.path, from.body))),
    new Map(leaves(maskedRequest(to.path, to.body))),
  ] as const
  return [
    ...compared('', lines, lines),
    ...compared('query', queries, maskedQueries),
    ...compared('body', bodies, maskedBodies),
  ]
}
