import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

const storage =
  /\b(?:(?:localStorage|sessionStorage|indexedDB|caches|cookieStore)\.\w+\([\w'-]*|document\.cookie)/g

test('the page stores only its session key and the rule of a simulation, until its tab closes', () => {
  const used = globSync('src/renderer/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .flatMap((path) => readFileSync(join(root, path), 'utf8').match(storage) ?? [])
  expect([...new Set(used)].sort()).toEqual([
    "sessionStorage.getItem('kd-simulate'",
    'sessionStorage.getItem(sessionEntry',
    'sessionStorage.removeItem(sessionEntry',
    "sessionStorage.setItem('kd-simulate'",
    'sessionStorage.setItem(sessionEntry',
  ])
})
