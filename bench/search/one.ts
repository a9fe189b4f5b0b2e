/*
 * One measurement of searching: `node one.ts keydesk|minisearch|flexsearch PRODUCTS MIRROR`; writes
 * one line of JSON.
 */
import FlexSearch from 'flexsearch'
import MiniSearch from 'minisearch'
import { catalogueFilterSchema } from '../../src/contract/catalogue.ts'
import { createReaderTask } from '../../src/core/catalogue/search/reader-task.ts'
import { benchProduct } from '../support/catalogue.ts'
import { msSince } from '../support/mirror.ts'
import { TYPED } from './typed.ts'

const [what, size, file = ''] = process.argv.slice(2)
const count = Number(size)
const nameOf = (index: number): string => {
  const { name, platform, region } = benchProduct(index)
  return `${name} ${platform} ${region}`
}

function searcher(): (query: string) => number {
  if (what === 'minisearch') {
    const index = new MiniSearch<{ id: number; text: string }>({
      fields: ['text'],
      searchOptions: { prefix: true, fuzzy: 0.2, combineWith: 'AND' },
    })
    for (let id = 0; id < count; id += 1) index.add({ id, text: nameOf(id) })
    return (query) => index.search(query).slice(0, 50).length
  }
  if (what === 'flexsearch') {
    const index = new FlexSearch.Index({ tokenize: 'forward' })
    for (let id = 0; id < count; id += 1) index.add(id, nameOf(id))
    return (query) => index.search(query, { limit: 50 }).length
  }
  const reader = createReaderTask()
  return (query) => {
    const read = reader.read(file, {
      what: 'search',
      filter: catalogueFilterSchema.parse({ query }),
      sort: null,
      window: { offset: 0, limit: 50 },
    })
    return 'rows' in read ? read.rows.length : 0
  }
}

const began = performance.now()
const search = searcher()
search('witcher')
const firstAnswerMs = Math.round(performance.now() - began)
const took: { ms: number; cpuMs: number }[] = []
let found = 0
for (const text of TYPED) {
  for (let letters = 1; letters <= text.length; letters += 1) {
    const [wall, cpu] = [performance.now(), process.cpuUsage()]
    found += search(text.slice(0, letters))
    took.push({ ms: performance.now() - wall, cpuMs: msSince(cpu) })
  }
}
const quantile = (
  of: 'ms' | 'cpuMs',
  share: number,
  among: readonly { ms: number; cpuMs: number }[] = took,
): number =>
  Math.round(
    (among.map((each) => each[of]).sort((a, b) => a - b)[Math.floor(among.length * share)] ?? 0) *
      10,
  ) / 10

/**
 * Filter counts for queries that match a large part of the catalogue: they run in a separate thread
 * and are requested after the rows.
 */
function broadCounts(): { ms: number; cpuMs: number }[] {
  if (what !== 'keydesk') return []
  const reader = createReaderTask()
  return [
    { query: 's' },
    { query: 'st' },
    { query: 'the' },
    { query: 'steam' },
    { query: 'of war' },
    { minCents: 500 },
    { maxCents: 4000 },
  ].map((filter) => {
    const [wall, cpu] = [performance.now(), process.cpuUsage()]
    reader.read(file, { what: 'counts', filter: catalogueFilterSchema.parse(filter) })
    return { ms: performance.now() - wall, cpuMs: msSince(cpu) }
  })
}
const residentMB = Math.round(process.memoryUsage().rss / 1e6)
const counted = broadCounts()
process.stdout.write(
  JSON.stringify({
    products: count,
    queries: took.length,
    p50: quantile('ms', 0.5),
    p95: quantile('ms', 0.95),
    p99: quantile('ms', 0.99),
    cpuP95: quantile('cpuMs', 0.95),
    countsCpuP95: quantile('cpuMs', 0.95, counted),
    firstAnswerMs,
    residentMB,
    afterCountsMB: Math.round(process.memoryUsage().rss / 1e6),
    found,
  }),
)
