import { lowerThreadPriority } from '../../thread-priority.ts'
import { serve } from '../../workers/workers.ts'
import { findDamage } from './file-check.ts'
import type { FileCheckCalls } from './file-check.ts'

lowerThreadPriority()
let check: ReturnType<typeof findDamage> | undefined

/** Checks the next table of the database with each request. */
serve<FileCheckCalls>((path) => {
  check ??= findDamage(path)
  const { done = false, value } = check.next()
  return { done, damage: value }
})
