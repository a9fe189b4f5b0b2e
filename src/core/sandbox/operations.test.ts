import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dashboardEndpoints } from '../../../server/api/endpoints/endpoints-dashboard.ts'
import { contract } from '../../contract/index.ts'

const source = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
const guide = readFileSync(
  join(import.meta.dirname, '../../../docs/service/dashboard-operations.md'),
  'utf8',
)

/** Operations that are covered by another one. */
const within: Readonly<Record<string, string>> = {
  getSellerAccount: 'listSellers',
  clearFaults: 'putFaults',
}

/** Operations that only programs call: developers who repeat a session. */
const forPrograms: ReadonlySet<string> = new Set(['getWorldFile'])

test('the sandbox’s pages cover every operation of the dashboard API', () => {
  const core = source(import.meta.dirname)
  const unasked = Object.keys(dashboardEndpoints).filter(
    (operation) =>
      !forPrograms.has(operation) && !core.includes(`call('${within[operation] ?? operation}'`),
  )
  expect(unasked, 'operations that the core never calls').toEqual([])

  const screen = source(join(import.meta.dirname, '../../renderer/features/sandbox'))
  const { accounts, branches, certificate, control, money, world } = contract.sandbox
  const procedures = Object.entries({
    accounts,
    branches,
    certificate,
    control,
    money,
    world,
  }).flatMap(([part, all]) => Object.keys(all).map((name) => `sandbox.${part}.${name}`))
  expect(procedures.length).toBeGreaterThan(40)
  expect(
    procedures.filter(
      (procedure) => !new RegExp(`${procedure.replaceAll('.', '\\.')}\\b`).test(screen),
    ),
    'procedures that no page uses',
  ).toEqual([])
})

test('the guide describes where to find each operation', () => {
  const rows = [...guide.matchAll(/^\| `([A-Z]+) ([^`]+)` \| (.+) \|$/gm)].map(
    ([, method = '', path = '', where = '']) => ({ operation: `${method} ${path}`, where }),
  )
  const told = new Map(rows.map(({ operation, where }) => [operation, where]))
  expect(
    Object.values(dashboardEndpoints)
      .map(({ method, path }) => `${method} ${path}`)
      .filter((operation) => (told.get(operation) ?? '') === ''),
  ).toEqual([])
  expect(rows).toHaveLength(Object.keys(dashboardEndpoints).length)
})
