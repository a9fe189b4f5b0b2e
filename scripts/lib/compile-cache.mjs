import { join } from 'node:path'
import { root } from './paths.mjs'

/**
 * Makes every Node process started from here share a compile cache in this tree. Tests start
 * hundreds of processes and threads from the same sources, and compiling takes two thirds of each
 * start.
 */
export function enableCompileCache() {
  process.env['NODE_COMPILE_CACHE'] ??= join(root, '.cache', 'compiled')
}
