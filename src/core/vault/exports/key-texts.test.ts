import { getEventIteratorSchemaDetails, isContractProcedure } from '@orpc/contract'
import type { AnyContractProcedure } from '@orpc/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import type { ProcedureMeta } from '../../../contract/base.ts'
import { contract } from '../../../contract/index.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { problemOf, startTestCore } from '../../testing/core.ts'
import type { TestCore } from '../../testing/core.ts'
import { memoryKeychain } from '../../testing/keychains.ts'

/**
 * How a procedure returns key texts. `typed`: as a file, after the words that a person typed.
 * `press`: shown or copied when a person presses a button. `encrypted`: not readable. `never`: its
 * files and texts contain no key.
 */
type KeyTexts = 'typed' | 'press' | 'encrypted' | 'never'

/** Every procedure whose output has a field that could hold a key. Add a new one with its way. */
const ways: Record<string, KeyTexts> = {
  'activity.export': 'never',
  'backup.read': 'encrypted',
  'catalogue.counts': 'never',
  'catalogue.cover': 'never',
  'claims.screenshot': 'never',
  'costs.read': 'never',
  'diagnostics.make': 'never',
  'disputes.attachment': 'never',
  'disputes.bulkReplies': 'never',
  'disputes.evidence': 'never',
  'disputes.evidenceUnmasked': 'typed',
  'disputes.fillTemplate': 'never',
  'disputes.planBulkReply': 'never',
  'disputes.replies': 'never',
  'disputes.reply': 'never',
  'disputes.report': 'never',
  'disputes.retryBulkReply': 'never',
  'disputes.sendBulkReply': 'never',
  'imports.createOffers': 'never',
  'imports.exportRefused': 'typed',
  'imports.exportRemaining': 'typed',
  'imports.exportReport': 'never',
  'imports.exportUnaccepted': 'typed',
  'imports.exportUndo': 'never',
  'imports.lines': 'press',
  'imports.missingOffers': 'never',
  'offers.bulk.export': 'never',
  'offers.creation.read': 'never',
  'offers.table': 'never',
  'offers.withdrawals.export': 'typed',
  'offers.withdrawals.reveal': 'press',
  'orders.bulkRetry': 'never',
  'orders.exportBulk': 'never',
  'orders.exportKeys': 'typed',
  'orders.exportList': 'never',
  'orders.exportSelectedKeys': 'typed',
  'orders.keysText': 'press',
  'orders.revealKey': 'press',
  'outbox.entry': 'never',
  'priceWatch.exportDecisions': 'never',
  'recovery.readExport': 'never',
  'sales.export': 'never',
  'sandbox.accounts.createPartnerKey': 'never',
  'sandbox.accounts.createSellerKey': 'never',
  'sandbox.branches.secret': 'never',
  'sandbox.certificate.variables': 'never',
  'sandbox.control.compareSnapshot': 'never',
  'sandbox.control.explain': 'never',
  'sandbox.money.emails': 'never',
  'sandbox.money.setWebhook': 'never',
  'sandbox.secret': 'never',
  'spending.export': 'never',
  'vault.export': 'typed',
  'vault.recoveryCopy': 'encrypted',
  'vault.revealExported': 'press',
  'webhookInspector.event': 'never',
  'webhookInspector.paste': 'never',
  'webhookInspector.refreshOrder': 'never',
}

/** Names of fields that could hold the text of a key, or a file of them. */
const suspects = new Set([
  'base64',
  'body',
  'content',
  'csv',
  'key',
  'keys',
  'login',
  'password',
  'plain',
  'secret',
  'shown',
  'text',
  'texts',
  'value',
  'values',
])

/** Records that many procedures return, and that contain no key. */
const harmless = new Set([
  // A value of the offer column is masked if it could be a key.
  'targets.value',
  // Masked, or a damaged text that isn't a key.
  'examples.shown',
  'conversation.body',
  'draft.text',
  'replies.text',
  'pending.text',
  'waiting.text',
  // Texts that the webhook inspector compares.
  'signature.text',
  'age.text',
  'duplicate.text',
  'values.value',
  'headerFields.body',
])

/** The paths of all texts in a schema, without the marks of lists; `*` for the values of a record. */
function textsOf(schema: unknown, path: readonly string[] = []): string[][] {
  if (schema instanceof z.ZodString) return [[...path]]
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, part]) =>
      // The parts of a problem never hold a secret.
      name === 'problem' ? [] : textsOf(part, [...path, name]),
    )
  if (schema instanceof z.ZodArray) return textsOf(schema.element, path)
  if (schema instanceof z.ZodRecord) return textsOf(schema.valueType, [...path, '*'])
  if (schema instanceof z.ZodTuple) return schema.def.items.flatMap((each) => textsOf(each, path))
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((each) => textsOf(each, path))
  if (schema instanceof z.ZodPipe) return textsOf(schema.out, path)
  if (
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault
  )
    return textsOf(schema.unwrap(), path)
  return []
}

const couldHoldKeys = (output: unknown): boolean =>
  textsOf(output).some(
    (path) => suspects.has(path.at(-1) ?? '') && !harmless.has(path.slice(-2).join('.')),
  )

function procedures(router: object, path: string[] = []): [string, AnyContractProcedure][] {
  return Object.entries(router).flatMap(([name, part]: [string, object]) =>
    isContractProcedure(part)
      ? [[[...path, name].join('.'), part] as [string, AnyContractProcedure]]
      : procedures(part, [...path, name]),
  )
}
const every = procedures(contract)
const typed = Object.keys(ways).filter((path) => ways[path] === 'typed')

it('reach the page in one of the known ways, for every procedure of the contract', () => {
  const suspected = every.filter(([, { '~orpc': part }]) =>
    couldHoldKeys(getEventIteratorSchemaDetails(part.outputSchema)?.yields ?? part.outputSchema),
  )
  expect(suspected.map(([path]) => path).sort()).toEqual(Object.keys(ways).sort())
})

it('are written to a file only by procedures that need the second proof', () => {
  const proven = every.filter(
    ([, { '~orpc': part }]) => (part.meta as ProcedureMeta).proof === 'export-keys',
  )
  expect(proven.map(([path]) => path).sort()).toEqual(typed.sort())
})

let folder: ReturnType<typeof temporaryFolder>
let harness: TestCore
beforeEach(async () => {
  folder = temporaryFolder()
  harness = await startTestCore(folder.path, memoryKeychain())
})
afterEach(async () => {
  await harness.close()
  folder.remove()
})

it.each(typed)('are not exported by %s after other words', async (path) => {
  const call = path
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], harness.ask)
  const problem = await problemOf(
    (call as (input: unknown) => Promise<unknown>)({
      accountId: 'a',
      importId: 'i',
      withdrawalId: 'w',
      orderId: 'o',
      disputeId: 'd',
      form: 'lines',
      ...(path === 'vault.export' ? { form: 'plain', accountId: null } : {}),
      keys: [{ orderId: 'o', keyId: 'k' }],
      typed: 'export',
    }),
  )
  expect([problem.code, problem.what]).toEqual([
    'INVALID_INPUT',
    'The confirmation text doesn’t match.',
  ])
})
