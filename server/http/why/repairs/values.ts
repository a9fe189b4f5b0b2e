/** Values that a field's schema accepts, the nearest to a given one first. */
import { hash } from 'node:crypto'
import type { JsonSchema } from '../../openapi/components.ts'

/** A key that no one has uploaded, the same for the same refused body. */
export const freshKey = (body: unknown): string =>
  `NEW-${hash('sha256', JSON.stringify(body) ?? '')
    .slice(0, 16)
    .toUpperCase()}`

/** Values for fields whose schema doesn't say enough. */
const known: Readonly<Record<string, unknown>> = {
  url: 'https://example.com/webhook',
  email: 'someone@example.com',
  ipAllowlist: [],
  name: 'Example',
  amount: 10,
  price: 10,
  externalId: 'example-1',
  maxUnitPrice: 100_000,
  to: '2099-01-01T00:00:00.000Z',
  ms: 1000,
  seed: 1,
  productType: 'game',
  deliveryType: 'key',
}

type Node = JsonSchema & {
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  anyOf?: Node[]
  enum?: unknown[]
  const?: unknown
  type?: string
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  minItems?: number
}

const numberOf = (schema: Node, value: unknown): number[] => {
  const { minimum = -Infinity, maximum = Infinity, type } = schema
  const given =
    typeof value === 'boolean' || value === '' || value === null ? Number.NaN : Number(value)
  const places = type === 'integer' ? 1 : 100
  const clamped = Math.min(Math.max(given, minimum), maximum)
  const rounded = Math.floor(Number((clamped * places).toFixed(6))) / places
  const lowest = Number.isFinite(minimum) ? minimum : 1
  return [rounded, lowest, lowest + 1, 1].filter((each) => Number.isFinite(each))
}

function textsOf({ format, maxLength = 100 }: Node, value: unknown, name: string): string[] {
  if (format === 'date-time') return ['2099-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z']
  if (format === 'date') return ['2026-01-01']
  const given = typeof value === 'number' ? String(value) : value
  const text = typeof given === 'string' ? given.trim().slice(0, maxLength) : ''
  const plain = text.replace(/[^A-Za-z0-9._:-]+/g, '-').replace(/^\.+/, '')
  return [text, plain, `Example ${name}`, 'example', 'US'].filter(
    (each) => each !== '' && each !== value,
  )
}

/** Candidates for a field, the nearest first. */
export function valuesFor(schema: JsonSchema, name: string, value?: unknown): unknown[] {
  const node = schema as Node
  const fixed = Object.hasOwn(known, name) ? [known[name]] : []
  if (node.anyOf !== undefined)
    return [
      ...fixed,
      ...node.anyOf
        .filter(({ type }) => type !== 'null')
        .flatMap((each) => valuesFor(each, name, value)),
    ]
  if (node.const !== undefined) return [node.const]
  if (node.enum !== undefined) {
    const wanted = String(value).toLowerCase()
    return node.enum.toSorted(
      (a, b) =>
        Number(String(b).toLowerCase() === wanted) - Number(String(a).toLowerCase() === wanted),
    )
  }
  if (node.type === 'number' || node.type === 'integer')
    return [
      ...(typeof value === 'number' ? numberOf(node, value) : []),
      ...fixed,
      ...numberOf(node, value),
    ]
  if (node.type === 'boolean') return [value === 'true', true]
  if (node.type === 'string') return [...fixed, ...textsOf(node, value, name)]
  if (node.type === 'array') return [...listsOf(node, name, value), ...fixed]
  return [...fixed, minimal(node)]
}

function listsOf({ items = {}, maxItems = 1000 }: Node, name: string, value: unknown): unknown[] {
  const one = valuesFor(items, name)[0]
  if (Array.isArray(value) && value.length > maxItems) return [value.slice(0, maxItems), [one]]
  return [[one], []]
}

/** An object with its required fields only. */
export function minimal(schema: JsonSchema): Record<string, unknown> {
  const { properties = {}, required = [] } = schema as Node
  return Object.fromEntries(
    required.map((name) => [name, valuesFor(properties[name] ?? {}, name)[0]]),
  )
}

/** The schema at a path, and whether its parent requires it. Null if the schema has no such field. */
export function schemaAt(
  schema: JsonSchema,
  parts: readonly string[],
): { schema: JsonSchema; required: boolean } | null {
  let node = schema as Node
  let required = false
  for (const part of parts) {
    const options: Node[] = [node, ...(node.anyOf ?? [])]
    const holder = options.find(({ properties }) => properties !== undefined && part in properties)
    const list = options.find(({ items }) => items !== undefined)
    const next: Node | undefined = /^\d+$/.test(part) ? list?.items : holder?.properties?.[part]
    if (next === undefined) return null
    required = holder?.required?.includes(part) ?? false
    node = next
  }
  return { schema: node, required }
}
