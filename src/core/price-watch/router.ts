import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { PriceWatch } from './price-watch.ts'

/** Implements the price watch part of the contract. */
export function createPriceWatchRouter(watch: PriceWatch) {
  const os = implement(contract.priceWatch)
  return os.router({
    overview: os.overview.handler(({ input }) => watch.overview(input)),
    market: os.market.handler(({ input }) => watch.market(input)),
    position: os.position.handler(({ input }) => watch.position(input)),
    offer: os.offer.handler(({ input }) => watch.offer(input)),
    choices: os.choices.handler(({ input }) => watch.choices(input)),
    rules: os.rules.handler(({ input }) => watch.rules(input)),
    preview: os.preview.handler(({ input }) => watch.preview(input)),
    saveRule: os.saveRule.handler(({ input }) => watch.saveRule(input)),
    removeRule: os.removeRule.handler(({ input }) => watch.removeRule(input)),
    orderRules: os.orderRules.handler(({ input }) => watch.orderRules(input)),
    setMode: os.setMode.handler(({ input }) => watch.setMode(input)),
    approve: os.approve.handler(({ input }) => watch.approve(input)),
    sends: os.sends.handler(({ input }) => watch.sends(input)),
    reject: os.reject.handler(({ input }) => watch.reject(input)),
    undoReject: os.undoReject.handler(({ input }) => watch.undoReject(input)),
    hold: os.hold.handler(({ input }) => watch.hold(input)),
    undoHold: os.undoHold.handler(({ input }) => watch.undoHold(input)),
    release: os.release.handler(({ input }) => watch.release(input)),
    refresh: os.refresh.handler(({ input }) => watch.refresh(input)),
    stopAll: os.stopAll.handler(() => watch.stopAll()),
    resume: os.resume.handler(() => watch.resume()),
    switch: os.switch.handler(() => watch.switch()),
    decisions: os.decisions.handler(({ input }) => watch.decisions(input)),
    exportDecisions: os.exportDecisions.handler(({ input }) => watch.exportDecisions(input)),
    simulation: {
      start: os.simulation.start.handler(({ input }) => watch.rehearsals.start(input)),
      get: os.simulation.get.handler(({ input }) => watch.rehearsals.get(input)),
      cancel: os.simulation.cancel.handler(({ input }) => watch.rehearsals.cancel(input)),
      list: os.simulation.list.handler(({ input }) => watch.rehearsals.list(input)),
    },
  })
}
