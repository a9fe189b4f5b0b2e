import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { separateBuilds } from '../../vite.shared.ts'
import { buildSeparately } from './build-separately.mjs'
import { sourceDigest } from './build-stamp.mjs'
import { root } from './paths.mjs'

/** The environment variable with the folder of the built workers. */
export const workersFolder = 'KEYDESK_TEST_WORKERS'

const cache = join(root, '.cache', 'test-workers')

/**
 * Vitest's global setup: builds the worker threads before the tests. A test of the core starts up
 * to five of them, and a built one starts with a third of the processor time of its sources.
 *
 * @param {import('vitest/node').TestProject} project
 */
export default async function setup(project) {
  process.env[workersFolder] = await buildWorkers()
  project.onTestsRerun(async () => {
    process.env[workersFolder] = await buildWorkers()
  })
}

/**
 * Builds the workers of the present sources, unless an earlier run did. Another run can build them
 * at the same time.
 *
 * @returns {Promise<string>} their folder
 */
async function buildWorkers() {
  const folder = join(cache, sourceDigest())
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const earlier = readdirSync(cache)
  const fresh = mkdtempSync(join(cache, 'building-'))
  for (const program of separateBuilds)
    if (program.name === 'workers') await buildSeparately(program, fresh)
  try {
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true })
    if (!existsSync(folder)) throw error
  }
  for (const name of earlier) rmSync(join(cache, name), { recursive: true, force: true })
  return folder
}
