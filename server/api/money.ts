/**
 * Money: integer cents inside, EUR with two decimals outside (Decision 2). Only this module
 * converts between them. Rates are exact too: percents are hundredths of a percent and price
 * factors are fractions. Nothing is multiplied in binary floating point.
 */
import { z } from 'zod'

declare const centsBrand: unique symbol

/** What distinguishes {@link Cents} from a number. Exported for declarations; no value has it. */
export interface CentsBrand {
  readonly [centsBrand]: true
}

/**
 * An integer number of EUR cents. Create it with {@link cents}, {@link toCents} or a schema, never
 * by arithmetic on euros.
 */
export type Cents = number & CentsBrand

/** Largest amount of a request: EUR 10,000,000,000.00. */
export const MAX_CENTS = 1_000_000_000_000

/**
 * Largest amount supported: below this limit, doubles in JSON represent each cent amount
 * distinctly, with a wide margin.
 */
const MAX_ANSWER_CENTS = 1_000_000_000_000_000

const isCents = (value: unknown): value is Cents => Number.isSafeInteger(value)

/** Whether a value is an amount that a response can have. */
export const isAnswerAmount = (value: unknown): value is Cents =>
  isCents(value) && Math.abs(value) <= MAX_ANSWER_CENTS

/**
 * Takes an integer as cents. Throws RangeError for anything else, because a caller that passes a
 * fraction has a defect.
 */
export function cents(value: number): Cents {
  if (!isCents(value)) throw new RangeError(`not an integer number of cents: ${value}`)
  return value
}

export const ZERO = cents(0)

export const addCents = (...amounts: readonly Cents[]): Cents =>
  cents(amounts.reduce<number>((sum, amount) => sum + amount, 0))
/** The sum of any number of amounts; {@link ZERO} of none. */
export function sumCents(amounts: Iterable<Cents>): Cents {
  let sum = 0
  for (const amount of amounts) sum += amount
  return cents(sum)
}
export const subtractCents = (from: Cents, amount: Cents): Cents => cents(from - amount)
export const timesCents = (price: Cents, qty: number): Cents => cents(price * qty)
export const negateCents = (amount: Cents): Cents => cents(0 - amount)
export const absCents = (amount: Cents): Cents => (amount < 0 ? negateCents(amount) : amount)
/** The largest of the amounts: `atLeast(price, floor)` raises a price to its floor. */
export const atLeast = (amount: Cents, ...others: readonly Cents[]): Cents =>
  others.reduce((most, other) => (other > most ? other : most), amount)
/** The smallest of the amounts: `atMost(price, ceiling)` lowers a price to its ceiling. */
export const atMost = (amount: Cents, ...others: readonly Cents[]): Cents =>
  others.reduce((least, other) => (other < least ? other : least), amount)

/**
 * Converts euros with at most two decimals (a number, or text such as `-12.5`) to cents. Throws
 * RangeError for more decimals or an invalid number.
 */
export function toCents(euros: number | string): Cents {
  const value =
    typeof euros === 'string' && /^-?\d+(\.\d{1,2})?$/.test(euros) ? Number(euros) : euros
  if (typeof value === 'string' || !isEuroAmount(value))
    throw new RangeError(`not an amount in EUR with two decimals: ${euros}`)
  return cents(Math.round(value * 100) + 0)
}

/**
 * Converts euros of another service's response, which can have more decimals than two, to the
 * nearest cent.
 */
export const roundedEuros = (euros: number): Cents => cents(Math.round(euros * 100) + 0)

/**
 * Whether a number is an amount in EUR with at most two decimals, small enough for doubles to
 * represent every cent.
 */
function isEuroAmount(value: number): boolean {
  return Math.abs(value) * 100 <= MAX_ANSWER_CENTS && Math.round(value * 100) / 100 === value
}

/**
 * Converts cents to a number of euros for JSON: the double nearest to the decimal, printed with at
 * most two decimals.
 */
export const fromCents = (amount: Cents): number => amount / 100

/** Digits with commas between thousands: `1,200`. */
export function groupThousands(digits: string): string {
  const parts: string[] = []
  for (let end = digits.length; end > 0; end -= 3)
    parts.unshift(digits.slice(Math.max(0, end - 3), end))
  return parts.join(',')
}

