import { rpc } from '../../../lib/core/rpc.ts'

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const offersInSample = 3
const keysPerOffer = 10

function inventedKey(): string {
  const random = crypto.getRandomValues(new Uint8Array(15))
  const text = [...random].map((byte) => letters[byte % letters.length]).join('')
  return `${text.slice(0, 5)}-${text.slice(5, 10)}-${text.slice(10)}`
}

/**
 * A table of invented keys for the first offers of a sandbox account, with one repeated line, so
 * that the check has something to report.
 */
export async function sampleFile(accountId: string): Promise<File> {
  const { rows } = await rpc.offers.list({
    accountId,
    window: { offset: 0, limit: offersInSample },
  })
  const lines = rows.flatMap(({ offerId }) =>
    Array.from({ length: keysPerOffer }, () => `${offerId},${inventedKey()}`),
  )
  const text = ['offer,key', ...lines, ...lines.slice(0, 1)].join('\r\n')
  return new File([`${text}\r\n`], 'sample keys.csv', { type: 'text/csv' })
}
