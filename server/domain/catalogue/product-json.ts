import { fromCents, type PriceFactor } from '../../api/money.ts'
import { CURRENCY } from '../../api/schemas/enums.ts'
import { instantText } from '../context.ts'
import type { ProductFacts, ProductRows } from '../ports/catalogue.ts'
import { partnerPrice } from '../offers/pricing.ts'
import type { PriceTier } from '../offers/pricing.ts'

export interface ProductWriter {
  /** A page, with the members of `envelope` before `results`. */
  page(
    envelope: object,
    products: Pick<ProductRows, 'rows' | 'details'>,
    factor: PriceFactor,
    origin: string,
  ): Uint8Array<ArrayBuffer>
  /** One product, with the same members as on a page, and its price tiers if they are passed. */
  one(
    product: ProductFacts,
    details: Buffer,
    factor: PriceFactor,
    origin: string,
    tiers?: readonly PriceTier[],
  ): Uint8Array<ArrayBuffer>
}

const INITIAL_SIZE = 256 * 1024
/** The most bytes of UTF-8 that one UTF-16 code unit needs. */
const MAX_BYTES_PER_UNIT = 3

const coverPath = Buffer.from('"coverImage":"/')
const screenshotList = Buffer.from('"screenshots":["')
const [QUOTE, SLASH, COMMA, BACKSLASH] = [0x22, 0x2f, 0x2c, 0x5c]

/**
 * Writes products in the Partner API's format, as JSON in UTF-8. The stored details are JSON
 * already, so their bytes are copied from the database to the response without being decoded. When
 * a client reads the complete catalogue, decoding and encoding them took longer than all other
 * work.
 */
export function createProductWriter(): ProductWriter {
  let buffer = Buffer.allocUnsafeSlow(INITIAL_SIZE)
  let at = 0

  function reserve(bytes: number): void {
    if (at + bytes <= buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, at + bytes))
    buffer.copy(larger, 0, 0, at)
    buffer = larger
  }
  function text(value: string): void {
    reserve(value.length * MAX_BYTES_PER_UNIT)
    at += buffer.write(value, at)
  }
  function bytes(source: Buffer, from: number, to: number): void {
    reserve(to - from)
    at += source.copy(buffer, at, from, to)
  }

  /**
   * Writes details without their braces. Relative picture paths, which belong to the service
   * itself, become absolute with the origin.
   */
  function members(
    details: Buffer,
    places: readonly number[],
    [begin, end]: readonly [number, number],
    origin: Buffer,
  ): void {
    let from = begin + 1
    for (const place of places) {
      bytes(details, from, place)
      bytes(origin, 0, origin.length)
      from = place
    }
    bytes(details, from, end - 1)
  }
  function takeBytes(): Uint8Array<ArrayBuffer> {
    const answer = Buffer.allocUnsafeSlow(at)
    buffer.copy(answer, 0, 0, at)
    at = 0
    if (buffer.length > INITIAL_SIZE * 4) buffer = Buffer.allocUnsafeSlow(INITIAL_SIZE)
    return answer
  }

  return {
    page(envelope, { rows, details }, factor, origin) {
      const placesIn = localPictures(details)
      const prefix = Buffer.from(origin)
      let from = 0
      // The text between two details is written in one call.
      let between = `${JSON.stringify(envelope).slice(0, -1)},"results":[`
      for (const row of rows) {
        text(between + membersBefore(row, factor))
        members(details, placesIn(from, from + row.size), [from, from + row.size], prefix)
        from += row.size
        between = `${membersAfter(row)},`
      }
      text(`${from > 0 ? between.slice(0, -1) : between}]}`)
      return takeBytes()
    },
    one(row, details, factor, origin, tiers) {
      text(membersBefore(row, factor))
      members(
        details,
        localPictures(details)(0, details.length),
        [0, details.length],
        Buffer.from(origin),
      )
      const after = membersAfter(row)
      text(tiers === undefined ? after : `${after.slice(0, -1)},"priceTiers":${tiersJson(tiers)}}`)
      return takeBytes()
    },
  }
}

function membersBefore(row: ProductFacts, factor: PriceFactor): string {
  const labels =
    `{"id":${JSON.stringify(row.id)},"name":${JSON.stringify(row.name)},` +
    `"platform":${JSON.stringify(row.platform)},"region":${JSON.stringify(row.region)}`
  const price = fromCents(partnerPrice(row.lowPrice, factor))
  const qty = row.supplyUnknown === 1 ? 'null' : row.qty
  return (
    `${labels},"productType":"${row.productType}","deliveryType":"${row.deliveryType}",` +
    `"price":${price},"currency":"${CURRENCY}","inStock":${row.qty > 0},"qty":${qty},`
  )
}

const tiersJson = (tiers: readonly PriceTier[]): string =>
  JSON.stringify(
    tiers.map(({ minQty, unitPrice }) => ({ minQty, unitPrice: fromCents(unitPrice) })),
  )

const membersAfter = (row: ProductFacts): string =>
  `,"updatedAt":"${instantText(row.updatedAt)}","removed":${row.removed === 1}}`

/**
 * Returns a function that finds where relative picture paths start in the details between two
 * offsets. Ask in ascending order. The searched text matches only members, because an unescaped
 * quote ends a JSON string.
 */
function localPictures(details: Buffer): (from: number, to: number) => number[] {
  const cover = searchForward(details, coverPath)
  const screenshots = searchForward(details, screenshotList)
  return (from, to) => {
    const places: number[] = []
    const first = cover(from)
    if (first < to) places.push(first + coverPath.length - 1)
    const list = screenshots(from)
    if (list >= to) return places
    for (let quote = list + screenshotList.length - 1; details[quote] === QUOTE;) {
      if (details[quote + 1] === SLASH) places.push(quote + 1)
      const end = endOfText(details, quote)
      quote = details[end + 1] === COMMA ? end + 2 : end + 1
    }
    return places
  }
}

/**
 * Finds a text at or after an offset, or returns the end. Searches again only once the last match
 * has been passed.
 */
function searchForward(details: Buffer, text: Buffer): (from: number) => number {
  let found = -1
  return (from) => {
    if (found < from) found = details.indexOf(text, from)
    if (found < 0) found = details.length
    return found
  }
}

/** The offset of the quote that ends the string starting at `quote`. */
function endOfText(json: Buffer, quote: number): number {
  let end = quote
  let isEscaped = true
  while (isEscaped) {
    end = json.indexOf(QUOTE, end + 1)
    let backslashes = 0
    while (json[end - 1 - backslashes] === BACKSLASH) backslashes += 1
    isEscaped = backslashes % 2 === 1
  }
  return end
}
