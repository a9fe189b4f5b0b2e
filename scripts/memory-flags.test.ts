import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { memoryFlags } from './lib/memory-flags.mjs'
import { root } from './lib/paths.mjs'

test('the installed program limits its heap like the one that is started from source', () => {
  const launcher = readFileSync(path.join(root, 'resources/linux/keydesk'), 'utf8')
  for (const flag of memoryFlags) expect(launcher).toContain(` ${flag} `)
})
