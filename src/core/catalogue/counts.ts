import type { Database } from 'better-sqlite3'
import type { CatalogueFilter } from '../../contract/catalogue.ts'
import { understand, wordIndex } from '../mirror/mirror.ts'
import { countable } from './facets.ts'
import { ACTIVATES, conditionOf } from './filter.ts'
import { PRODUCT_WORDS } from './schema.ts'

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

/** Products that are alike in everything that can be chosen. */
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
/** The choices that are left out when their own counts are asked for. */
type Choice = List | 'inStockOnly' | 'notSoldByMe' | 'activates'

const NOTHING_CHOSEN = { platforms: [], regions: [], productTypes: [], deliveryTypes: [], inStockOnly: false, notSoldByMe: false, activates: ['yes', 'unknown', 'no'] } satisfies Partial<CatalogueFilter>

/**
 * For every choice how many products it would leave, given all other choices; the commonest value first. Alike products are put together, and
 * without words and prices they are kept so; the counts are sums over those few groups.
 */
export function countChoices(db: Database, filter: CatalogueFilter): Counts {
  const index = wordIndex(db, PRODUCT_WORDS)
  const words = understand(index, filter.query)?.query ?? null
  const condition = conditionOf({ ...filter, ...NOTHING_CHOSEN }, words === null ? null : index.narrow(words))
  const { from, count } = countable(filter)
  const groups = db.prepare(`
    SELECT p.platform AS platforms, p.region AS regions, p.product_type AS productTypes, p.delivery_type AS deliveryTypes, coalesce(p.in_stock, 0) AS inStock,
      p.offer_id IS NULL AS notMine, ${filter.country === null ? 'NULL' : ACTIVATES} AS activates, ${count} AS count
    FROM ${from === 'products p' ? condition.from : from} WHERE ${condition.where} GROUP BY 1, 2, 3, 4, 5, 6, 7`).all(condition.values) as Group[]

  const chosen: Record<List, ReadonlySet<string>> = {
    platforms: new Set(filter.platforms), regions: new Set(filter.regions), productTypes: new Set(filter.productTypes), deliveryTypes: new Set(filter.deliveryTypes),
  }
  const fits = (group: Group, without: Choice): boolean =>
    LISTS.every((list) => list === without || chosen[list].size === 0 || chosen[list].has(group[list]))
    && (without === 'inStockOnly' || !filter.inStockOnly || group.inStock === 1)
    && (without === 'notSoldByMe' || !filter.notSoldByMe || group.notMine === 1)
    && (without === 'activates' || group.activates === null || filter.activates.includes(group.activates))
  const among = (without: Choice): Group[] => groups.filter((group) => fits(group, without))
  const sum = (some: readonly Group[]): number => some.reduce((total, group) => total + group.count, 0)
  const valuesOf = (list: List): Counted => [...Map.groupBy(among(list), (group) => group[list])]
    .map(([value, of]) => ({ value, count: sum(of) }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  const activating = among('activates')
  const activates = (answer: Group['activates']): number => sum(activating.filter((group) => group.activates === answer))

  return {
    platforms: valuesOf('platforms'),
    regions: valuesOf('regions'),
    productTypes: valuesOf('productTypes'),
    deliveryTypes: valuesOf('deliveryTypes'),
    inStock: sum(among('inStockOnly').filter((group) => group.inStock === 1)),
    notSoldByMe: sum(among('notSoldByMe').filter((group) => group.notMine === 1)),
    activates: filter.country === null ? null : { yes: activates('yes'), unknown: activates('unknown'), no: activates('no') },
  }
}
