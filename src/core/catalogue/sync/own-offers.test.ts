import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMirrorHarness } from '../../mirror/testing/harness.ts'
import type { MirrorHarness } from '../../mirror/testing/harness.ts'
import { execute } from '../records/commands.ts'
import { catalogueSchema } from '../catalogue.ts'
import {
  forgetOwnOfferNotes,
  noteOwnOffers,
  ownOfferNotes,
  ownOffersSchema,
  withNotes,
} from './own-offers.ts'
import { findProduct, findProducts } from '../store.ts'
import { productFacts, putProducts } from '../testing/products.ts'

let harness: MirrorHarness
beforeEach(() => {
  harness = createMirrorHarness({ schemas: [catalogueSchema, ownOffersSchema] })
})
afterEach(() => harness.close())

test('notes survive a kill, the last per product counts, and one noted again during a write stays', async () => {
  const db = harness.context.mirrors.database('a')
  putProducts(
    db,
    ['prd_1', 'prd_2', 'prd_3'].map((productId) => productFacts({ productId })),
  )
  noteOwnOffers(db, [
    { productId: 'prd_1', offerId: 'off_1' },
    { productId: 'prd_2', offerId: 'off_2' },
    { productId: 'prd_1', offerId: null },
    { productId: 'prd_1', offerId: 'off_9' },
  ])
  const notes = ownOfferNotes(db)
  expect(notes.offers).toEqual([
    { productId: 'prd_2', offerId: 'off_2' },
    { productId: 'prd_1', offerId: 'off_9' },
  ])
  const parts = { db, products: (held: unknown) => held as never, lender: () => db }
  const show = () =>
    execute(parts, { do: 'own-offers', offers: notes.offers }, new AbortController().signal)
  await show()
  noteOwnOffers(db, [{ productId: 'prd_2', offerId: null }])
  // If Keydesk is killed before they are deleted, they are applied again.
  await show()
  expect(withNotes(db, findProducts(db, ['prd_2'])).map((row) => row.offer_id)).toEqual([null])
  forgetOwnOfferNotes(db, notes.last)
  expect(ownOfferNotes(db).offers).toEqual([{ productId: 'prd_2', offerId: null }])
  expect(['prd_1', 'prd_2', 'prd_3'].map((id) => findProduct(db, id)?.offer_id)).toEqual([
    'off_9',
    'off_2',
    null,
  ])
})
