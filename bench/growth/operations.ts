import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { addCents, cents } from '../../server/api/money.ts'
import { catalogueFilterSchema } from '../../src/contract/catalogue.ts'
import { writeArchive } from '../../src/core/backup/archive.ts'
import { createReaderTask } from '../../src/core/catalogue/search/reader-task.ts'
import { createCore } from '../../src/core/create-core.ts'
import { listDisputes } from '../../src/core/disputes/list/list.ts'
import { runKeyCheck } from '../../src/core/key-import/check/key-check-task.ts'
import { MOST_LINES } from '../../src/core/key-import/parse/line-collector.ts'
import { listOffers } from '../../src/core/offers/list/list.ts'
import { systemRandomness } from '../../src/core/randomness.ts'
import { earningsBetween } from '../../src/core/sales/earnings/earnings.ts'
import { listSales } from '../../src/core/sales/list/list.ts'
import { cpuMsOf } from '../backend/processes.ts'
import { startService } from '../backend/service.ts'
import { fillDisputes } from '../disputes/fill.ts'
import { createImportJournal, readTask, writeKeyFile } from '../parse/key-file.ts'
import { secrets } from '../parse/task.ts'
import { addAccount, hostOf } from '../ready/host.ts'
import { fillSales } from '../sales/fill.ts'
import { TYPED } from '../search/typed.ts'
import { fillLedger } from '../start/fill-ledger.ts'
import { openAccountDatabase } from '../support/account-database.ts'
import { fillMirror } from '../support/mirror.ts'
import { fillOffers } from '../table/fill.ts'

const DAY = 86_400_000
/** Runs of an operation that is shorter than a second. */
const RUNS = 40

/** One of the operations whose cost is measured for several numbers of records. */
export interface Operation {
  readonly records: string
  /**
   * The exponent that its cost should have: 0 for a window of a list, 1 for reading every record
   * once. A higher one means that something grows faster than the work.
   */
  readonly expected: number
  /** The largest number of records that fit a disk of 10 GB, also while they are written. */
  readonly most: number
  /**
   * Writes the records to a folder, in a process of its own. Operations with the same function share
   * the folder, because ten million records take half an hour.
   */
  readonly fill?: (folder: string, records: number) => void
  /**
   * Opens what `fill` has written, or writes the records to an empty folder. The result is measured:
   * `runs` times, or as often as it says, by the processor time of this process or of the one with
   * the returned id.
   */
  prepare(
    folder: string,
    records: number,
  ): Promise<{
    runs: number
    work: (run: number) => unknown
    pid?: number
    end?: () => unknown
  }>
}

async function catalogue(folder: string, records: number): Promise<string> {
  const file = path.join(folder, 'catalogue.db')
  const { db } = await fillMirror(file, records)
  db.close()
  return file
}

/** Every prefix of the typed words, as a person types them. */
const prefixes = TYPED.flatMap((text) =>
  Array.from({ length: text.length }, (_, at) => text.slice(0, at + 1)),
)

