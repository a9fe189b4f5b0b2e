import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Offers } from './offers.ts'

/** Implements the offers part of the contract. */
export function createOffersRouter(offers: Offers) {
  const os = implement(contract.offers)
  return os.router({
    position: os.position.handler(({ input }) => offers.position(input)),
    ids: os.ids.handler(({ input }) => offers.ids(input)),
    table: os.table.handler(({ input }) => offers.table(input)),
    costs: os.costs.handler(({ input }) => offers.costs(input)),
    setTerms: os.setTerms.handler(({ input }) => offers.setTerms(input)),
    restoreTerms: os.restoreTerms.handler(({ input }) => offers.restoreTerms(input)),
    savedViews: os.savedViews.handler(({ input }) => offers.savedViews.list(input)),
    saveView: os.saveView.handler(({ input }) => offers.savedViews.save(input)),
    renameView: os.renameView.handler(({ input }) => offers.savedViews.rename(input)),
    removeView: os.removeView.handler(({ input }) => offers.savedViews.remove(input)),
    bulk: {
      preview: os.bulk.preview.handler(({ input }) => offers.bulks.preview(input)),
      moves: os.bulk.moves.handler(({ input }) => offers.bulks.moves(input)),
      start: os.bulk.start.handler(({ input }) => offers.bulks.begin(input)),
      list: os.bulk.list.handler(({ input }) => offers.bulks.list(input)),
      results: os.bulk.results.handler(({ input }) => offers.bulks.results(input)),
      export: os.bulk.export.handler(({ input }) => offers.bulks.export(input)),
      retry: os.bulk.retry.handler(({ input }) => offers.bulks.retry(input)),
      undoPreview: os.bulk.undoPreview.handler(({ input }) => offers.bulks.undoPreview(input)),
      undo: os.bulk.undo.handler(({ input }) => offers.bulks.undo(input)),
      pause: os.bulk.pause.handler(({ input }) => offers.bulks.pause(input)),
      resume: os.bulk.resume.handler(({ input }) => offers.bulks.resume(input)),
      cancel: os.bulk.cancel.handler(({ input }) => offers.bulks.cancel(input)),
    },
    creation: {
      read: os.creation.read.handler(({ input }) => offers.creation.read(input)),
      preview: os.creation.preview.handler(({ input }) => offers.creation.preview(input)),
      start: os.creation.start.handler(({ input }) => offers.creation.start(input)),
    },
    withdrawals: {
      withdraw: os.withdrawals.withdraw.handler(({ input }) => offers.withdrawals.begin(input)),
      list: os.withdrawals.list.handler(({ input }) => offers.withdrawals.list(input)),
      keys: os.withdrawals.keys.handler(({ input }) => offers.withdrawals.keys(input)),
      reveal: os.withdrawals.reveal.handler(({ input }) => offers.withdrawals.reveal(input)),
      export: os.withdrawals.export.handler(({ input }) => offers.withdrawals.export(input)),
    },
    list: os.list.handler(({ input }) => offers.list(input)),
    offer: os.offer.handler(({ input }) => offers.offer(input)),
    create: os.create.handler(({ input }) => offers.create(input)),
    change: os.change.handler(({ input }) => offers.change(input)),
    remove: os.remove.handler(({ input }) => offers.remove(input)),
  })
}
