import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openApiDocument } from './document.ts'
import { runTool } from './testing/tools.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-lint-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Problem = { ruleId: string; severity: string; location: { pointer: string }[] }

/** Runs an independent linter with its recommended rules; warnings count as errors. */
async function problemsOf(name: string, document: object): Promise<string[]> {
  writeFileSync(join(folder, name), JSON.stringify(document))
  const { output } = await runTool(
    'redocly',
    ['lint', name, '--extends=recommended-strict', '--format=json', '--max-problems=1000'],
    folder,
  )
  const { problems } = JSON.parse(
    output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1),
  ) as { problems: Problem[] }
  return problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)
}

it('the OpenAPI document passes a linter without an error or a warning, examples included', async () => {
  const document = openApiDocument('http://127.0.0.1:4600')
  const wrong = structuredClone(document)
  const { Ping } = wrong.components.schemas
  wrong.components.schemas['Ping'] = { ...Ping, required: ['ok', 'surname'] }
  const [found, planted] = await Promise.all([
    problemsOf('openapi.json', document),
    problemsOf('wrong.json', wrong),
  ])
  expect(found).toEqual([])
  expect(planted).toEqual([
    'no-required-schema-properties-undefined #/components/schemas/Ping/required/1',
    'no-invalid-media-type-examples #/paths/~1ping/get/responses/200/content/application~1json/examples/all/value',
  ])
}, 120_000)