/** Cents formatted for people: `1,284.60`, `-0.05`. No currency sign. */
export function formatEuros(amount: Cents): string {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  const whole = groupThousands(digits.slice(0, -2))
  return `${amount < 0 ? '-' : ''}${whole}.${digits.slice(-2)}`
}

/** Cents for files and input fields, without grouping: `1284.60`, `-0.05`. */
export const plainEuros = (amount: Cents): string => formatEuros(amount).replaceAll(',', '')

export type ParsedEuros =
  | { ok: true; cents: Cents }
  | { ok: false; reason: 'empty' | 'format' | 'decimals' | 'too-large' }

/**
 * Parses an amount as a person types it: `12`, `12.5`, `12,50`, `1,284.60`, `€ 3.20`, `3.20 EUR`. A
 * comma before exactly three digits groups thousands; before one or two digits it is the decimal
 * mark. Never throws.
 */
export function parseEuros(text: string): ParsedEuros {
  const bare = text.replace(/€|EUR/i, '').trim()
  if (bare === '') return { ok: false, reason: 'empty' }
  const grouped = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(bare)
  const plain = grouped ? bare.replaceAll(',', '') : bare.replace(',', '.')
  if (!/^-?(\d+(\.\d*)?|\.\d+)$/.test(plain)) return { ok: false, reason: 'format' }
  const [whole = '', decimals = ''] = plain.split('.')
  if (decimals.length > 2) return { ok: false, reason: 'decimals' }
  if (whole.replace(/^-?0*/, '').length > 10) return { ok: false, reason: 'too-large' }
  const value = Number(whole + decimals.padEnd(2, '0')) + 0
  return Math.abs(value) > MAX_CENTS
    ? { ok: false, reason: 'too-large' }
    : { ok: true, cents: cents(value) }
}

/** `numerator / denominator` rounded half up to an integer, exactly. */
function divideHalfUp(numerator: bigint, denominator: bigint): Cents {
  return cents(Number(floorDivide(numerator * 2n + denominator, denominator * 2n)))
}

/** `numerator / denominator` rounded down; the denominator is above zero. */
function floorDivide(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return numerator % denominator < 0n ? quotient - 1n : quotient
}

/**
 * The part `numerator / denominator` of an amount, both of them integers and the denominator above
 * zero, rounded half up: `shareOf(price, 1, 2)` is half the
 * price.
 */
export const shareOf = (amount: Cents, numerator: number, denominator: number): Cents =>
  divideHalfUp(BigInt(amount) * BigInt(numerator), BigInt(denominator))

/** The average of `count` amounts with this total in cents, rounded half up; the total may be large. */
export const averageOf = (total: bigint, count: number): Cents => divideHalfUp(total, BigInt(count))

/** An amount divided by a count above zero, rounded half up. */
export const averageCents = (total: Cents, count: number): Cents => shareOf(total, 1, count)

/**
 * A percent in hundredths of a percent (10 % is 1000), the format in which commissions are stored.
 * Throws RangeError for more than two decimals.
 */
export const percentHundredths = (percent: number): number => toCents(percent)

/**
 * Commission on a seller's price, half up (Decision 3). `hundredths` is the percent in hundredths:
 * 1000 for 10 %.
 */
export function commissionCents(price: Cents, hundredths: number): Cents {
  const scaled = price * hundredths
  if (price >= 0 && Number.isSafeInteger(scaled + 5000))
    return cents((scaled + 5000 - ((scaled + 5000) % 10_000)) / 10_000)
  return divideHalfUp(BigInt(price) * BigInt(hundredths), 10_000n)
}

/** A percent of an amount, rounded half up; `percent` has at most two decimals. */
export const percentOf = (amount: Cents, percent: number): Cents =>
  commissionCents(amount, percentHundredths(percent))

/** A percent of an amount, rounded up to the next cent; `percent` has at most two decimals. */
export const percentRoundedUp = (amount: Cents, percent: number): Cents =>
  cents(-Number(floorDivide(-BigInt(amount) * BigInt(percentHundredths(percent)), 10_000n)) + 0)

/** The customer's price for a seller's price: price plus commission, half up (Decision 3). */
export const customerPrice = (price: Cents, hundredths: number): Cents =>
  addCents(price, commissionCents(price, hundredths))

/**
 * The highest seller's price at which the customer pays at most `customer`: the inverse of {@link
 * customerPrice}. At least one cent.
 */
