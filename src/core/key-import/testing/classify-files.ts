import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import type { FileSettings, Import, SetAsideReason } from '../../../contract/keys/import-records.ts'
import { readCheckedLines } from '../spool/checked-lines.ts'
import { createFingerprints, fingerprintBytes } from '../fingerprint/fingerprint.ts'
import { openFrames, readFrames } from '../spool/frames.ts'
import { prepareFiles } from '../parse/prepare-files.ts'
import { runKeyCheck } from '../check/key-check-task.ts'
import { checkedOf, outcomesPath, planOf, rejectedLinesOf, spoolOf } from '../spool/spool-files.ts'
import type { KeyCheckResult, KeyCheckTask, ResolvedTarget } from '../check/key-check-task.ts'
import { viewFile } from '../view/file-view.ts'
import { showLines } from '../view/first-lines.ts'
import { decodeRequest } from '../plan/plan-requests.ts'
import type { PicturePart, ReadFileResult } from '../parse/read-task.ts'
import { importsSchemas } from '../schema.ts'
import type { OwnOffer } from '../classify/targets.ts'
import { outcomeOf, reasonsOf } from '../classify/classify-lines.ts'

/** Offers of the seller who imports the files. */
const corpusOffers: readonly OwnOffer[] = [
  {
    offerId: 'off_steam',
    productId: '10442',
    name: 'Ironwharf 3',
    platform: 'Steam',
    region: 'Global',
    deliveryType: 'key',
    stock: 0,
  },
  {
    offerId: 'off_gog',
    productId: '10871',
    name: 'Sable Horizon: Complete Edition',
    platform: 'GOG',
    region: 'Global',
    deliveryType: 'key',
    stock: 0,
  },
  {
    offerId: 'off_psn',
    productId: '10900',
    name: 'Cinderkeep',
    platform: 'PlayStation',
    region: 'Europe',
    deliveryType: 'key',
    stock: 0,
  },
  {
    offerId: 'off_other',
    productId: '10999',
    name: 'Lantern Bay',
    platform: 'Some new platform',
    region: 'Europe',
    deliveryType: 'key',
    stock: 0,
  },
]

export type FileGiven = {
  name: string
  bytes: Buffer
  offerId?: string | null
  fixed?: Partial<FileSettings>
  pictures?: readonly PicturePart[]
  included?: readonly SetAsideReason[]
}
export type ClassifiedFile = {
  /** All that the page receives about the file before a person reveals its lines, as text. */
  view: string
  problem: string | null
  read: ReadFileResult | null
  targets: ResolvedTarget[]
  /**
   * One line of text per file line: `number offer outcome reasons | text`. Offers are shown without
   * their prefix; missing parts are left out.
   */
  lines: string[]
}
export type Judgement = {
  files: ClassifiedFile[]
  sums: Import['sums']
  problems: Import['problems']
  sent: { offer: string; key: string }[]
  refused: string
}

/**
 * Classifies files like an import, starting from the encrypted spool, in a temporary folder.
 * `uploaded`: keys this console uploaded before, by product.
 */