export const operations = {
  'first listing': {
    records: 'products',
    expected: 1,
    most: 1_000_000,
    prepare: (folder, records) =>
      Promise.resolve({ runs: 1, work: () => catalogue(folder, records) }),
  },
  'product search': {
    records: 'products',
    expected: 0,
    most: 1_000_000,
    async prepare(folder, records) {
      const file = await catalogue(folder, records)
      const reader = createReaderTask()
      return {
        runs: prefixes.length,
        work: (run) =>
          reader.read(file, {
            what: 'search',
            filter: catalogueFilterSchema.parse({ query: prefixes[run] }),
            sort: null,
            window: { offset: 0, limit: 50 },
          }),
      }
    },
  },
  'filter counts': {
    records: 'products',
    expected: 1,
    most: 1_000_000,
    async prepare(folder, records) {
      const file = await catalogue(folder, records)
      const broad = ['s', 'st', 'the', 'steam', 'of war']
      // Each reader has read nothing yet: the counts of a filter are kept.
      return {
        runs: broad.length,
        work: (run) =>
          createReaderTask().read(file, {
            what: 'counts',
            filter: catalogueFilterSchema.parse({ query: broad[run] }),
          }),
      }
    },
  },
  'offers list, any window': {
    records: 'offers',
    expected: 0,
    most: 1_000_000,
    prepare(folder, records) {
      const { db, close } = openAccountDatabase(folder)
      db.pragma('synchronous = OFF')
      fillOffers(db, records)
      const list = (offset: number): unknown =>
        listOffers(db, {
          view: 'all',
          query: '',
          platforms: [],
          regions: [],
          sort: { column: 'name', direction: 'asc' },
          offset,
          limit: 100,
          lowStock: 5,
          now: 1_750_000_000_000,
        })
      // The counts of the views are kept until an offer changes.
      list(0)
      return Promise.resolve({
        runs: RUNS,
        work: (run) => list(Math.floor((run / RUNS) * records)),
        end: close,
      })
    },
  },
  'sales list, any window': {
    records: 'sales',
    expected: 0,
    most: 10_000_000,
    fill: sales,
    prepare: (folder, records) =>
      openSales(
        folder,
        (db) => (run) =>
          listSales(db, {
            view: 'all',
            query: '',
            from: null,
            to: null,
            offerId: null,
            productId: null,
            sort: { column: 'sold', direction: 'desc' },
            offset: Math.floor((run / RUNS) * records),
            limit: 100,
          }),
      ),
  },
  'chart of a year of sales': {
    records: 'sales',
    expected: 0,
    most: 10_000_000,
    fill: sales,
    prepare: (folder) =>
      openSales(folder, (db) => {
        const now = Date.now()
        const edges = Array.from(
          { length: 366 },
          (_, at) => Math.floor(now / DAY + 1 - 365 + at) * DAY,
        )
        return () => earningsBetween(db, { edges, offerId: null, products: 0 })
      }),
  },
  'dispute search': {
    records: 'disputes',
    expected: 1,
    most: 1_000_000,
    prepare(folder, records) {
      const { db, close } = openAccountDatabase(folder)
      fillDisputes(db, records, 2)
      const words = ['iron 7', 'cinder', 'far 1', 'night 42', 'e 4', 'velvet']
      return Promise.resolve({
        runs: RUNS,
        work: (run) =>
          listDisputes(
            db,
            {
              view: 'all',
              query: words[run % words.length] ?? '',
              unread: false,
              reasons: [],
              languages: [],
              sort: { column: 'urgency', direction: 'asc' },
              offset: 0,
              limit: 100,
            },
            { accountId: 'bench', now: Date.now(), reasonOf: () => null, waits: () => false },
          ),
        end: close,
      })
    },
  },
  'import check': {
    records: 'lines',
    expected: 1,
    most: 10_000_000,
    prepare(folder, records) {
      // The header is a line too.
      const lines = Math.min(records, MOST_LINES - 1)
      createImportJournal(folder)
      writeKeyFile(folder, 'csv', lines)
      const task = { ...readTask(folder, 'csv'), ...secrets }
      return Promise.resolve({
        runs: 1,
        work() {
          const { ready } = runKeyCheck(task, () => {}).classified.sums
          if (ready !== lines) throw new Error(`${ready} of ${lines} lines are ready`)
        },
      })
    },
  },
  backup: {
    records: 'sales',
    expected: 1,
    most: 10_000_000,
    fill: sales,
    prepare(folder) {
      const dataDir = path.join(folder, 'data')
      const target = path.join(folder, 'backup.keydesk')
      return Promise.resolve({
        runs: 1,
        async work() {
          await writeArchive({
            dataDir,
            target,
            passphrase: 'correct horse battery',
            version: '0.0.0',
            now: Date.now(),
            random: systemRandomness,
            cost: { N: 256, r: 8, p: 1 },
          })
          rmSync(target)
        },
      })
    },
  },
  'start of the console': {
    records: 'products',
    expected: 0,
    most: 1_000_000,
    async prepare(folder, records) {
      const mirror = path.join(folder, 'catalogues', 'bench.db')
      mkdirSync(path.dirname(mirror))
      const { db } = await fillMirror(mirror, records)
      db.close()
      const start = async (): Promise<void> => {
        const core = await createCore(hostOf(folder))
        await core.close()
      }
      await start()
      addAccount(folder, 'bench')
      return { runs: 5, work: start }
    },
  },
  'products page at the service': {
    records: 'products',
    expected: 0,
    most: 1_000_000,
    async prepare(folder, records) {
      const service = await startService(folder, '--no-limits', '--products', `${records}`)
      const partner = service.client(service.ready.demo?.partnerLiveKey ?? '')
      let cursor: string | undefined
      return {
        pid: service.running.pid,
        runs: RUNS,
        async work() {
          const { body } = await partner.listProducts({ query: { limit: 100, cursor } })
          cursor = body.nextCursor ?? undefined
        },
        end: () => service.running.stop(),
      }
    },
  },
  'order at the service': {
    records: 'ledger entries',
    expected: 0,
    most: 10_000_000,
    async prepare(folder, records) {
      const service = await startService(folder, '--no-limits')
      await service.running.stop()
      fillLedger(folder, records)
      const again = await startService(folder, '--no-limits')
      const partner = again.client(again.ready.demo?.partnerLiveKey ?? '')
      const { body } = await partner.listProducts({ query: { inStock: true, limit: 100 } })
      const product = body.results.find(({ qty }) => (qty ?? 0) > RUNS)
      return {
        pid: again.running.pid,
        runs: RUNS,
        work: (run) =>
          partner.createOrder({
            body: {
              externalId: `growth-${run}`,
              items: [
                {
                  productId: product?.id ?? '',
                  qty: 1,
                  maxUnitPrice: addCents(product?.price ?? cents(0), cents(100)),
                },
              ],
            },
          }),
        end: () => again.running.stop(),
      }
    },
  },
} satisfies Record<string, Operation>

function sales(folder: string, records: number): void {
  const dataDir = path.join(folder, 'data')
  mkdirSync(dataDir)
  const { db, close } = openAccountDatabase(dataDir)
  db.pragma('synchronous = OFF')
  fillSales(db, { count: records, days: 400, now: Date.now() })
  close()
}

function openSales(
  folder: string,
  workOn: (db: ReturnType<typeof openAccountDatabase>['db']) => (run: number) => unknown,
) {
  const { db, close } = openAccountDatabase(path.join(folder, 'data'))
  return Promise.resolve({ runs: RUNS, work: workOn(db), end: close })
}

/** Processor time so far, in milliseconds, of this process or of another one. */
export function processorMs(pid: number | undefined): number {
  if (pid !== undefined) return cpuMsOf(pid) ?? 0
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
