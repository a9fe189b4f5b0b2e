import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Sandbox } from './sandbox.ts'

/** Accounts of the sandbox and their keys, over its dashboard. */
export function createAccountsRouter({ dashboard: { call }, changing, learn }: Sandbox) {
  const os = implement(contract.sandbox.accounts)
  return os.router({
    partners: os.partners.handler(({ input }) => call('listPartners', { query: input })),
    partner: os.partner.handler(({ input: { id } }) => call('getPartner', { params: { id } })),
    createPartner: os.createPartner.handler(({ input: body }) =>
      changing(() => call('createPartner', { body })),
    ),
    changePartner: os.changePartner.handler(({ input: { id, change: body } }) =>
      changing(() => call('changePartner', { params: { id }, body })),
    ),
    partnerKeys: os.partnerKeys.handler(({ input: { id } }) =>
      call('listPartnerKeys', { params: { id } }),
    ),
    createPartnerKey: os.createPartnerKey.handler(({ input: { id, key: body } }) =>
      changing(async () => {
        const made = await call('createPartnerKey', { params: { id }, body })
        learn(made.key)
        return made
      }),
    ),
    revokePartnerKey: os.revokePartnerKey.handler(({ input: params }) =>
      changing(() => call('revokePartnerKey', { params })),
    ),
    sellers: os.sellers.handler(({ input }) => call('listSellers', { query: input })),
    createSeller: os.createSeller.handler(({ input: body }) =>
      changing(() => call('createSeller', { body })),
    ),
    changeSeller: os.changeSeller.handler(({ input: { id, change: body } }) =>
      changing(() => call('changeSeller', { params: { id }, body })),
    ),
    sellerKeys: os.sellerKeys.handler(({ input: { id } }) =>
      call('listSellerKeys', { params: { id } }),
    ),
    createSellerKey: os.createSellerKey.handler(({ input: { id, key: body } }) =>
      changing(async () => {
        const made = await call('createSellerKey', { params: { id }, body })
        learn(made.key)
        return made
      }),
    ),
    revokeSellerKey: os.revokeSellerKey.handler(({ input: params }) =>
      changing(() => call('revokeSellerKey', { params })),
    ),
  })
}
