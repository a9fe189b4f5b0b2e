import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'

/** A module that imports `electron`, in any form a bundler emits. */
const reaches = /(?:from\s*|import\s*\(?\s*|require\s*\(\s*)["'`]electron(?:\/[a-z]+)?["'`]/

test('imports electron only in main and preload', () => {
  const scripts = readdirSync('out', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:js|cjs|mjs)$/.test(path))
    .map((path) => path.replaceAll('\\', '/'))
  expect(new Set(scripts.map((path) => path.split('/')[0]))).toEqual(
    new Set(['browser-host', 'core', 'main', 'preload', 'renderer', 'server', 'workers']),
  )
  const found = scripts.filter((path) => reaches.test(readFileSync(join('out', path), 'utf8')))
  expect(found.toSorted()).toEqual(['main/index.js', 'preload/index.cjs'])
})
