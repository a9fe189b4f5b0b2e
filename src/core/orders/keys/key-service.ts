import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { OrdersContext } from '../context.ts'
import { Failure } from '../../failure.ts'
import { confirmPlainExport } from '../../vault/vault.ts'
import {
  downloadKeys,
  fingerprintOf,
  addMissingFingerprints,
  decryptKeys,
  revealKey,
} from './delivered-keys.ts'
import type { KeyContext } from './delivered-keys.ts'
import { customerMessage } from './key-forms.ts'
import type { KeyStore } from './key-store.ts'
import { keysToCsv } from '../orders-csv.ts'
import type { OrderableProducts } from '../place/orderable-products.ts'
import type { OrderStore } from '../store.ts'
import { withVariants } from '../variants.ts'

type Inputs = InferContractRouterInputs<Contract['orders']>
type Outputs = InferContractRouterOutputs<Contract['orders']>

/** Claims on stored keys, by key id: the name of each claim's state. */
export type ClaimLabels = (accountId: string) => ReadonlyMap<string, string>

type Dependencies = {
  context: OrdersContext
  storeOf: (accountId: string) => OrderStore
  keysOf: (accountId: string) => KeyStore
  products: OrderableProducts
  claims: ClaimLabels
}

const file = (fileName: string, text: string): { fileName: string; base64: string } => ({
  fileName,
  base64: Buffer.from(text).toString('base64'),
})

/**
 * Delivered keys stored on this computer: downloaded, revealed, written to texts and files,
 * searched.
 */
export function createKeyService({ context, storeOf, keysOf, products, claims }: Dependencies) {
  const contextOf = (accountId: string): KeyContext => ({
    context,
    accountId,
    store: storeOf(accountId),
    keys: keysOf(accountId),
  })
  const nameOf = (
    accountId: string,
    orderId: string,
  ): { externalId: string; names: Map<number, string> } => {
    const order = storeOf(accountId).order(orderId)
    return {
      externalId: order?.row.externalId ?? orderId,
      names: new Map(order?.items.map((item) => [item.line, item.name])),
    }
  }

  /**
   * The fingerprint of a pasted key; undefined if it can't be compared. Also returns how many keys
   * the comparison leaves out.
   */
  async function fingerprintOfPasted(
    accountId: string,
    pasted: string,
  ): Promise<{ fingerprint: Buffer | null | undefined; uncompared: number }> {
    if (pasted.trim() === '') return { fingerprint: null, uncompared: 0 }
    const access = contextOf(accountId)
    try {
      context.vault.assertUnlocked()
      await addMissingFingerprints(access)
      return { fingerprint: fingerprintOf(context, pasted), uncompared: 0 }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return { fingerprint: undefined, uncompared: access.keys.count() }
    }
  }

  return {
    contextOf,
    /** Returns how many keys are new. */
    download: (accountId: string, orderId: string): Promise<number> =>
      downloadKeys(contextOf(accountId), orderId),
    reveal: ({ accountId, orderId, keyId, use }: Inputs['revealKey']): Outputs['revealKey'] =>
      revealKey(contextOf(accountId), orderId, keyId, use ?? 'revealed'),
    text({ accountId, orderId, keyIds, form }: Inputs['keysText']): Outputs['keysText'] {
      const opened = decryptKeys(
        contextOf(accountId),
        orderId,
        keyIds ?? null,
        form === 'message' ? 'message' : 'copied',
      )
      const pictures = opened.filter(({ contentType }) => contentType.startsWith('image/')).length
      if (form === 'lines')
        return {
          text: opened
            .filter(({ contentType }) => !contentType.startsWith('image/'))
            .map(({ value }) => value)
            .join('\n'),
          keys: opened.length,
          pictures,
        }
      const { names } = nameOf(accountId, orderId)
      const known = new Map(
        products(accountId, [...new Set(opened.map(({ productId }) => productId))]).flatMap(
          (product) => (product === null ? [] : [[product.productId, product]]),
        ),
      )
      const units = opened.map((key) => {
        const product = known.get(key.productId)
        return {
          ...key,
          name: names.get(key.line) ?? key.productId,
          platform: product?.platform ?? '',
          region: product?.region ?? '',
          instructions: product?.activationDetails ?? null,
        }
      })
      return { text: customerMessage(units), keys: opened.length, pictures }
    },
    exportKeys({
      accountId,
      orderId,
      keyIds,
      form,
      typed,
    }: Inputs['exportKeys']): Outputs['exportKeys'] {
      confirmPlainExport(typed)
      const opened = decryptKeys(contextOf(accountId), orderId, keyIds ?? null, 'exported')
      const { externalId, names } = nameOf(accountId, orderId)
      const name = `keys of ${externalId.replace(/[^A-Za-z0-9._-]/g, '_')}`
      if (form === 'lines')
        return file(`${name}.txt`, opened.map(({ value }) => `${value}\n`).join(''))
      return file(
        `${name}.csv`,
        keysToCsv(
          { orderId, externalId },
          withVariants(products, accountId, opened).map((key) => ({
            ...key,
            name: names.get(key.line) ?? key.productId,
          })),
        ),
      )
    },
    async list({ accountId, view, query, find, window }: Inputs['keys']): Promise<Outputs['keys']> {
      const words = claims(accountId)
      const { fingerprint, uncompared } = await fingerprintOfPasted(accountId, find ?? '')
      const { total, rows, counts } = keysOf(accountId).list({
        view: view ?? 'all',
        query: query ?? '',
        fingerprint: fingerprint === undefined ? Buffer.alloc(1) : fingerprint,
        claimed: [...words.keys()],
        now: context.accounts.serviceNow(accountId),
        offset: window?.offset ?? 0,
        limit: window?.limit ?? 100,
      })
      return {
        total,
        counts,
        uncompared,
        rows: withVariants(products, accountId, rows).map((row) => ({
          ...row,
          claim: words.get(row.keyId) ?? null,
        })),
      }
    },
  }
}
