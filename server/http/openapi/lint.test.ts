import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dashboardDocument } from './dashboard-document.ts'
import { openApiDocument } from './document.ts'
import { runTool } from './testing/tools.ts'

const origin = 'http://127.0.0.1:4600'
const documents = [
  ['both APIs', openApiDocument(origin)],
  ['the dashboard', dashboardDocument(origin)],
] as const

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-lint-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Problem = { ruleId: string; location: { pointer: string }[] }

/** Runs a linter with its recommended rules; warnings count as errors. */
async function lintProblems(document: object): Promise<string[]> {
  const file = `${randomUUID()}.json`
  writeFileSync(join(folder, file), JSON.stringify(document))
  const { output } = await runTool(
    'redocly',
    ['lint', file, '--extends=recommended-strict', '--format=json', '--max-problems=1000'],
    folder,
  )
  const { problems } = JSON.parse(
    output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1),
  ) as { problems: Problem[] }
  return problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)
}

/** Checks a document against the schema of OpenAPI 3.1, with a program of other authors. */
async function schemaProblems(document: object): Promise<unknown> {
  const { valid, errors } = await new Validator().validate({ ...document })
  return valid ? [] : errors
}

describe.each(documents)('the OpenAPI document of %s', (_, document) => {
  it('passes a linter without an error or a warning, examples included @long', async () => {
    expect(await lintProblems(document)).toEqual([])
  })

  it('passes a second, independent check against the schema of OpenAPI', async () => {
    expect(await schemaProblems(document)).toEqual([])
  })
})

describe('the checks themselves', () => {
  it('find a planted mistake @long', async () => {
    const wrong = structuredClone(documents[0][1])
    const { Ping } = wrong.components.schemas
    wrong.components.schemas['Ping'] = { ...Ping, required: ['ok', 'surname'] }
    expect(await lintProblems(wrong)).toEqual([
      'no-required-schema-properties-undefined #/components/schemas/Ping/required/1',
      'no-invalid-media-type-examples #/paths/~1ping/get/responses/200/content/application~1json/examples/all/value',
    ])
    expect(await schemaProblems({ ...wrong, servers: [{ adress: origin }] })).not.toEqual([])
  })
})
