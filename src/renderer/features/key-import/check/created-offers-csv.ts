import type { InferContractRouterOutputs } from '@orpc/contract'
import { plainEuros } from '../../../../../server/api/money.ts'
import type { Cents } from '../../../../../server/api/money.ts'
import { csvText } from '../../../../contract/csv.ts'
import type { Contract } from '../../../../contract/index.ts'

type Imports = InferContractRouterOutputs<Contract['imports']>
/** A value of a file that matches no offer. */
export type Missing = Imports['missingOffers']['rows'][number]
/** What became of the new offer for a value. */
export type CreatedOffer = Imports['createOffers']['results'][number]
export type ChosenProduct = NonNullable<Missing['product']>
/** The offer that a person wants for a value. */
export type Choice = {
  product: ChosenProduct | null
  cents: Cents | null
  /** Whether a person typed the price; otherwise it is the best price of the product. */
  isTyped: boolean
  wanted: boolean
}

/** The choice before a person changes it: the product that the value names, at its best price. */
export const initialChoice = ({ product }: Missing): Choice => ({
  product,
  cents: product?.bestSellerCents ?? null,
  isTyped: false,
  wanted: product !== null,
})

/** Chooses another product. A typed price stays; the best price of the product before doesn't. */
export const withProduct = (choice: Choice, product: ChosenProduct): Choice => ({
  ...choice,
  product,
  cents: choice.isTyped && choice.cents !== null ? choice.cents : product.bestSellerCents,
  wanted: true,
})

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
      const { product, cents, wanted } = choiceOf(row)
      const result = results.get(row.value ?? '')
      return [
        row.value ?? '',
        product?.productId ?? '',
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
