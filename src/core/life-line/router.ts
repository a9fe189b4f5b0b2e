import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { LifeLine } from './life-line.ts'

/** How the key life line answers the contract. */
export function createLifeLineRouter(lifeLine: LifeLine) {
  const os = implement(contract.lifeLine)
  return os.router({
    look: os.look.handler(({ input }) => lifeLine.look(input)),
    ofSale: os.ofSale.handler(({ input }) => lifeLine.ofSale(input)),
  })
}
