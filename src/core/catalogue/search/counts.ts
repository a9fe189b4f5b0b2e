import type { Database } from 'better-sqlite3'
import type { CatalogueFilter } from '../../../contract/catalogue.ts'
import { prepared, interpretQuery, wordIndex } from '../../mirror/mirror.ts'
import { countSource } from '../records/facets.ts'
import { ACTIVATES, conditionOf } from './filter.ts'
import type { Condition } from './filter.ts'
import { PRODUCT_WORDS } from '../schema.ts'

type Counted = { value: string; count: number }[]
export type Counts = {
  platforms: Counted
  regions: Counted
  productTypes: Counted
  deliveryTypes: Counted
  inStock: number
  notSoldByMe: number
  activates: { yes: number; unknown: number; no: number } | null
}

/** Products that are alike in every filter property. */
type Group = {
  platforms: string
  regions: string
  productTypes: string
  deliveryTypes: string
  inStock: number
  notMine: number
  activates: 'yes' | 'unknown' | 'no' | null
  count: number
}

const LISTS = ['platforms', 'regions', 'productTypes', 'deliveryTypes'] as const
type List = (typeof LISTS)[number]
/** The choices to ignore while counting the options of a filter. */
type Choice = List | 'inStockOnly' | 'notSoldByMe' | 'activates'

const NOTHING_CHOSEN = {
  platforms: [],
  regions: [],
  productTypes: [],
  deliveryTypes: [],
  inStockOnly: false,
  notSoldByMe: false,
  activates: ['yes', 'unknown', 'no'],
} satisfies Partial<CatalogueFilter>

/** Whether the counts are still needed. Checked every few milliseconds. */
export type ShouldContinue = () => boolean

/** Counting stopped early because the counts are no longer needed. */
export class CountingStopped extends Error {}

/** Number of products counted between two checks. */
const AT_ONCE = 1000
/** Separates the joined property values. If a label contains it, products aren't joined by it. */
const BETWEEN = '\u001f'

/**
 * Counts for every choice the products it would leave, given all other choices; the most common
 * value first. Products that are alike form groups, which are maintained for queries without words
 * and prices, so counts are totals over those few groups. Throws {@link CountingStopped} soon after
 * `goesOn` returns false.
 */
