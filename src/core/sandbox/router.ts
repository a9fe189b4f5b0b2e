import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import { createAccountsRouter } from './accounts-router.ts'
import { createBranchesRouter } from './branches-router.ts'
import { createControlRouter } from './control-router.ts'
import { createMoneyRouter } from './money-router.ts'
import type { Sandbox } from './sandbox.ts'
import { createWorldRouter } from './world-router.ts'

/** Implements the sandbox's contract. */
export function createSandboxRouter(sandbox: Sandbox) {
  const os = implement(contract.sandbox)
  return os.router({
    state: os.state.handler(() => sandbox.state()),
    start: os.start.handler(({ input }) => sandbox.start(input.keep)),
    stop: os.stop.handler(() => sandbox.stop()),
    addresses: os.addresses.handler(() => sandbox.addresses()),
    secret: os.secret.handler(({ input }) => ({ value: sandbox.secret(input.which) })),
    accounts: createAccountsRouter(sandbox),
    money: createMoneyRouter(sandbox),
    world: createWorldRouter(sandbox),
    control: createControlRouter(sandbox),
    branches: createBranchesRouter(sandbox),
    certificate: {
      state: os.certificate.state.handler(() => sandbox.certificate.state()),
      start: os.certificate.start.handler(({ input }) =>
        sandbox.changing(() => sandbox.certificate.start(input)),
      ),
      cancel: os.certificate.cancel.handler(() =>
        sandbox.changing(() => sandbox.certificate.cancel()),
      ),
      variables: os.certificate.variables.handler(async () => ({
        value: await sandbox.certificate.variables(),
      })),
    },
  })
}
