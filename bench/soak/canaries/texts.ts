import type { ContractRouterClient } from '@orpc/contract'
import { vaultPassphrase } from '../../../e2e/support/vault-passphrase.ts'
import type { Contract } from '../../../src/contract/index.ts'

type Rpc = ContractRouterClient<Contract>

async function until<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await ask()
    if (fits(answer)) return answer
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
  }
  throw new Error('Not finished after a minute')
}

/**
 * Writes a secret into a draft of each of the seller's open disputes; then, with the sandbox
 * stopped, another one as an answer, which is queued in the outbox. Returns how many are stored in
 * the data folder then. None of them reaches the service, where they would be allowed.
 */
export async function plantTexts(rpc: Rpc, secrets: readonly string[]): Promise<number> {
  const seller = (await rpc.accounts.list()).find(({ role }) => role === 'seller')
  if (seller === undefined) throw new Error('There is no seller account in this console')
  const accountId = seller.id
  const { rows } = await until(
    () => rpc.disputes.list({ accountId }),
    ({ complete, rows: listed }) => complete && listed.length > 0,
  )
  if ((await rpc.vault.state()).state === 'locked')
    await rpc.vault.unlock({ passphrase: vaultPassphrase })
  const left = [...secrets]
  const said = (words: string): string => `${words} ${left.shift() ?? ''}.`
  const disputes = rows
    .filter(({ status }) => status === 'open')
    .slice(0, Math.floor(secrets.length / 2))
  for (const { disputeId } of disputes)
    await rpc.disputes.draft({ accountId, disputeId, text: said('Please try this one:') })
  await rpc.sandbox.stop()
  const [answered] = disputes
  if (answered === undefined) throw new Error('The demo seller has no open dispute')
  const { sent } = await rpc.disputes.answer({
    accountId,
    disputeId: answered.disputeId,
    text: said('Here is another one:'),
  })
  if (sent) throw new Error('An answer was sent to a stopped service')
  return disputes.length + 1
}
