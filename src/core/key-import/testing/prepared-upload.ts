import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import type { ResponseBody, InputOf, OperationId } from '../../../../server/api/handlers.ts'
import type { Problem } from '../../../contract/base.ts'
import type { ProblemCode } from '../../../contract/problem-codes.ts'
import type { ServiceConnection } from '../../context.ts'
import { Failure } from '../../failure.ts'
import { createTestContext } from '../../testing/context.ts'
import type { TestContext } from '../../testing/context.ts'
import type { KeyImportContext } from '../context.ts'
import { createDraftStore } from '../draft-store.ts'
import { openFrames } from '../spool/frames.ts'
import { runKeyCheck } from '../check/key-check-task.ts'
import { spoolOf } from '../spool/spool-files.ts'
import type { KeyCheckTask } from '../check/key-check-task.ts'
import { importsSchemas } from '../schema.ts'
import { createUploadStore } from '../upload/store/upload-store.ts'
import { createScope } from '../../lifecycle/lifecycle.ts'
import { createUploads } from '../upload/uploads.ts'
import type { AccountImports } from '../upload/upload-run.ts'

export const uploadAccountId = 'acc'
const opened: TestContext[] = []

/** Disposes what `prepareUpload` opened. */
export function disposeUploads(): void {
  for (const each of opened.splice(0)) each.dispose()
}

export const refusal = (
  code: ProblemCode,
  status: number | null,
  more: Partial<Problem> = {},
): Failure =>
  new Failure({
    code,
    what: `${code}.`,
    effect: null,
    next: 'Wait.',
    status,
    requestId: 'req_1',
    retryAfterMs: 1,
    ...more,
  })

/**
 * A service in memory: each key once per offer, and repeated responses by Idempotency-Key if it
 * supports them.
 */
export function createUploadService(takesKeys: boolean) {
  const stock = new Map<string, string[]>([
    ['off_a', []],
    ['off_b', []],
  ])
  const answers = new Map<string, { added: number; duplicates: number; stock: number }>()
  const bodies = new Map<string, string>()
  return {
    takesKeys,
    stock,
    /** Forgets the stored responses, as the service does after 24 hours. */
    forgetAnswers(): void {
      answers.clear()
    },
    upload(
      offerId: string,
      keys: readonly string[],
      idempotencyKey: string | undefined,
    ): { added: number; duplicates: number; stock: number } {
      const known = stock.get(offerId)
      if (known === undefined) throw refusal('NOT_FOUND', 404)
      if (idempotencyKey !== undefined && takesKeys) {
        const answer = answers.get(idempotencyKey)
        if (answer !== undefined) {
          if (bodies.get(idempotencyKey) !== keys.join('\n'))
            throw refusal('IDEMPOTENCY_CONFLICT', 409)
          return answer
        }
      }
      const bad = keys.flatMap((key, index) => (key.startsWith('BAD') ? [index] : []))
      if (bad.length > 0)
        throw refusal('VALIDATION_ERROR', 400, {
          fields: bad.map((index) => ({ field: `keys[${index}]`, message: 'isn’t a key' })),
        })
      const fresh = keys.filter((key) => !known.includes(key))
      known.push(...fresh)
      const answer = {
        added: fresh.length,
        duplicates: keys.length - fresh.length,
        stock: known.length,
      }
      if (idempotencyKey !== undefined && takesKeys) {
        answers.set(idempotencyKey, answer)
        bodies.set(idempotencyKey, keys.join('\n'))
      }
      return answer
    },
  }
}
type Service = ReturnType<typeof createUploadService>
type Step = (moment: 'before' | 'after', keys: readonly string[]) => Promise<void> | void

export interface PreparedUpload {
  ground: TestContext
  context: KeyImportContext
  harness: AccountImports
  db: Database
  /** The stored import. */
  row(): NonNullable<ReturnType<AccountImports['drafts']['find']>>
  /**
   * Runs until the upload stops or finishes. `kill`: called for each event; if it returns true,
   * this process ends there.
   */
  run(kill?: () => boolean): Promise<void>
  /** What happens before and after each request reaches the service. */
  setStep(step: Step): void
}

/**
 * Plans an import of keys and starts its upload, in a file `f.csv` with one line per key and offer.
 * `run` sends the requests to the service in memory.
 */
