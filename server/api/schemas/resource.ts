/**
 * Two forms of one schema. `strict` describes what the bundled backend sends: every field, closed
 * lists, exact formats. `tolerant` describes what a client can rely on (Decision 33): fields that
 * the two API documents name are required, fields added by the decisions are optional, lists of
 * values are open, and unknown fields are kept.
 */
import { z } from 'zod'
import { euroAmount, roundedEuroAmount } from '../money.ts'
import { calendarDate, instant, sha256Hex } from './values.ts'

export type SchemaPair<
  Strict extends z.ZodType = z.ZodType,
  Tolerant extends z.ZodType = z.ZodType,
> = {
  readonly strict: Strict
  readonly tolerant: Tolerant
}

type Part = z.ZodType | SchemaPair
export type Parts = Readonly<Record<string, Part>>

type StrictOf<P> = P extends SchemaPair<infer Strict> ? Strict : P extends z.ZodType ? P : never
type TolerantOf<P> =
  P extends SchemaPair<z.ZodType, infer Tolerant> ? Tolerant : P extends z.ZodType ? P : never
type StrictShape<S extends Parts> = { [K in keyof S]: StrictOf<S[K]> }
type TolerantShape<S extends Parts> = { [K in keyof S]: TolerantOf<S[K]> }
type OptionalShape<S extends Parts> = { [K in keyof S]: z.ZodOptional<TolerantOf<S[K]>> }

const isTwo = (part: Part): part is SchemaPair => 'tolerant' in part
const strictOf = (part: Part): z.ZodType => (isTwo(part) ? part.strict : part)
const tolerantOf = (part: Part): z.ZodType => (isTwo(part) ? part.tolerant : part)

function mapParts(parts: Parts, change: (part: Part) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]))
}

/** A value with a strict and a tolerant form. */
const two = <Strict extends z.ZodType, Tolerant extends z.ZodType>(
  strict: Strict,
  tolerant: Tolerant,
): SchemaPair<Strict, Tolerant> => ({ strict, tolerant })

export type Resource<Named extends Parts, Added extends Parts> = SchemaPair<
  z.ZodObject<StrictShape<Named> & StrictShape<Added>, z.core.$strict>,
  z.ZodObject<TolerantShape<Named> & OptionalShape<Added>, z.core.$loose>
> & { readonly named: Named; readonly added: Added }

/**
 * An object in a response: fields that the API documents name, and fields that the decisions added.
 */
export function resource<Named extends Parts, Added extends Parts = Record<never, never>>(
  named: Named,
  added?: Added,
): Resource<Named, Added> {
  const more: Parts = added ?? {}
  const built = {
    strict: z.strictObject({ ...mapParts(named, strictOf), ...mapParts(more, strictOf) }),
    tolerant: z.looseObject({
      ...mapParts(named, tolerantOf),
      ...mapParts(more, (part) => tolerantOf(part).optional()),
    }),
    named,
    added: more,
  }
  // The shapes are built by name at run time; the declared type lists the same fields.
  return built as unknown as Resource<Named, Added>
}

export const listOf = <P extends Part>(
  part: P,
): SchemaPair<z.ZodArray<StrictOf<P>>, z.ZodArray<TolerantOf<P>>> =>
  ({ strict: z.array(strictOf(part)), tolerant: z.array(tolerantOf(part)) }) as SchemaPair<
    z.ZodArray<StrictOf<P>>,
    z.ZodArray<TolerantOf<P>>
  >

export const orNull = <P extends Part>(
  part: P,
): SchemaPair<z.ZodNullable<StrictOf<P>>, z.ZodNullable<TolerantOf<P>>> =>
  ({ strict: strictOf(part).nullable(), tolerant: tolerantOf(part).nullable() }) as SchemaPair<
    z.ZodNullable<StrictOf<P>>,
    z.ZodNullable<TolerantOf<P>>
  >

/** A closed list of values for the backend, an open one for a client. */
export const closedList = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  two(z.enum(words), z.string())

/** The most characters of a label that a client accepts. */
export const MAX_LABEL = 300

/**
 * A short text for people, such as a product's name. A client clips a longer one here, before
 * anything stores or shows it.
 */
export const label = two(
  z.string(),
  z
    .string()
    .overwrite((text) =>
      text.length <= MAX_LABEL
        ? text
        : `${text.slice(0, MAX_LABEL - 1).replace(/[\uD800-\uDBFF]$/, '')}…`,
    ),
)

/** An amount in EUR: exactly two decimals from the backend, rounded to cents by a client. */
export const amount = two(euroAmount, roundedEuroAmount)

/** A date-time: canonical from the backend; a client accepts any text and parses it if it can. */
export const dateTime = two(instant, z.string())

/** A calendar date, handled the same way. */
export const date = two(calendarDate, z.string())

export const fingerprint = two(sha256Hex, z.string())

/**
 * Seller list envelope (Decision 23), also used by the dashboard. The seller document shows no
 * envelope, so only `results` is required: an answer without them is another program's, and not an
 * empty list.
 */
export const envelope = <P extends Part>(part: P) =>
  resource(
    { results: listOf(part) },
    {
      page: z.int(),
      limit: z.int(),
      total: z.int(),
      totalPages: z.int(),
      hasMore: z.boolean(),
    },
  )

/** The same envelope with required fields, for the dashboard interface, which specifies them. */
export const namedEnvelope = <P extends Part>(part: P) =>
  resource({
    page: z.int(),
    limit: z.int(),
    total: z.int(),
    totalPages: z.int(),
    hasMore: z.boolean(),
    results: listOf(part),
  })
