import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Passphrases } from './passphrases.ts'

/** Implements the contract of passphrases. */
export function createPassphrasesRouter(passphrases: Passphrases) {
  const os = implement(contract.passphrases)
  return os.router({
    estimate: os.estimate.handler(({ input }) => passphrases.estimate(input.passphrase)),
    generate: os.generate.handler(({ input }) => passphrases.generate(input.words)),
  })
}
