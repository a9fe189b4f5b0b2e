import { fromCents, type PriceFactor } from '../api/money.ts'
import { CURRENCY } from '../api/words.ts'
import { instantText } from './context.ts'
import type { ProductRow } from './ports/catalogue.ts'
import { partnerPrice } from './pricing.ts'

/**
 * A product as the Partner API answers it, as JSON text. The stored details are JSON already and go out as they are, so a
 * page costs one concatenation per product. Pictures kept by the service itself (paths) get the origin it is reached by.
 */
export function productJson(row: ProductRow, factor: PriceFactor, origin: string): string {
  const head = `{"id":${JSON.stringify(row.id)},"name":${JSON.stringify(row.name)},"platform":${JSON.stringify(row.platform)},"region":${JSON.stringify(row.region)},"productType":"${row.productType}","deliveryType":"${row.deliveryType}"`
  const price = fromCents(partnerPrice(row.lowPrice, factor))
  const qty = row.supplyUnknown === 1 ? 'null' : row.qty
  return `${head},"price":${price},"currency":"${CURRENCY}","inStock":${row.qty > 0},"qty":${qty},${localPictures(row.details, origin).slice(1, -1)},"updatedAt":"${instantText(row.updatedAt)}","removed":${row.removed === 1}}`
}

/** Paths of pictures made absolute. An unescaped quote ends a JSON string, so these texts occur as members only. */
function localPictures(details: string, origin: string): string {
  const cover = details.replace('"coverImage":"/', `"coverImage":"${origin}/`)
  if (!cover.includes('"screenshots":["/')) return cover
  return cover.replace(/"screenshots":\[[^\]]*\]/, (list) => list.replaceAll('"/', `"${origin}/`))
}