export async function prepareUpload(
  keys: readonly { key: string; offer: string }[],
  service: Service,
): Promise<PreparedUpload> {
  const ground = await createTestContext({ schemas: importsSchemas })
  opened.push(ground)
  let step: Step = () => {}
  const line: ServiceConnection = {
    // The double implements the two operations that uploads call, so the contract's types are cast.
    async call<Op extends OperationId>(
      operation: Op,
      input: InputOf<Op>,
      options?: { idempotencyKey?: string },
    ): Promise<ResponseBody<Op>> {
      const { params, body } = input as unknown as {
        params: { id: string }
        body?: { keys: string[] }
      }
      if (operation === 'getOffer') {
        const known = service.stock.get(params.id)
        if (known === undefined) throw refusal('NOT_FOUND', 404)
        return { stock: known.length } as ResponseBody<Op>
      }
      await step('before', body?.keys ?? [])
      const answer = service.upload(params.id, body?.keys ?? [], options?.idempotencyKey)
      await step('after', body?.keys ?? [])
      return answer as ResponseBody<Op>
    },
    send: () => {
      throw new Error('not by uploads')
    },
    picture: async () => null,
    state: () => ({
      state: 'online',
      since: null,
      nextTryAt: null,
      problem: null,
      budget: { used: 0, limit: 600 },
    }),
    ready: async () => {},
  }
  const context: KeyImportContext = {
    ...ground.context,
    accounts: { ...ground.accounts, acceptsIdempotencyKeys: () => service.takesKeys },
    connection: () => line,
  }
  const db: Database = context.mirrors.database(uploadAccountId)
  const harness: AccountImports = {
    accountId: uploadAccountId,
    drafts: createDraftStore(db),
    uploads: createUploadStore(db),
    folder: (importId) => join(context.host.dataDir, 'spool', uploadAccountId, importId),
  }
  harness.drafts.add('imp', 0)
  const row = () => {
    const found = harness.drafts.find('imp')
    if (found === undefined) throw new Error('no import')
    return found
  }
  for (const name of ['other.txt', 'f.csv'])
    harness.drafts.addFile({
      fileId: name,
      number: row().number,
      name,
      size: 1,
      offerId: null,
      choices: null,
    })
  mkdirSync(harness.folder('imp'), { recursive: true })
  const offers = ['off_a', 'off_b'].map((offerId) => ({
    offerId,
    productId: `p ${offerId}`,
    name: offerId,
    platform: 'Other',
    region: 'Global',
    deliveryType: 'key',
    stock: 0,
  }))
  const task: KeyCheckTask = {
    kind: 'plan',
    accountId: uploadAccountId,
    importId: 'imp',
    folder: harness.folder('imp'),
    journal: context.mirrors.journalPath(uploadAccountId),
    sendsRepeats: false,
    ...context.vault.material(),
    offers,
    files: [
      {
        fileId: 'f',
        position: 1,
        name: 'f.csv',
        fixed: { form: 'table', delimiter: ';', header: false, keyColumn: 0, offerColumn: 1 },
        offerId: null,
        read: null,
        pictures: null,
        chosen: [],
        included: [],
      },
    ],
  }
  const spool = spoolOf({ ...task, seal: context.vault.material().seal }, 'f')
  const frames = openFrames(spool.path, spool.key, true)
  frames.append(Buffer.from(keys.map(({ key, offer }) => `${key};${offer}`).join('\n')))
  frames.finish()
  const { classified, requests, offers: planned } = runKeyCheck(task, () => {})
  if (requests.reduce((sum, request) => sum + request.keys, 0) !== keys.length)
    throw new Error('not every key was planned')
  harness.uploads.begin({
    number: row().number,
    at: 1,
    ...classified,
    requests,
    keyOf: () => context.random.id(),
    offers: planned.map(({ offerId }, position) => ({
      position,
      offerId,
      product: `p ${offerId}`,
      name: offerId,
      platform: '',
      region: '',
      deliveryType: 'key',
    })),
  })

  async function run(kill: () => boolean = () => false): Promise<void> {
    const ends = new AbortController()
    const dead = new Promise<never>(() => {})
    let over = (): void => {}
    const killed = new Promise<void>((resolve) => {
      over = resolve
    })
    const ask = step
    step = async (moment, sent) => {
      if (kill()) {
        ends.abort()
        over()
        await dead
      }
      await ask(moment, sent)
    }
    const uploads = createUploads(context, () => harness, {
      changed() {
        if (!kill()) return
        ends.abort()
        over()
        throw new Error('killed')
      },
      ended: (_desk, _importId, state) => {
        if (state === 'done') harness.uploads.setState(row().number, 'done', null, 2)
      },
      stopped: () => {},
    })
    uploads.open(
      uploadAccountId,
      createScope({ clock: context.clock, report: () => {} }, ends.signal),
    )
    await Promise.race([killed, uploads.settled('imp')])
    step = ask
  }
  return {
    ground,
    context,
    harness,
    row,
    run,
    db,
    setStep: (next) => {
      step = next
    },
  }
}

/** Different keys, two thirds of them for `off_a`. */
export const someKeys = (count: number): { key: string; offer: string }[] =>
  Array.from({ length: count }, (_, index) => ({
    key: `KEY-${index}`,
    offer: index % 3 === 0 ? 'off_b' : 'off_a',
  }))
/** The number of keys that are recorded as uploaded. */
export const countUploaded = (db: Database): unknown =>
  db.prepare('SELECT count(*) FROM import_uploaded_keys').pluck().get()
