import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Diagnostics } from './diagnostics.ts'

/** Implements the diagnostics contract. */
export function createDiagnosticsRouter(diagnostics: Diagnostics) {
  const os = implement(contract.diagnostics)
  return os.router({ make: os.make.handler(() => diagnostics.make()) })
}
