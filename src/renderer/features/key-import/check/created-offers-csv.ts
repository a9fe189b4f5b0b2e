import type { InferContractRouterOutputs } from '@orpc/contract'
import { plainEuros } from '../../../../../server/api/money.ts'
import type { Cents } from '../../../../../server/api/money.ts'
import { csvText } from '../../../../contract/csv.ts'
import type { Contract } from '../../../../contract/index.ts'

type Imports = InferContractRouterOutputs<Contract['imports']>
/** A value of a file that matches no offer. */
export type Missing = Imports['missingOffers'][number]
/** What became of the new offer for a value. */
export type CreatedOffer = Imports['createOffers']['results'][number]
/** The offer that a person wants for a value. */
export type Choice = { productId: string | null; cents: Cents | null; wanted: boolean }

/** The results of creating missing offers, one line per value. */
export const createdOffersCsv = (
  rows: readonly Missing[],
  choiceOf: (row: Missing) => Choice,
  results: ReadonlyMap<string, CreatedOffer>,
): string =>
  csvText([
    [
      'In the file',
      'Product id',
      'Product',
      'Platform',
      'Region',
      'Delivery',
      'Price EUR',
      'Result',
      'Offer id',
      'Reason',
      'Next step',
    ],
    ...rows.map((row) => {
      const { productId, cents, wanted } = choiceOf(row)
      const product = row.product?.productId === productId ? row.product : null
      const result = results.get(row.value ?? '')
      return [
        row.value ?? '',
        productId ?? '',
        product?.name ?? '',
        product?.platform ?? '',
        product?.region ?? '',
        product?.deliveryType ?? '',
        cents === null ? '' : plainEuros(cents),
        result === undefined
          ? wanted
            ? 'Not created'
            : 'Not chosen'
          : result.problem === null
            ? 'Created'
            : 'Failed',
        result?.offerId ?? '',
        result?.problem?.what ?? '',
        result?.problem?.next ?? '',
      ]
    }),
  ])
