import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

/*
 * A person or the network sets the wall clock while Keydesk runs. A wait or an age that was computed
 * from it once stopped all orders for eight hours, so durations use the monotonic clock
 * (docs/decisions/0054-measure-durations-on-a-monotonic-clock.md).
 */

/** Files of the core that may calculate with `now()`, and why. */
const allowed: Readonly<Record<string, string>> = {
  'src/core/clock.ts': 'the clock itself: ages of stored times, times to show',
  'src/core/accounts/checks/service-time.ts': 'the difference between two wall clocks',
  'src/core/activity/activity.ts': 'stored entries are kept for days',
  'src/core/key-import/parse/workbook/workbook.ts': 'its `now` is performance.now',
  'src/core/key-import/parse/workbook/zip.ts': 'its `now` is performance.now',
  'src/core/offers/offers.ts': 'the difference between two wall clocks',
  'src/core/price-watch/engine/lead-hours.ts': 'the hours of the day',
  'src/core/price-watch/engine/price-engine.ts':
    'holds until a time that is shown; `notAfter` repairs stored times',
  'src/core/price-watch/sending/send-checks.ts':
    'changes within a day; `notAfter` repairs stored times',
  'src/core/price-watch/sending/send-queue.ts':
    'holds until a time that is shown; `notAfter` repairs stored times',
  'src/core/sales/sync/poll.ts': 'the service’s time, when a sale is due for release',
  'src/core/service-client/availability/readiness.ts': 'the time of the next try, to be shown',
}

type Node = { type: string } & Record<string, unknown>
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
const operators: ReadonlySet<unknown> = new Set(['-', '+', '<', '>', '<=', '>=', '-=', '+='])

/** Whether an expression reads the wall clock: `clock.now()`, `now()`. */
function readsWallClock(node: Node): boolean {
  const { type, callee } = node
  if (type !== 'CallExpression' || !isNode(callee)) return false
  if (callee.type === 'Identifier') return callee['name'] === 'now'
  const { property, object } = callee
  if (callee.type !== 'MemberExpression' || !isNode(property) || property['name'] !== 'now')
    return false
  return !(isNode(object) && object['name'] === 'performance')
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) return node.forEach((each) => visit(each, see))
  if (typeof node !== 'object' || node === null) return
  if (isNode(node)) see(node)
  for (const child of Object.values(node)) visit(child, see)
}

/** The lines that calculate with the wall clock, directly or through a variable with its time. */
function calculations(path: string, code: string): string[] {
  const { program } = parseSync(path, code)
  const times = new Set<unknown>()
  visit(program, ({ type, id, init }) => {
    if (type === 'VariableDeclarator' && isNode(id) && isNode(init) && readsWallClock(init))
      times.add(id['name'])
  })
  const isWallTime = (side: unknown): boolean =>
    isNode(side) &&
    (readsWallClock(side) || (side.type === 'Identifier' && times.has(side['name'])))
  const found: string[] = []
  visit(program, ({ type, operator, left, right, start }) => {
    if (type !== 'BinaryExpression' && type !== 'AssignmentExpression') return
    if (!operators.has(operator) || (!isWallTime(left) && !isWallTime(right))) return
    const line = code.slice(0, Number(start)).split('\n').length
    found.push(`${path}:${line}`)
  })
  return found
}

const files = globSync('src/core/**/*.ts', { cwd: root }).filter(
  (path) => !/[.]test[.]ts$|[/]testing[/]/.test(path),
)

test('no duration in the core is computed from the wall clock without a stated reason', () => {
  const found = files.flatMap((path) =>
    path in allowed ? [] : calculations(path, readFileSync(join(root, path), 'utf8')),
  )
  expect(found).toEqual([])
})

test('every exception still calculates with the wall clock', () => {
  const without = Object.keys(allowed).filter(
    (path) => calculations(path, readFileSync(join(root, path), 'utf8')).length === 0,
  )
  expect(without).toEqual([])
})

test.each([
  'const age = context.clock.now() - readAt',
  'const isOver = clock.now() >= until',
  'const until = clock.now() + 1000',
  'const began = clock.now(); work(); report(end - began)',
  'const isOld = now() - at > 5',
])('finds %s', (code) => {
  expect(calculations('a.ts', code)).toHaveLength(1)
})

test('accepts stored times and the monotonic clock', () => {
  expect(
    calculations('a.ts', 'put({ at: clock.now() }); const left = until - clock.monotonic()'),
  ).toEqual([])
})
