import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { dashboardDocument, dashboardOperations } from './dashboard-document.ts'
import { runTool } from './testing/tools.ts'

it('is served without a token, with every operation of the dashboard', async () => {
  const { app } = testApp()
  const answer = await app.inject('/dashboard/openapi.json')
  expect(answer.statusCode).toBe(200)
  const { paths } = answer.json<{
    paths: Record<string, Record<string, { operationId: string }>>
  }>()
  const described = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(described.toSorted()).toEqual([...dashboardOperations].toSorted())
})

it('leads from / to the reference, which shows both documents', async () => {
  const { app } = testApp()
  const root = await app.inject('/')
  expect([root.statusCode, root.headers.location]).toEqual([302, '/docs'])
  const { body } = await app.inject('/docs/start.js')
  expect(body).toContain("'/v1'")
  expect(body).toContain("'/dashboard'")
})

it('passes a linter', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keydesk-lint-'))
  writeFileSync(join(folder, 'dashboard.json'), JSON.stringify(dashboardDocument('http://h:1')))
  const { output } = await runTool(
    'redocly',
    ['lint', 'dashboard.json', '--extends=recommended', '--format=json', '--max-problems=1000'],
    folder,
  )
  rmSync(folder, { recursive: true, force: true })
  const { problems } = JSON.parse(
    output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1),
  ) as { problems: { ruleId: string; severity: string; location: { pointer: string }[] }[] }
  expect(problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer ?? ''}`)).toEqual(
    [],
  )
})
