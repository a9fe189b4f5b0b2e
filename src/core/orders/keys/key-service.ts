import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { Claim } from '../../../contract/claims.ts'
import type { KeyRef } from '../../../contract/order-records.ts'
import { MAX_SELECTED_KEYS } from '../../../contract/orders.ts'
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
import { markHandedOver, restoreHandedOver } from './handed-over.ts'
import { customerMessage } from './key-forms.ts'
import { decryptSelection } from './key-selection.ts'
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

/** States of a claim that no one received: its key doesn't count as claimed. */
const unsentClaims: ReadonlySet<string> = new Set<Claim['state']>(['draft', 'refused'])
const claimedKeys = (labels: ReadonlyMap<string, string>): string[] =>
  [...labels].flatMap(([keyId, label]) => (unsentClaims.has(label) ? [] : [keyId]))

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

  async function list(
    accountId: string,
    { view, query }: Omit<Inputs['keyRefs'], 'accountId'>,
    window: { offset: number; limit: number },
  ) {
    const keys = keysOf(accountId)
    const { fingerprint, uncompared } = await fingerprintOfPasted(accountId, query ?? '')
    const isKey = fingerprint != null && keys.has(fingerprint)
    const found = keys.list({
      view: view ?? 'all',
      query: isKey ? '' : (query ?? ''),
      fingerprint: isKey ? fingerprint : null,
      claimed: claimedKeys(claims(accountId)),
      now: context.accounts.serviceNow(accountId),
      ...window,
    })
    return { ...found, uncompared }
  }

  /** Keys of one or more orders as a file. */
  function exportKeys(
    accountId: string,
    keys: readonly KeyRef[],
    form: 'lines' | 'table',
  ): Outputs['exportKeys'] {
    const opened = decryptSelection(contextOf(accountId), keys)
    const orders = [...new Set(opened.map(({ externalId }) => externalId))]
    const name =
      orders.length === 1 && orders[0] !== undefined
        ? `keys-of-${orders[0].replace(/[^A-Za-z0-9._-]/g, '_')}`
        : `keys-of-${orders.length}-orders`
    return form === 'lines'
      ? file(`${name}.txt`, opened.map(({ value }) => `${value}\n`).join(''))
      : file(`${name}.csv`, keysToCsv(withVariants(products, accountId, opened)))
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
      const wanted = keysOf(accountId)
        .ofOrder(orderId)
        .filter(({ keyId }) => keyIds == null || keyIds.includes(keyId))
      const pictures = wanted.filter(({ contentType }) => contentType.startsWith('image/')).length
      if (form === 'lines')
        return {
          text: opened.map(({ value }) => value).join('\n'),
          keys: wanted.length,
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
      const keys = keysOf(accountId)
        .ofOrder(orderId)
        .filter(({ keyId }) => keyIds == null || keyIds.includes(keyId))
        .map(({ keyId }) => ({ orderId, keyId }))
      return exportKeys(accountId, keys, form)
    },
    exportSelectedKeys({
      accountId,
      keys,
      form,
      typed,
    }: Inputs['exportSelectedKeys']): Outputs['exportSelectedKeys'] {
      confirmPlainExport(typed)
      return exportKeys(accountId, keys, form)
    },
    async refs({ accountId, ...filter }: Inputs['keyRefs']): Promise<Outputs['keyRefs']> {
      const { rows } = await list(accountId, filter, { offset: 0, limit: MAX_SELECTED_KEYS })
      return { keys: rows.map(({ orderId, keyId }) => ({ orderId, keyId })) }
    },
    describe({ accountId, keys }: Inputs['describeKeys']): Outputs['describeKeys'] {
      const groups = keysOf(accountId).groups(keys)
      return {
        handed: groups.reduce((sum, { handed }) => sum + handed, 0),
        products: withVariants(products, accountId, groups),
      }
    },
    ofOrders({ accountId, orderIds }: Inputs['keysOfOrders']): Outputs['keysOfOrders'] {
      const stored = orderIds.map((orderId) => ({
        orderId,
        keys: keysOf(accountId).ofOrder(orderId),
        delivered: storeOf(accountId).order(orderId)?.row.deliveredUnits ?? 0,
      }))
      return {
        keys: stored.flatMap(({ orderId, keys }) => keys.map(({ keyId }) => ({ orderId, keyId }))),
        missing: stored.reduce(
          (sum, { keys, delivered }) =>
            sum + Math.max(0, delivered - keys.filter(({ replacement }) => !replacement).length),
          0,
        ),
      }
    },
    markHandedOver: ({
      accountId,
      keys,
      note,
    }: Inputs['markHandedOver']): Outputs['markHandedOver'] =>
      markHandedOver(contextOf(accountId), keys, note),
    restoreHandedOver: ({ accountId, marks }: Inputs['restoreHandedOver']): void =>
      restoreHandedOver(contextOf(accountId), marks),
    async list({ accountId, window, ...filter }: Inputs['keys']): Promise<Outputs['keys']> {
      const words = claims(accountId)
      const { rows, ...found } = await list(accountId, filter, {
        offset: window?.offset ?? 0,
        limit: window?.limit ?? 100,
      })
      return {
        ...found,
        rows: withVariants(products, accountId, rows).map((row) => ({
          ...row,
          claim: words.get(row.keyId) ?? null,
        })),
      }
    },
  }
}
