import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { namesIn } from '../scripts/lib/bench-modules.mjs'

test('every benchmark is run in a small size by a test', () => {
  const tests = globSync('bench/*.test.ts').map((file) => readFileSync(file, 'utf8'))
  const started = namesIn('bench').filter((name) =>
    tests.some((text) => text.includes(` from './${name}.ts'`)),
  )
  expect(started).toEqual(namesIn('bench'))
})