export function sellerPriceFor(customer: Cents, hundredths: number): Cents {
  let receive = Math.max(1, Math.ceil((customer * 10_000) / (10_000 + hundredths)) + 1)
  while (receive > 1 && customerPrice(cents(receive), hundredths) > customer) receive -= 1
  return cents(receive)
}

/** A partner's price factor as an exact fraction. */
export type PriceFactor = { readonly numerator: bigint; readonly denominator: bigint }

/**
 * The exact fraction of a factor's decimal notation: 1.05 is 105/100, whatever its nearest double
 * is. Throws RangeError unless it is a finite number above 0.
 */
export function priceFactor(factor: number): PriceFactor {
  if (!(factor > 0) || !Number.isFinite(factor))
    throw new RangeError(`not a price factor: ${factor}`)
  const [mantissa = '', exponent = '0'] = String(factor).split('e')
  const [whole = '', decimals = ''] = mantissa.split('.')
  const shift = Number(exponent) - decimals.length
  const digits = BigInt(whole + decimals)
  return shift >= 0
    ? { numerator: digits * 10n ** BigInt(shift), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-shift) }
}

/**
 * A price times a partner's factor, rounded half up to cents (Decision 1). Throws RangeError when
 * the result exceeds exact integers.
 */
export function timesFactor(price: Cents, factor: PriceFactor): Cents {
  if (factor.numerator === factor.denominator) return price
  const denominator = Number(factor.denominator)
  const doubled = price * Number(factor.numerator) * 2 + denominator
  if (price >= 0 && Number.isSafeInteger(doubled) && Number.isSafeInteger(denominator)) {
    return cents((doubled - (doubled % (denominator * 2))) / (denominator * 2))
  }
  return divideHalfUp(BigInt(price) * factor.numerator, factor.denominator)
}

/**
 * Integer cents of EUR: the only form of money between core and screen. Input and output are both
 * {@link Cents}, so that no caller can send the result of plain arithmetic.
 */
export const centsSchema = z.int() as z.ZodInt & Record<'_zod', Record<'input' | 'output', Cents>>

const centsValue = z.custom<Cents>(isCents, 'not an integer number of cents')

/**
 * EUR with at most two decimals on the wire, {@link Cents} inside. More decimals are a validation
 * issue and never rounded (Decision 2).
 */
export const euroAmount = z.codec(
  z
    .number()
    .min(-MAX_ANSWER_CENTS / 100)
    .max(MAX_ANSWER_CENTS / 100)
    .refine(isEuroAmount, { error: 'must have at most two decimals', abort: true }),
  centsValue,
  { decode: (euros) => toCents(euros), encode: (amount) => fromCents(amount) },
)

/** {@link euroAmount} within bounds given in cents, both included. */
export const euroAmountBetween = (min: number, max: number) =>
  z.codec(
    z
      .number()
      .min(min / 100)
      .max(max / 100)
      .refine(isEuroAmount, { error: 'must have at most two decimals', abort: true })
      .meta({ description: 'In EUR, with at most two decimals.' }),
    centsValue,
    { decode: (euros) => toCents(euros), encode: (amount) => fromCents(amount) },
  )

/**
 * A percent with at most two decimals: exactly those that {@link percentHundredths} accepts. Zod's
 * own `multipleOf` tolerates rounding errors, so here it only describes the rule in JSON schemas.
 */
export const percentUpTo = (max: number) =>
  z
    .number()
    .min(0)
    .max(max)
    .refine(isEuroAmount, { error: 'must have at most two decimals', abort: true })
    .meta({ multipleOf: 0.01 })

/**
 * The highest amount that a request accepts, at least 0. Decimals beyond the cent are dropped, so
 * that a computed bound such as `price * 1.05` is accepted (Decision 38).
 */
export const euroBound = z.codec(z.number().min(0), centsValue, {
  decode: (euros) => {
    const nearest = Math.round(Math.min(euros, MAX_CENTS / 100) * 100) + 0
    return cents(nearest / 100 > euros ? nearest - 1 : nearest)
  },
  encode: (amount) => fromCents(amount),
})

/**
 * An amount in a response of another service, which can print more decimals than two: rounded to
 * the nearest cent.
 */
export const roundedEuroAmount = z.codec(
  z
    .number()
    .min(-MAX_ANSWER_CENTS / 100)
    .max(MAX_ANSWER_CENTS / 100),
  centsValue,
  {
    decode: (euros) => roundedEuros(euros),
    encode: (amount) => fromCents(amount),
  },
)