export async function classifyFiles(
  folder: string,
  given: readonly FileGiven[],
  {
    uploaded = {},
    sendsRepeats = false,
    now = () => 0,
  }: {
    uploaded?: Readonly<Record<string, readonly string[]>>
    sendsRepeats?: boolean
    now?: () => number
  } = {},
): Promise<Judgement> {
  const fingerprint = randomBytes(32)
  const task: KeyCheckTask = {
    kind: 'plan',
    accountId: 'acc',
    importId: 'imp',
    folder: join(folder, 'imp'),
    journal: join(folder, 'journal.db'),
    seal: randomBytes(32),
    fingerprint,
    offers: corpusOffers,
    sendsRepeats,
    files: given.map(
      ({ name, offerId = null, fixed = {}, pictures = null, included = [] }, position) => ({
        fileId: `f${position}`,
        position,
        name,
        fixed,
        offerId,
        read: null,
        pictures,
        chosen: [],
        included,
      }),
    ),
  }
  rmSync(task.folder, { recursive: true, force: true })
  rmSync(task.journal, { force: true })
  mkdirSync(task.folder, { recursive: true })
  fillJournal(task.journal, fingerprint, uploaded)
  for (const [position, { bytes }] of given.entries()) {
    const { path, key } = spoolOf(task, `f${position}`)
    const writer = openFrames(path, key, true)
    // Files are cut at every position, so that every seam is tested; large ones less often, to save
    // time.
    const piece = bytes.length > 100_000 ? 65_537 : 997
    for (let at = 0; at < bytes.length; at += piece) writer.append(bytes.subarray(at, at + piece))
    writer.finish()
  }
  const result = runKeyCheck(task, () => {}, await prepareFiles(task, now))
  const files = result.files.map((file, index): ClassifiedFile => {
    const { fileId, problem, read, targets } = file
    return {
      view: viewOf(task, given[index], file),
      problem: problem?.code ?? null,
      read,
      targets,
      lines:
        read === null
          ? []
          : linesOf(
              task,
              fileId,
              targets.map(({ offerId }) => offerId),
            ),
    }
  })
  const plan = planOf(task)
  const frames = [...readFrames(plan.path, plan.key)]
  const sent = result.requests.flatMap((request) =>
    decodeRequest(frames[request.frame] ?? Buffer.alloc(0)).map(({ key }) => ({
      offer: result.offers[request.offer]?.offerId ?? '',
      key,
    })),
  )
  const refused = rejectedLinesOf(task)
  return {
    files,
    ...result.classified,
    sent,
    refused: Buffer.concat([...readFrames(refused.path, refused.key)]).toString('utf8'),
  }
}

/** What the page receives about a file: its view and its masked lines. */
function viewOf(
  task: KeyCheckTask,
  given: FileGiven | undefined,
  { fileId, problem, read, targets, counts }: KeyCheckResult['files'][number],
): string {
  const view = viewFile({
    row: {
      file_id: fileId,
      import_number: 1,
      position: 0,
      name: given?.name ?? '',
      size: 1,
      received: 1,
      state: read === null ? 'failed' : 'checked',
      problem: problem === null ? null : JSON.stringify(problem),
      offer_id: given?.offerId ?? null,
      revision: 1,
      lines: read?.lines ?? 0,
      choices: null,
      result: null,
    },
    received: 1,
    result: read === null ? null : { read, targets, counts },
    choices: null,
    offers: new Map(corpusOffers.map((offer) => [offer.offerId, offer])),
    offered: () => [],
  })
  const lines =
    read === null
      ? null
      : showLines(
          checkedOf(task, fileId),
          readFileSync(outcomesPath(task.folder, fileId)),
          view.targets,
          { offset: 0, limit: 1000, only: null, reveal: false },
        )
  return JSON.stringify({ view, lines })
}

function fillJournal(
  path: string,
  hmac: Buffer,
  uploaded: Readonly<Record<string, readonly string[]>>,
): void {
  const db = new BetterSqlite3(path)
  db.pragma('synchronous = OFF')
  for (const step of importsSchemas.flatMap(({ place, steps }) =>
    place === 'journal' ? steps : [],
  ))
    db.exec(step)
  const add = db.prepare(
    'INSERT INTO import_uploaded_keys (fingerprint, product_id, import_number, file, line) VALUES (?, ?, 1, 0, 1)',
  )
  const make = createFingerprints(hmac).one
  const words = new Uint32Array(4)
  for (const [product, keys] of Object.entries(uploaded)) {
    for (const key of keys) {
      const bytes = Buffer.from(key)
      make(bytes, 0, bytes.length, words, 0)
      add.run(fingerprintBytes(words, 0), product)
    }
  }
  db.close()
}

function linesOf(task: KeyCheckTask, fileId: string, offers: readonly (string | null)[]): string[] {
  const verdicts = readFileSync(outcomesPath(task.folder, fileId))
  const { path, key } = checkedOf(task, fileId)
  const lines: string[] = []
  for (const block of readCheckedLines(path, key)) {
    for (let index = 0; index < block.count; index++) {
      const verdict = verdicts[lines.length] ?? 3
      const told = [
        block.line(index).line,
        offers[block.targetOf(index)]?.replace('off_', ''),
        outcomeOf(verdict),
        reasonsOf(block.bitsOf(index), verdict)
          .filter((reason) => reason !== 'no-offer')
          .join('+'),
      ]
      lines.push(
        `${told.filter((part) => part !== undefined && part !== '').join(' ')} | ` +
          `${block.bytesOf(index).toString('utf8')}`,
      )
    }
  }
  return lines
}
