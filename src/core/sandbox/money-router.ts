import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import { nullIfNotFound } from '../failure.ts'
import type { Sandbox } from './sandbox.ts'

/** A partner's test money and its webhooks, over the sandbox's dashboard. */
export function createMoneyRouter({ dashboard: { call }, changing, learn }: Sandbox) {
  const os = implement(contract.sandbox.money)
  return os.router({
    topUpReference: os.topUpReference.handler(({ input: { id, ...body } }) =>
      call('createTopUpReference', { params: { id }, body }),
    ),
    topUp: os.topUp.handler(({ input: { id, ...body } }) =>
      changing(() => call('createTopUp', { params: { id }, body })),
    ),
    setTestBalance: os.setTestBalance.handler(({ input: { id, ...body } }) =>
      changing(() => call('resetTestBalance', { params: { id }, body })),
    ),
    emails: os.emails.handler(({ input: { id, ...query } }) =>
      call('listPartnerEmails', { params: { id }, query }),
    ),
    ledger: os.ledger.handler(({ input: { id, ...query } }) =>
      call('listPartnerLedger', { params: { id }, query }),
    ),
    verifyLedger: os.verifyLedger.handler(() => call('verifyLedger', {})),
    webhook: os.webhook.handler(({ input: { id } }) =>
      call('getWebhook', { params: { id } }).then(
        ({ url }) => (url === null ? null : { url }),
        nullIfNotFound,
      ),
    ),
    setWebhook: os.setWebhook.handler(({ input: { id, ...body } }) =>
      changing(async () => {
        const made = await call('putWebhook', { params: { id }, body })
        learn(made.secret)
        return made
      }),
    ),
    removeWebhook: os.removeWebhook.handler(({ input: { id } }) =>
      changing(() => call('deleteWebhook', { params: { id } })),
    ),
    testWebhook: os.testWebhook.handler(({ input: { id, ...body } }) =>
      changing(() => call('testPartnerWebhook', { params: { id }, body })),
    ),
    deliveries: os.deliveries.handler(({ input: { id, ...query } }) =>
      call('listDeliveries', { params: { id }, query }),
    ),
    resend: os.resend.handler(({ input: params }) =>
      changing(() => call('resendDelivery', { params })),
    ),
  })
}
