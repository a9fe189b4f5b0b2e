import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Disputes } from './disputes.ts'

/** Binds the contract's procedures to the disputes feature. */
export function createDisputesRouter(disputes: Disputes) {
  const os = implement(contract.disputes)
  return os.router({
    list: os.list.handler(({ input }) => disputes.list(input)),
    position: os.position.handler(({ input }) => disputes.position(input)),
    dispute: os.dispute.handler(({ input }) => disputes.dispute(input)),
    markRead: os.markRead.handler(({ input }) => disputes.markRead(input)),
    mark: os.mark.handler(({ input }) => disputes.mark(input)),
    draft: os.draft.handler(({ input }) => disputes.draft(input)),
    answer: os.answer.handler(({ input }) => disputes.answer(input)),
    reply: os.reply.handler(({ input }) => disputes.reply(input)),
    replies: os.replies.handler(({ input }) => disputes.replies(input)),
    undoReplies: os.undoReplies.handler(({ input }) => disputes.undoReplies(input)),
    sendReplies: os.sendReplies.handler(({ input }) => disputes.sendReplies(input)),
    dismissReply: os.dismissReply.handler(({ input }) => disputes.dismissReply(input)),
    planBulkReply: os.planBulkReply.handler(({ input }) => disputes.planBulkReply(input)),
    sendBulkReply: os.sendBulkReply.handler(({ input }) => disputes.sendBulkReply(input)),
    bulkReplies: os.bulkReplies.handler(({ input }) => disputes.bulkReplies(input)),
    retryBulkReply: os.retryBulkReply.handler(({ input }) => disputes.retryBulkReply(input)),
    dismiss: os.dismiss.handler(({ input }) => disputes.dismiss(input)),
    effects: os.effects.handler(({ input }) => disputes.effects(input)),
    checkKey: os.checkKey.handler(({ input }) => disputes.checkKey(input)),
    act: os.act.handler(({ input }) => disputes.act(input)),
    dismissAction: os.dismissAction.handler(({ input }) => disputes.dismissAction(input)),
    attachment: os.attachment.handler(({ input }) => disputes.attachment(input)),
    templates: os.templates.handler(({ input }) => disputes.templates(input)),
    saveTemplate: os.saveTemplate.handler(({ input }) => disputes.saveTemplate(input)),
    removeTemplate: os.removeTemplate.handler(({ input }) => disputes.removeTemplate(input)),
    fillTemplate: os.fillTemplate.handler(({ input }) => disputes.fillTemplate(input)),
    savedViews: os.savedViews.handler(({ input }) => disputes.savedViews(input)),
    saveView: os.saveView.handler(({ input }) => disputes.saveView(input)),
    removeView: os.removeView.handler(({ input }) => disputes.removeView(input)),
    evidence: os.evidence.handler(({ input }) => disputes.evidence(input)),
    evidenceUnmasked: os.evidenceUnmasked.handler(({ input }) => disputes.evidenceUnmasked(input)),
    alarms: os.alarms.handler(({ input }) => disputes.alarms(input)),
    report: os.report.handler(({ input }) => disputes.report(input)),
    createTestDisputes: os.createTestDisputes.handler(({ input }) =>
      disputes.createTestDisputes(input),
    ),
  })
}
