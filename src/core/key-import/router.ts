import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { KeyImport } from './key-import.ts'

/** Implements the imports contract. */
export function createKeyImportRouter(imports: KeyImport) {
  const os = implement(contract.imports)
  return os.router({
    list: os.list.handler(({ input }) => imports.list(input)),
    create: os.create.handler(({ input }) => imports.create(input)),
    get: os.get.handler(({ input }) => imports.get(input)),
    addFile: os.addFile.handler(({ input }) => imports.addFile(input)),
    writeFile: os.writeFile.handler(({ input }) => imports.writeFile(input)),
    removeFile: os.removeFile.handler(({ input }) => imports.removeFile(input)),
    configureFile: os.configureFile.handler(({ input }) => imports.configureFile(input)),
    chooseOffer: os.chooseOffer.handler(({ input }) => imports.chooseOffer(input)),
    failFile: os.failFile.handler(({ input }) => imports.failFile(input)),
    readAgain: os.readAgain.handler(({ input }) => imports.readAgain(input)),
    addSheet: os.addSheet.handler(({ input }) => imports.addSheet(input)),
    include: os.include.handler(({ input }) => imports.include(input)),
    setRepeats: os.setRepeats.handler(({ input }) => imports.setRepeats(input)),
    missingOffers: os.missingOffers.handler(({ input }) => imports.missingOffers(input)),
    createOffers: os.createOffers.handler(({ input }) => imports.createOffers(input)),
    profiles: os.profiles.handler(({ input }) => imports.profiles(input)),
    saveProfile: os.saveProfile.handler(({ input }) => imports.saveProfile(input)),
    applyProfile: os.applyProfile.handler(({ input }) => imports.applyProfile(input)),
    removeProfile: os.removeProfile.handler(({ input }) => imports.removeProfile(input)),
    lines: os.lines.handler(({ input }) => imports.lines(input)),
    recheck: os.recheck.handler(({ input }) => imports.recheck(input)),
    upload: os.upload.handler(({ input }) => imports.upload(input)),
    pause: os.pause.handler(({ input }) => imports.pause(input)),
    resume: os.resume.handler(({ input }) => imports.resume(input)),
    cancel: os.cancel.handler(({ input }) => imports.cancel(input)),
    discard: os.discard.handler(({ input }) => imports.discard(input)),
    decide: os.decide.handler(({ input }) => imports.decide(input)),
    report: os.report.handler(({ input }) => imports.report(input)),
    outcomes: os.outcomes.handler(({ input }) => imports.outcomes(input)),
    exportUnaccepted: os.exportUnaccepted.handler(({ input }) => imports.exportUnaccepted(input)),
    exportReport: os.exportReport.handler(({ input }) => imports.exportReport(input)),
    continueImport: os.continueImport.handler(({ input }) => imports.continueImport(input)),
    exportRemaining: os.exportRemaining.handler(({ input }) => imports.exportRemaining(input)),
    discardRemaining: os.discardRemaining.handler(({ input }) => imports.discardRemaining(input)),
    undoPlan: os.undoPlan.handler(({ input }) => imports.undoPlan(input)),
    undo: os.undo.handler(({ input }) => imports.undo(input)),
    undoImport: os.undoImport.handler(({ input }) => imports.undoImport(input)),
    exportUndo: os.exportUndo.handler(({ input }) => imports.exportUndo(input)),
    exportRefused: os.exportRefused.handler(({ input }) => imports.exportRefused(input)),
  })
}
