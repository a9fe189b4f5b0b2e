import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = 'src/renderer'
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

/** Deadlines that the service sets, which only its own time can be compared with. */
const deadline = /\b(?:escalatesAt|releaseAt|claimUntil|claimableUntil)\b/

test('compares no deadline of the service with this computer’s clock', () => {
  const withDeadlines = sources.filter(({ text }) => deadline.test(text))
  expect(withDeadlines.length).toBeGreaterThan(8)
  expect(
    withDeadlines.flatMap(({ name, text }) =>
      /\buseNow\(/.test(text) ||
      text.split('\n').some((line) => deadline.test(line) && line.includes('Date.now()'))
        ? [name]
        : [],
    ),
  ).toEqual([])
})

test('compares a dispute with the time of its own account, which may not be the current one', () => {
  const ofDisputes = sources.filter(({ name }) => /^features\/disputes\/(?!report\/)/.test(name))
  expect(ofDisputes.filter(({ text }) => /\buseAccountNows\(/.test(text)).length).toBeGreaterThan(4)
  expect(
    ofDisputes.filter(({ text }) => /\buseAccountNow\(/.test(text)).map(({ name }) => name),
  ).toEqual([])
})
