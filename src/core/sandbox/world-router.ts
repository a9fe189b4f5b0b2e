import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Sandbox } from './sandbox.ts'

/** Products, claims and disputes of the sandbox. */
export function createWorldRouter({ dashboard: { call }, world, changing }: Sandbox) {
  const os = implement(contract.sandbox.world)
  return os.router({
    products: os.products.handler(({ input }) => world.products(input)),
    createProduct: os.createProduct.handler(({ input: body }) =>
      changing(() => call('createProduct', { body })),
    ),
    changeProduct: os.changeProduct.handler(({ input: { id, change: body } }) =>
      changing(() => call('changeProduct', { params: { id }, body })),
    ),
    soldUnits: os.soldUnits.handler(({ input }) => world.soldUnits(input)),
    claim: os.claim.handler(({ input: body }) => changing(() => call('createClaim', { body }))),
    complain: os.complain.handler(({ input: body }) => changing(() => call('complain', { body }))),
    disputes: os.disputes.handler(({ input }) => world.disputes(input)),
    say: os.say.handler(({ input: { id, message: body } }) =>
      changing(async () => void (await call('addOutsideMessage', { params: { id }, body }))),
    ),
    escalate: os.escalate.handler(({ input: { id, ...body } }) =>
      changing(async () => void (await call('escalateDispute', { params: { id }, body }))),
    ),
    reject: os.reject.handler(({ input: { id, ...body } }) =>
      changing(async () => void (await call('rejectDispute', { params: { id }, body }))),
    ),
  })
}
