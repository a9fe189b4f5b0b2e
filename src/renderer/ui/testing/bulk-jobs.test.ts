import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { contract } from '../../../contract/index.ts'

/** What ends a bulk job: the file with its result per line, the export and the retry. */
interface End {
  /** The file that shows the results, below the features. */
  shows: string
  /** What its export and its retry call there. */
  csv: RegExp
  retry: RegExp
}

const offerBulk: End = {
  shows: 'offers/bulk/results-dialog.tsx',
  csv: /api\.offers\.bulk\.export\b/,
  retry: /api\.offers\.bulk\.retry\b/,
}
const replies: End = {
  shows: 'disputes/bulk/bulk-results.tsx',
  csv: /bulkCsv\(bulk\)/,
  retry: /<BulkRetry\b/,
}

/** Every procedure that acts on many records, with its end. */
const jobs: Readonly<Record<string, End>> = {
  // Prices, status, withdrawals, closing.
  'offers.bulk.start': offerBulk,
  'offers.creation.start': offerBulk,
  'imports.createOffers': {
    shows: 'key-import/check/missing-offers.tsx',
    csv: /createdOffersCsv\(/,
    retry: /'Retry'/,
  },
  'imports.undoImport': {
    shows: 'key-import/report/undo-results.tsx',
    csv: /api\.imports\.exportUndo\b/,
    retry: /onRetry\(/,
  },
  'costs.save': {
    shows: 'offers/costs/costs-from-table.tsx',
    csv: /costsCsv\(/,
    retry: /onRetry=\{correct\}/,
  },
  'orders.placeMany': {
    shows: 'orders/bulk/bulk-results-page.tsx',
    csv: /api\.orders\.exportBulk\b/,
    retry: /api\.orders\.bulkRetry\b/,
  },
  'disputes.sendBulkReply': replies,
  'disputes.sendReplies': replies,
  'outbox.send': {
    shows: 'outbox/results/results-dialog.tsx',
    csv: /resultsCsv\(/,
    retry: /onRetry\(/,
  },
  'priceWatch.approve': {
    shows: 'price-watch/market/apply-results.tsx',
    csv: /appliedCsv\(/,
    retry: /onRetry\(/,
  },
}

/** Procedures with a list in their input that end with one result for all of it. */
const others: Readonly<Record<string, string>> = {
  'app.changeSettings': 'the settings',
  'app.markViewed': 'reports to the core what is on screen',
  'sandbox.accounts.createPartner': 'one account',
  'sandbox.accounts.changePartner': 'one account',
  'sandbox.accounts.createPartnerKey': 'one key',
  'sandbox.world.createProduct': 'one product',
  'sandbox.world.changeProduct': 'one product',
  'sandbox.control.setFaults': 'replaces one list, or changes nothing',
  'catalogue.search': 'reads',
  'catalogue.position': 'reads',
  'catalogue.counts': 'reads',
  'offers.list': 'reads',
  'offers.position': 'reads',
  'offers.ids': 'reads',
  'offers.costs': 'reads',
  'offers.table': 'is a file',
  'offers.setTerms': 'private to this computer: all or nothing, undone as one',
  'offers.restoreTerms': 'private to this computer: all or nothing',
  'offers.saveView': 'one view',
  'offers.bulk.preview': 'reads',
  'offers.creation.preview': 'reads',
  'imports.addFile': 'one file',
  'orders.list': 'reads',
  'orders.exportList': 'is a file',
  'orders.quote': 'reads',
  'orders.place': 'one order',
  'orders.keysText': 'reads',
  'orders.exportKeys': 'is a file',
  'orders.describeKeys': 'reads',
  'orders.keysOfOrders': 'reads',
  'orders.markHandedOver': 'private to this computer: all or nothing, undone as one',
  'orders.restoreHandedOver': 'private to this computer: all or nothing',
  'orders.exportSelectedKeys': 'is a file',
  'orders.orderIds': 'reads',
  'sales.earned': 'reads',
  'disputes.list': 'reads',
  'disputes.position': 'reads',
  'disputes.undoReplies': 'takes back what is not sent yet: all or nothing',
  'disputes.planBulkReply': 'reads',
  'disputes.saveTemplate': 'one template',
  'disputes.saveView': 'one view',
  'outbox.discard': 'private to this computer: restored from a tab',
  'outbox.restore': 'private to this computer; says how many were not restored',
  'priceWatch.choices': 'reads',
  'priceWatch.preview': 'reads',
  'priceWatch.saveRule': 'one rule',
  'priceWatch.orderRules': 'one order of the rules',
  'priceWatch.sends': 'reads',
  'priceWatch.reject': 'private to this computer: all or nothing, undone as one',
  'priceWatch.undoReject': 'private to this computer: all or nothing',
  'priceWatch.hold': 'private to this computer: all or nothing, undone as one',
  'priceWatch.undoHold': 'private to this computer: all or nothing',
  'priceWatch.release': 'private to this computer: all or nothing',
  'priceWatch.refresh': 'reads',
  'priceWatch.decisions': 'reads',
  'priceWatch.simulation.start': 'one simulation',
}

/** Whether a schema has a list outside a list. */
function hasList(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodArray) return true
  if (schema instanceof z.ZodObject) return Object.values(schema.shape).some(hasList)
  if (schema instanceof z.ZodUnion) return schema.options.some(hasList)
  if (schema instanceof z.ZodIntersection)
    return hasList(schema.def.left) || hasList(schema.def.right)
  if (schema instanceof z.ZodPipe) return hasList(schema.def.in)
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodPrefault
  )
    return hasList(schema.def.innerType)
  return false
}

/** The names of the procedures whose input has a list. */
function withLists(part: object, path: readonly string[] = []): string[] {
  if ('~orpc' in part) {
    const { inputSchema } = part['~orpc'] as { inputSchema?: z.core.$ZodType }
    return inputSchema !== undefined && hasList(inputSchema) ? [path.join('.')] : []
  }
  return Object.entries(part).flatMap(([name, inner]: [string, unknown]) =>
    typeof inner === 'object' && inner !== null ? withLists(inner, [...path, name]) : [],
  )
}

test('says of every procedure with a list whether it is a bulk job', () => {
  expect(withLists(contract).toSorted()).toEqual(
    [...Object.keys(jobs), ...Object.keys(others)].toSorted(),
  )
})

test.each(Object.entries(jobs))(
  '%s ends with a result per line, a file of them and a retry',
  (_name, { shows, csv, retry }) => {
    const text = readFileSync(join('src/renderer/features', shows), 'utf8')
    expect(text).toMatch(/<DataTable\b|<table\b|<ul>/)
    expect(text).toMatch(/problem|reason/i)
    expect(text).toMatch(csv)
    expect(text).toMatch(retry)
  },
)