export function countChoices(
  db: Database,
  filter: CatalogueFilter,
  goesOn: ShouldContinue = () => true,
): Counts {
  const groups = groupsOf(db, filter, goesOn)
  const chosen: Record<List, ReadonlySet<string>> = {
    platforms: new Set(filter.platforms),
    regions: new Set(filter.regions),
    productTypes: new Set(filter.productTypes),
    deliveryTypes: new Set(filter.deliveryTypes),
  }
  const fits = (group: Group, without: Choice): boolean =>
    LISTS.every(
      (list) => list === without || chosen[list].size === 0 || chosen[list].has(group[list]),
    ) &&
    (without === 'inStockOnly' || !filter.inStockOnly || group.inStock === 1) &&
    (without === 'notSoldByMe' || !filter.notSoldByMe || group.notMine === 1) &&
    (without === 'activates' ||
      group.activates === null ||
      filter.activates.includes(group.activates))
  const among = (without: Choice): Group[] => groups.filter((group) => fits(group, without))
  const sum = (some: readonly Group[]): number =>
    some.reduce((total, group) => total + group.count, 0)
  const valuesOf = (list: List): Counted =>
    [...Map.groupBy(among(list), (group) => group[list])]
      .map(([value, of]) => ({ value, count: sum(of) }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  const activating = among('activates')
  const activates = (answer: Group['activates']): number =>
    sum(activating.filter((group) => group.activates === answer))

  return {
    platforms: valuesOf('platforms'),
    regions: valuesOf('regions'),
    productTypes: valuesOf('productTypes'),
    deliveryTypes: valuesOf('deliveryTypes'),
    inStock: sum(among('inStockOnly').filter((group) => group.inStock === 1)),
    notSoldByMe: sum(among('notSoldByMe').filter((group) => group.notMine === 1)),
    activates:
      filter.country === null
        ? null
        : { yes: activates('yes'), unknown: activates('unknown'), no: activates('no') },
  }
}

/**
 * The properties that products of a {@link Group} share, as columns of `p` in the group's order.
 */
const commonOf = (filter: CatalogueFilter): string[] => [
  'p.platform',
  'p.region',
  'p.product_type',
  'p.delivery_type',
  'coalesce(p.in_stock, 0)',
  'p.offer_id IS NULL',
  filter.country === null ? 'NULL' : ACTIVATES,
]

function groupsOf(db: Database, filter: CatalogueFilter, goesOn: ShouldContinue): Group[] {
  const index = wordIndex(db, PRODUCT_WORDS)
  const words = interpretQuery(index, filter.query)?.query ?? null
  const condition = conditionOf(
    { ...filter, ...NOTHING_CHOSEN },
    words === null ? null : index.narrow(words),
  )
  look(goesOn)
  askFrom(db, goesOn)
  return (
    (filter.query.trim() === '' ? null : groupsOfTyped(db, filter, condition, goesOn)) ??
    groupsOfAll(db, filter, condition)
  )
}

/**
 * Counts the products that match typed text, a thousand at a time. Null if a label contains {@link
 * BETWEEN}.
 */
function groupsOfTyped(
  db: Database,
  filter: CatalogueFilter,
  { typed, choices, values }: Condition,
  goesOn: ShouldContinue,
): Group[] | null {
  const rids = prepared(db, `SELECT rid FROM (${typed}) WHERE ${CONTINUE_CHECK('rid')}`)
    .pluck()
    .all(values) as number[]
  const alike = prepared(
    db,
    `
    SELECT ${commonOf(filter)
      .map((column) => `coalesce(${column}, '')`)
      .join(` || '${BETWEEN}' || `)}
    FROM json_each(:rids) r CROSS JOIN products p ON p.rid = r.value WHERE ${choices}`,
  ).pluck()
  const counted = new Map<string, number>()
  for (let from = 0; from < rids.length; from += AT_ONCE) {
    look(goesOn)
    for (const kind of alike.all({
      ...values,
      rids: JSON.stringify(rids.slice(from, from + AT_ONCE)),
    }) as string[])
      counted.set(kind, (counted.get(kind) ?? 0) + 1)
  }
  const groups = [...counted].flatMap(([kind, count]) => {
    const [
      platforms = '',
      regions = '',
      productTypes = '',
      deliveryTypes = '',
      inStock,
      notMine,
      activates,
      more,
    ] = kind.split(BETWEEN)
    return more === undefined
      ? [
          {
            platforms,
            regions,
            productTypes,
            deliveryTypes,
            inStock: Number(inStock),
            notMine: Number(notMine),
            activates: activates === '' ? null : (activates as Group['activates']),
            count,
          },
        ]
      : []
  })
  return groups.length === counted.size ? groups : null
}

function groupsOfAll(db: Database, filter: CatalogueFilter, condition: Condition): Group[] {
  const { from, count } = countSource(filter)
  const [platform, region, type, delivery, inStock, notMine, activates] = commonOf(filter)
  return prepared(
    db,
    `
    SELECT ${platform} AS platforms, ${region} AS regions, ${type} AS productTypes, ${delivery} AS deliveryTypes,
      ${inStock} AS inStock, ${notMine} AS notMine, ${activates} AS activates, ${count} AS count
    FROM ${from === 'products p' ? condition.from : from}
    WHERE ${condition.where}${from === 'products p' ? ` AND ${CONTINUE_CHECK('p.rid')}` : ''}
      GROUP BY 1, 2, 3, 4, 5, 6, 7`,
  ).all(condition.values) as Group[]
}

function look(goesOn: ShouldContinue): void {
  if (!goesOn()) throw new CountingStopped('These counts are no longer needed.')
}

/**
 * SQL condition that calls `goes_on` for one product in a thousand, which costs almost nothing, and
 * throws if it returns false.
 */
const CONTINUE_CHECK = (rid: string): string => `(${rid} & 1023 OR goes_on())`
const asked = new WeakMap<Database, { goesOn: ShouldContinue }>()

function askFrom(db: Database, goesOn: ShouldContinue): void {
  const known = asked.get(db)
  if (known !== undefined) return void (known.goesOn = goesOn)
  const now = { goesOn }
  asked.set(db, now)
  db.function('goes_on', () => {
    look(now.goesOn)
    return 1
  })
}
